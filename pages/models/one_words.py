"""What the view "One model" says, and what its picture is drawn from: all of it follows from a model's record."""

from collections.abc import Sequence

import numpy as np

from embedviz.base.i18n import _, counted, full_stop, listed, ngettext, paragraph, series, told
from embedviz.figures.schemes.layer_strips import COLOURS
from embedviz.figures.schemes.model_sheet import Seen, Sheet
from embedviz.models.architectures import Architecture, Layer, kinds
from embedviz.positions.sinusoidal import angular_speeds
from embedviz.ui.components.cards.cards import Card
from pages.models import layer_words, table_words

_FIRST, _N_LENGTHS = 256, 60  # lengths for which what is kept is computed: the first, and how many


def sheet(model: Architecture) -> Sheet:
    """What the picture of a model is drawn from."""
    stack = model.stacks[-1]
    found, total = kinds(stack.layers or stack.pattern), len(stack.layers)
    seen = [
        Seen(
            _area_told(layer), COLOURS[layer_words.kind(layer)], layer.window, layer.sees == "chunk",
            (n, total),
        )
        for layer, n in found.items()
        if layer.sees in ("all", "near", "chunk") and not layer.pooled and (layer.window or layer.sees == "all")
    ]  # fmt: skip
    lengths = np.unique(np.geomspace(min(_FIRST, model.longest or 1), model.longest or 1, _N_LENGTHS).astype(int))
    if model.kept(model.longest) is None:
        lengths = lengths[:0]
    kept = np.array([model.kept(int(n)) for n in lengths], float)
    return Sheet(model.name, model.longest, stack.both_ways, seen, _marks(model), lengths, kept)


def _area_told(layer: Layer) -> str:
    return series(layer_words.parts(layer, both_ways=False)[:2])


def _marks(model: Architecture) -> dict[str, Sequence[float]]:
    """By the names of the rows: the model's lengths, its windows, and how many tokens a full circle of a pair takes."""
    turns = [circles(layer, model) for layer in model.pattern]
    found = {
        _("full circles of RoPE’s pairs"): np.unique(np.concatenate(turns)).tolist(),
        _("window, or picked"): [*model.windows, *{layer_words.reach(layer) for layer in model.pattern}],
        _("trained on"): [model.trained],
        _("later"): [model.later],
        _("claimed"): [model.claimed],
    }
    return {row: [each for each in values if each] for row, values in found.items()}


def circles(layer: Layer, model: Architecture) -> np.ndarray:
    """After how many tokens each pair that RoPE turns comes full circle, before any scaling. Empty if not known."""
    turned, of = layer.turned
    if not (layer.base and turned):
        return np.array([])
    # The rule "proportional" spreads the speeds over all dimensions of a head, and then turns only the fastest.
    whole = of if model.scaling and model.scaling.rule == "proportional" else turned
    return 2 * np.pi / angular_speeds(whole, layer.base)[: turned // 2]


def about(models: Sequence[Architecture]) -> tuple[list[Card], list[Card], list[Card]]:
    """The layers of each model, what it keeps, and, of one model alone, how its pairs stand to its lengths."""
    layers = [*map(layer_words.about_model, models)]
    if len(models) == 1:
        return layers, [_about_kept(models[0])], _about_circles(models[0])
    return layers, _about_both(*models), []


def _about_both(one: Architecture, other: Architecture) -> list[Card]:
    """What both keep after as many tokens as both of them read."""
    n = min(one.longest, other.longest)
    sizes = [each.kept(n) for each in (one, other)] if n else [None]
    if None in sizes:
        return [*map(_about_kept, (one, other))]
    ratio, more = max(sizes) / min(sizes), (one if sizes[0] > sizes[1] else other).name
    said = (full_stop(told(each.name, size(n_bytes))) for each, n_bytes in zip((one, other), sizes, strict=True))
    title = _("{model} keeps {ratio:.3g} × as much of {n:,} tokens", model=more, ratio=ratio, n=n)
    return [Card(title, paragraph(said))]


def _about_kept(model: Architecture) -> Card:
    n = model.longest
    if not n or model.kept(n) is None:
        return Card(
            _("{model}: what it keeps is not known", model=model.name),
            _("Its sources do not state its heads of keys and values, their sizes, its windows or a length."),
        )
    said = [_("These are the keys and values of all heads, or what stands for them, with two bytes for each number.")]
    if fixed := sum(bool(layer.window) or layer.sees == "state" for layer in model.layers):
        said.append(
            ngettext(
                "{n} layer keeps a window or a state, which does not grow.",
                "{n} layers keep a window or a state, which does not grow.",
                fixed,
            )
        )
    if model.windows and (whole := model.kept(n, windows=False)) != model.kept(n):
        said.append(_("Without windows it would be {size}.", size=size(whole)))
    title = _("{model} keeps {size} of {n:,} tokens", model=model.name, size=size(model.kept(n)), n=n)
    return Card(title, paragraph(said))


def size(n_bytes: int) -> str:
    """A number of bytes in GiB, or in MiB if that is less than one."""
    n, unit = (n_bytes / 2**30, "GiB") if n_bytes >= 2**30 else (n_bytes / 2**20, "MiB")
    return f"{counted(n, ',.1f')}\N{NO-BREAK SPACE}{unit}"


def _about_circles(model: Architecture) -> list[Card]:
    layer = max(model.pattern, key=lambda each: each.base)
    found = circles(layer, model)
    length = model.trained or model.longest
    if not (len(found) and length):
        return []
    slow, slowest, total = int((found > length).sum()), float(found[-1]), len(found)
    title = _("{n} of {total} pairs never come full circle in {length:,} tokens", n=slow, total=total, length=length)
    said = _("With the base {base:,.0f}, the slowest needs {slowest:,.0f} tokens, before any scaling.",
             base=layer.base, slowest=slowest)  # fmt: skip
    return [Card(title, said)]


def facts(models: Sequence[Architecture]) -> tuple[list[str], list[list[str]]]:
    """All facts with the numbers of their sources: the names of the columns, and a row for each fact."""
    _name, *columns = table_words.columns()
    cells = [table_words.row(model)[1:] for model in models]
    return [_("Fact"), *(model.name for model in models)], [[*row] for row in zip(columns, *cells, strict=True)]


def kept_in_words(models: Sequence[Architecture]) -> str:
    """What is seen and kept, in words."""
    said = _("What is seen of the longest text, as areas true to scale, and what is kept after so many tokens.")
    return paragraph([said, *(full_stop(card.title) for card in map(_about_kept, models))])


def lengths_in_words(models: Sequence[Architecture]) -> str:
    """The lengths in words."""
    return paragraph([_("Numbers of tokens on one scale."), *map(_in_words, models)])


def _in_words(model: Architecture) -> str:
    ranges = {row: sorted({min(values), max(values)}) for row, values in _marks(model).items() if values}
    marks = listed(f"{row} {'–'.join(counted(each, ',.0f') for each in values)}" for row, values in ranges.items())
    return full_stop(told(model.name, marks)) if marks else ""
