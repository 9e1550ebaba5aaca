"""What a model's layers are in words: every sentence follows from its record."""

from collections.abc import Sequence

from embedviz.base.i18n import N_, _, counted, full_stop, listed, ngettext, paragraph, series, translated
from embedviz.figures.schemes.layer_strips import Cell, Strip
from embedviz.models.architectures import Architecture, Layer, Stack, kinds
from embedviz.positions import SCHEMES
from embedviz.ui.components.cards.cards import Card

LEGEND = {
    "add": N_("Learned, added once"),
    "rotate": "RoPE",
    "bias": N_("Bias on scores"),
    "relative": N_("Vectors of distances"),
    "none": N_("No positions"),
    "state": N_("Linear: a state"),
    "chunk": N_("{kind}, in chunks"),
    "sinks": N_("Learned sinks"),
}
_DECAYS = {
    "fixed": N_("a state of fixed size, which forgets at a pace that is fixed for each head: this decay tells order"),
    "gated": N_("a state of fixed size, which forgets as much as each token says: this decay tells order"),
}


def kind(layer: Layer) -> str:
    """The kind of cell that stands for a layer."""
    return "state" if layer.sees == "state" else SCHEMES[layer.scheme].kind


def reach(layer: Layer) -> int:
    """How many tokens one sees directly, if that is a part of the text; else 0."""
    return layer.picks * max(layer.pooled, 1) + layer.beside if layer.picks else layer.window


def _share(layer: Layer, longest: int) -> float:
    """How much of the model's longest text a token sees directly; 1 for a state, whose cell is striped."""
    if layer.sees in ("all", "state"):
        return 1.0
    return min(1.0, reach(layer) / longest) if longest else 0.0


def strip(model: Architecture) -> Strip:
    """The model's strip, with a gap between the encoder and the decoder."""
    cells, at = [], 1
    for stack in model.stacks:
        for n, layer in enumerate(stack.layers, 1):
            told = _(
                "{model}, layer {n} of {total}<br>{what}",
                model=model.name, n=n, total=stack.number, what="<br>".join(parts(layer, stack.both_ways)),
            )  # fmt: skip
            share = _share(layer, model.longest)
            cells.append(Cell(at, kind(layer), share, told, layer.sees == "chunk", layer.sinks))
            at += 1
        at += 1
    n, size = len(model.layers), _size(model, len(model.layers))
    widths = sorted({*map(reach, model.pattern)} - {0})
    if not widths:
        return Strip(model.name, cells, size, _("{n} layers", n=n))
    seen = _("{window} of {longest:,}", window=listed(map(counted, widths)), longest=model.longest)
    return Strip(model.name, cells, _("{size}; sees {seen}", size=size, seen=seen), _("sees {seen}", seen=seen))


def _size(model: Architecture, n: int) -> str:
    if len(model.stacks) > 1:
        encoder, decoder = (stack.number for stack in model.stacks)
        return _("encoder of {n}, both ways; decoder of {m}", n=encoder, m=decoder)
    return _("{n} layers, both ways", n=n) if model.both_ways else _("{n} layers", n=n)


def parts(layer: Layer, both_ways: bool) -> list[str]:
    """How the layer knows positions, what a token sees in it, and what else it has."""
    if layer.sees == "state":
        return [_("linear attention"), translated(_DECAYS[layer.decay])]
    found = [_positions(layer), _seen(layer, both_ways)]
    if layer.temperature:
        found.append(_("scores grow with the logarithm of the position from {n:,} on", n=layer.temperature))
    if layer.sinks:
        found.append(_("each head has a learned sink"))
    if layer.decay:
        found.append(_("beside {state}", state=translated(_DECAYS[layer.decay])))
    return found


def _positions(layer: Layer) -> str:
    if layer.scheme == "rope":
        return _rope(layer)
    if layer.scheme == "none":
        return _("no positions")
    title = translated(SCHEMES[layer.scheme].title)
    if SCHEMES[layer.scheme].kind == "add":
        return _("{scheme} positions, added below layer 1", scheme=title)
    if SCHEMES[layer.scheme].kind == "bias":
        return _("biases of {scheme}", scheme=title)
    return _("vectors of distances ({scheme})", scheme=title)


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


def _seen(layer: Layer, both_ways: bool) -> str:
    if layer.sees == "near":
        if not layer.window:
            said = _("a token sees only what is near")
        elif both_ways:
            said = _("a token sees {n:,} on each side", n=layer.window // 2)
        else:
            said = _("a token sees the last {n:,}, itself included", n=layer.window)
        return _("{seen}, and marked tokens see all and are seen by all", seen=said) if layer.marked else said
    if layer.sees == "chunk":
        return _("a token sees what came before in its chunk of {n:,}", n=layer.window)
    if layer.pooled:
        pools = {"last": _("the last {n:,} tokens", n=layer.beside), "size": layer.pooled}
        if layer.sees == "picks":
            return _("a token sees {last}, and {n:,} pools of {size}, picked by content", n=layer.picks, **pools)
        return _("a token sees {last}, and all text in pools of {size}", **pools)
    if layer.sees == "picks":
        return _("a token sees {n:,} of those before it, which an indexer picks by their content", n=layer.picks)
    return _("a token sees the whole text") if both_ways else _("a token sees itself and all before it")


def about_model(model: Architecture) -> Card:
    """How many of the model's layers have what."""
    total, found = len(model.layers), len(kinds(model.layers))
    if not total:
        title = _("{model}: its sources name no size", model=model.name)
    elif found == 1:
        title = _("{model}: all {total} layers are alike", model=model.name, total=total)
    else:
        title = _("{model}: {total} layers of {n} kinds", model=model.name, total=total, n=found)
    counts = [(layer, stack, n) for stack in model.stacks for layer, n in kinds(stack.layers or stack.pattern).items()]
    return Card(title, paragraph(_count(model, layer, stack, n) for layer, stack, n in counts))


def _count(model: Architecture, layer: Layer, stack: Stack, n: int) -> str:
    what, total = series(parts(layer, stack.both_ways)), len(model.layers)
    if n == total or not total:
        return _("Each of them: {what}.", what=what)
    if len(model.stacks) == 1:
        return _("{n} of {total}: {what}.", n=n, total=total, what=what)
    if stack is model.stacks[0]:
        return _("{n} of {total}, in the encoder: {what}.", n=n, total=total, what=what)
    return _("{n} of {total}, in the decoder: {what}.", n=n, total=total, what=what)


def about_all(models: Sequence[Architecture]) -> list[Card]:
    """How many of the models mix, and how many leave positions out of some layers."""
    mixing = [model.name for model in models if len(kinds(model.layers)) > 1]
    without = [model.name for model in models if "none" in model.schemes]
    mixed = _("{n} of {total} models mix their layers", n=len(mixing), total=len(models))
    alike = _("{models}. In the others all layers are alike.", models=listed(mixing))
    left = ngettext("{n} leaves positions out of some layers", "{n} leave positions out of some layers", len(without))
    told_by = _(
        "{models}. Order reaches these layers by the causal mask, and with what other layers pass on.",
        models=listed(without),
    )
    return [Card(mixed, alike), Card(left, told_by)]


def alternative(models: Sequence[Architecture]) -> str:
    """The strips in words."""
    said = _("A strip for each model, with a cell for each layer, solid as far as a token sees its longest text.")
    return paragraph([said, *(each for c in map(about_model, models) for each in (full_stop(c.title), c.text))])


def legend() -> dict[str, str]:
    """What the legend calls each kind of layer."""
    return {name: translated(text) for name, text in LEGEND.items()}
