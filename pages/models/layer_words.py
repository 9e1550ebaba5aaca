"""What a model's layers are in words: every sentence follows from its record."""

from collections.abc import Sequence

from embedviz.base.i18n import N_, _, full_stop, join_semicolons, listed, ngettext, numeral, paragraph, translated
from embedviz.figures.schemes.layer_strips import Cell, Strip
from embedviz.models.architectures import Architecture, Layer, kinds
from embedviz.positions import SCHEMES
from embedviz.ui.components.cards.cards import Card

LEGEND = {
    "add": N_("Added once"),
    "rotate": "RoPE",
    "bias": N_("Bias on scores"),
    "none": N_("No positions"),
    "state": N_("A state of fixed size"),
    "chunk": N_("{kind}, in chunks"),
    "sinks": N_("Learned sinks"),
    "part": N_("Sees only a part"),
}


def kind(layer: Layer) -> str:
    """The kind of cell that stands for a layer."""
    return "state" if layer.sees == "state" else SCHEMES[layer.scheme].kind


def reach(layer: Layer) -> int:
    """How many tokens one sees directly, if that is a part of the text; else 0."""
    return layer.picks or layer.window


def _share(layer: Layer, longest: int) -> float:
    """How much of the model's longest text a token sees directly; 1 for a state, whose cell is striped."""
    if layer.sees in ("all", "state"):
        return 1.0
    return min(1.0, reach(layer) / longest)


def strip(model: Architecture) -> Strip:
    """The model's strip."""
    cells, total = [], len(model.layers)
    for n, layer in enumerate(model.layers, 1):
        what = "<br>".join(parts(layer, model.both_ways))
        told = _("{model}, layer {n} of {total}<br>{what}", model=model.name, n=n, total=total, what=what)
        cells.append(Cell(n, kind(layer), _share(layer, model.longest), told, layer.sees == "chunk", layer.sinks))
    size = _("{n} layers, both ways", n=total) if model.both_ways else _("{n} layers", n=total)
    widths = sorted({*map(reach, model.pattern)} - {0})
    if not widths:
        return Strip(model.name, cells, size)
    seen = _("{window} of {longest:,}", window=listed(map(numeral, widths)), longest=model.longest)
    return Strip(model.name, cells, _("{size}; sees {seen}", size=size, seen=seen))


def parts(layer: Layer, both_ways: bool) -> list[str]:
    """How the layer knows positions, what a token sees in it, and what else it has."""
    if layer.sees == "state":
        return [
            _("the text before is kept in a state of fixed size, which forgets as much as each token says"),
            _("this decay and a convolution over the last few tokens tell order"),
        ]
    found = [_positions(layer), _reach(layer, both_ways)]
    if layer.temperature:
        found.append(_("scores grow with the logarithm of the position from {n:,} on", n=layer.temperature))
    if layer.sinks:
        found.append(_("each head has a learned sink"))
    return found


def _positions(layer: Layer) -> str:
    if layer.scheme == "rope":
        return _rope(layer)
    if layer.scheme == "none":
        return _("no positions")
    title = translated(SCHEMES[layer.scheme].title)
    if SCHEMES[layer.scheme].kind == "add":
        return _("{scheme} positions, added below layer 1", scheme=title)
    return _("biases of {scheme}", scheme=title)


def _rope(layer: Layer) -> str:
    """RoPE, with its base, the share of the dimensions that it turns if not all, and the axes if there are several."""
    said = _("RoPE with base {base:,.0f}", base=layer.base) if layer.base else "RoPE"
    if layer.rotated:
        turned, of = layer.rotated
        said = _("{rope}, which turns {n} of the {of} dimensions of each head", rope=said, n=turned, of=of)
    if not layer.axes:
        return said
    pairs = listed(map(str, layer.axes))
    return _("{rope}, of {pairs} pairs of dimensions for time, height and width", rope=said, pairs=pairs)


def _reach(layer: Layer, both_ways: bool) -> str:
    if layer.sees == "near":
        return _("a token sees the last {n:,}, itself included", n=layer.window)
    if layer.sees == "chunk":
        return _("a token sees what came before in its chunk of {n:,}", n=layer.window)
    if layer.sees == "picks":
        return _("a token sees {n:,} of those before it, which an indexer picks by their content", n=layer.picks)
    return _("a token sees the whole text") if both_ways else _("a token sees itself and all before it")


def about_model(model: Architecture) -> Card:
    """How many of the model's layers have what."""
    total, found = len(model.layers), len(kinds(model.layers))
    if found == 1:
        title = _("{model}: all {total} layers are alike", model=model.name, total=total)
    else:
        title = _("{model}: {total} layers of {n} kinds", model=model.name, total=total, n=found)
    return Card(title, paragraph(_count(model, layer, n) for layer, n in kinds(model.layers).items()))


def _count(model: Architecture, layer: Layer, n: int) -> str:
    what, total = join_semicolons(parts(layer, model.both_ways)), len(model.layers)
    if n == total:
        return _("Each of them: {what}.", what=what)
    return _("{n} of {total}: {what}.", n=n, total=total, what=what)


def about_all(models: Sequence[Architecture]) -> list[Card]:
    """How many of the models mix, and how many leave positions out of some layers."""
    mixing = [model.name for model in models if len(kinds(model.layers)) > 1]
    without = [model.name for model in models if "none" in model.schemes]
    mixed = _("{n} of {total} models mix kinds of layers", n=len(mixing), total=len(models))
    alike = _("{models}. In the others all layers are alike.", models=listed(mixing))
    left = ngettext("{n} leaves positions out of some layers", "{n} leave positions out of some layers", len(without))
    told_by = _(
        "{models}. Order reaches these layers by the causal mask, and with what other layers pass on.",
        models=listed(without),
    )
    return [Card(mixed, alike), Card(left, told_by)]


def about_windows(model: Architecture) -> str:
    """How far the layers of a model reach together if all of them have one window, and which source says so."""
    n, window = len(model.layers), model.layers[0].window
    source = next(source for source, facts in model.sources if {"layers", "window"} <= set(facts))
    return _(
        "{model} has a window of {window:,} tokens in each of its {n} layers, which together can pass something on "
        "from at most {n} × {step:,} = {reach:,} tokens back ({source}).",
        model=model.name, window=window, n=n, step=window - 1, reach=n * (window - 1), source=source.partition(" ")[2],
    )  # fmt: skip


def alternative(models: Sequence[Architecture]) -> str:
    """The strips in words."""
    said = _("A strip for each model, with a cell for each layer, solid as far as a token sees its longest text.")
    return paragraph([said, *(each for c in map(about_model, models) for each in (full_stop(c.title), c.text))])


def legend() -> dict[str, str]:
    """What the legend calls each kind of layer."""
    return {name: translated(text) for name, text in LEGEND.items()}
