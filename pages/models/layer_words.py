"""What the view "Layer by layer" says: every sentence follows from a model's layers."""

from collections.abc import Sequence

from embedviz.base.i18n import N_, _, listed, ngettext, paragraph, translated
from embedviz.figures.schemes.layer_strips import Cell, Strip
from embedviz.models.architectures import Architecture, Layer, Stack, kinds
from embedviz.positions import SCHEMES
from embedviz.ui.components.cards.cards import Card

LEGEND = {
    "add": N_("Learned, added once"),
    "rotate": "RoPE",
    "bias": N_("Bias on scores"),
    "none": N_("No positions"),
    "state": N_("Linear attention"),
    "chunk": N_("{kind}, in chunks"),
    "sinks": N_("Learned sinks"),
}


def kind(layer: Layer) -> str:
    """The kind of cell that stands for a layer."""
    return "state" if layer.sees == "state" else SCHEMES[layer.scheme].kind


def strip(model: Architecture) -> Strip:
    """The model's strip, with a gap between the encoder and the decoder."""
    cells, at = [], 1
    for stack in model.stacks:
        for n, layer in enumerate(stack.layers, 1):
            told = _(
                "{model}, layer {n} of {total}<br>{what}",
                model=model.name, n=n, total=stack.n_layers, what="<br>".join(_parts(layer, stack.both_ways)),
            )  # fmt: skip
            cells.append(Cell(at, kind(layer), layer.window, told, layer.sees == "chunk", layer.sinks))
            at += 1
        at += 1
    n = len(model.layers)
    if not model.windows:
        return Strip(model.name, cells, _size(model, n), f"{n}")
    window = ", ".join(f"{window:,}" for window in model.windows)
    return Strip(
        model.name, cells,
        _("{size}; low: {window} tokens", size=_size(model, n), window=window), _("low: {window}", window=window),
    )  # fmt: skip


def _size(model: Architecture, n: int) -> str:
    if len(model.stacks) > 1:
        encoder, decoder = (stack.n_layers for stack in model.stacks)
        return _("encoder of {n}, both ways; decoder of {m}", n=encoder, m=decoder)
    return _("{n} layers, both ways", n=n) if model.both_ways else _("{n} layers", n=n)


def _parts(layer: Layer, both_ways: bool) -> list[str]:
    """How the layer knows positions, what a token sees in it, and its sinks."""
    parts = [_positions(layer), _seen(layer, both_ways)]
    if layer.sinks:
        parts.append(_("each head has a learned sink"))
    return parts


def _positions(layer: Layer) -> str:
    if layer.sees == "state":
        return _("linear attention, which reads the tokens in order")
    if layer.scheme == "rope":
        return _rope(layer)
    if layer.scheme == "none":
        return _("no positions")
    if SCHEMES[layer.scheme].kind == "add":
        return _("learned positions, added below layer 1")
    return _("biases of {scheme}", scheme=translated(SCHEMES[layer.scheme].title))


def _rope(layer: Layer) -> str:
    """RoPE, with its base and with the share of the dimensions that it turns if that is not all of them."""
    said = _("RoPE with base {base:,.0f}", base=layer.base) if layer.base else "RoPE"
    if layer.rotated == 1:
        return said
    return _("{rope}, which turns {share:.0%} of each head", rope=said, share=layer.rotated)


def _seen(layer: Layer, both_ways: bool) -> str:
    if layer.sees == "state":
        return _("a token sees a state of fixed size")
    if layer.sees == "near":
        return _("a token sees the last {n:,}, itself included", n=layer.window)
    if layer.sees == "chunk":
        return _("a token sees what came before in its chunk of {n:,}", n=layer.window)
    return _("a token sees the whole text") if both_ways else _("a token sees itself and all before it")


def about_model(model: Architecture) -> Card:
    """How many of the model's layers have what."""
    total, found = len(model.layers), len(kinds(model.layers))
    counts = [(layer, stack, n) for stack in model.stacks for layer, n in kinds(stack.layers).items()]
    if found == 1:
        title = _("{model}: all {total} layers are alike", model=model.name, total=total)
    else:
        title = _("{model}: {total} layers of {n} kinds", model=model.name, total=total, n=found)
    return Card(title, paragraph(_count(model, layer, stack, n) for layer, stack, n in counts))


def _count(model: Architecture, layer: Layer, stack: Stack, n: int) -> str:
    what, total = "; ".join(_parts(layer, stack.both_ways)), len(model.layers)
    if n == total:
        return _("Each of them: {what}.", what=what)
    if len(model.stacks) == 1:
        return _("{n} of {total}: {what}.", n=n, total=total, what=what)
    if stack is model.stacks[0]:
        return _("{n} of {total}, in the encoder: {what}.", n=n, total=total, what=what)
    return _("{n} of {total}, in the decoder: {what}.", n=n, total=total, what=what)


def origin(model: Architecture) -> str:
    """Which size is drawn, by the configuration that has it."""
    size = ", ".join(f"{name}={value}" for name, value in model.size)
    return _(
        "Each model is drawn in one of its sizes, {model} in that of {config}({size}) in transformers. Encoders see "
        "both ways, all others only what came before.",
        model=model.name,
        config=model.config,
        size=size,
    )


def about_all(models: Sequence[Architecture]) -> list[Card]:
    """How many of the models mix, and how many leave positions out of some layers."""
    mixing = [model.name for model in models if len(kinds(model.layers)) > 1]
    without = [model.name for model in models if "none" in model.schemes]
    return [
        Card(
            _("{n} of {total} models mix their layers", n=len(mixing), total=len(models)),
            _("{models}. In the others all layers are alike.", models=listed(mixing)),
        ),
        Card(
            ngettext("{n} leaves positions out of some layers", "{n} leave positions out of some layers", len(without)),
            _(
                "{models}. Order reaches these layers by the causal mask, and with what other layers pass on.",
                models=listed(without),
            ),
        ),
    ]


def alternative(models: Sequence[Architecture]) -> str:
    """The strips in words."""
    return paragraph(
        [_("A strip for each model, with a cell for each layer, low if it sees a window."), *map(_in_words, models)]
    )


def _in_words(model: Architecture) -> str:
    found = "; ".join(
        _("{n} with {what}", n=n, what=listed(_parts(layer, stack.both_ways)))
        for stack in model.stacks
        for layer, n in kinds(stack.layers).items()
    )
    return _("{model}, {total} layers: {found}.", model=model.name, total=len(model.layers), found=found)


def program_note() -> str:
    """What the programs of this page need."""
    return _("This program reads the configuration classes of the transformers library, so it needs that library.")
