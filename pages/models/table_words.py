"""What the page "Models" says of all models: the cells of their rows, and what follows from all of them."""

import re
from collections import Counter
from collections.abc import Sequence

from embedviz.base.i18n import N_, _, join_semicolons, listed, numeral, paragraph, translated
from embedviz.models.architectures import Architecture, Layer
from embedviz.positions import SCHEMES
from embedviz.ui.components.cards.cards import Card
from pages.models.ideas import Idea

NOT_STATED = "–"
_TIED, _MAY_BREAK = "\u202f", "\u200b"  # a space at which no line ends, and a place where one may
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_KNOWN = {
    "config": N_("configuration"),
    "report": N_("report"),
    "code": N_("code"),
    "tuned": N_("configuration of a model tuned from it"),
}
_SEEN_IN = {
    # Translators: What a layer sees, in a cell of a table: a window around each token.
    "near": N_("near"), "all": N_("whole text"), "chunk": N_("chunk"), "picks": N_("picked"), "state": N_("state"),
}  # fmt: skip


def columns() -> list[str]:
    """The names of the columns."""
    return [
        _("Model"), _("Year"), _("Scheme"), _("Base"), _("Scaling"), _("Trained on"), _("Later"), _("Claimed"),
        _("Window"), _("Layers"), _("Read from"),
    ]  # fmt: skip


NUMBERS = (1, 3, 5, 6, 7, 8)  # the columns of numbers


def row(model: Architecture | Idea) -> list[str]:
    """The cells of a model or an idea, each with the numbers of its sources; what no source states is a dash."""
    if isinstance(model, Idea):
        dashes = [NOT_STATED] * (len(columns()) - 4)
        return [model.name, f"{model.year}{_TIED}¹", f"{translated(model.scheme)}{_TIED}¹", *dashes, sources(model)]
    cells = [
        (str(model.year), ("year",)),
        (_schemes(model), ("layers", *(("rotated",) if "rope" in model.schemes else ()), "more")),
        (numbers(model.bases), ("base",)),
        (scaling(model), ("scaling",)),
        (numbers([model.trained]), ("trained",)),
        (numbers([model.later]), ("later",)),
        (numbers([model.claimed]), ("claimed",)),
        (numbers(model.windows), ("window",)),
        (_layers(model), ("layers", "more")),
    ]
    return [model.name, *(_cell(model, text, facts) for text, facts in cells), sources(model)]


def _cell(model: Architecture, text: str, facts: Sequence[str]) -> str:
    """A text with the numbers of the sources that state it, small and raised."""
    if not text:
        return NOT_STATED
    found = sorted({n for fact in facts for n in model.read_in(fact)})
    return f"{text}{_TIED}{_TIED.join(str(n).translate(_RAISED) for n in found)}"


def sources(model: Architecture | Idea) -> str:
    """The sources of a row, numbered as its cells name them, and how each of them makes a fact known."""
    found = []
    for n, (source, _facts) in enumerate(model.sources, 1):
        how, _space, where = source.partition(" ")
        parts = re.sub("([/_:])", rf"\1{_MAY_BREAK}", where)  # a path is longer than its column is wide
        found.append(_("{n} {how}: {where}", n=str(n).translate(_RAISED), how=translated(_KNOWN[how]), where=parts))
    return join_semicolons(found)


def numbers(values: Sequence[float]) -> str:
    """Numbers in a row, without those that no source states."""
    return listed(numeral(value, ",.0f") for value in values if value)


def _schemes(model: Architecture) -> str:
    """What tells order: its schemes, the decay of states, convolutions, and what joins at the end."""
    found = [_rope(model) if name == "rope" else title(name) for name in model.schemes]
    if any(layer.decay for layer in model.pattern):
        found.append(_("decay of states"))
    if any(layer.convolved for layer in model.pattern):
        found.append(_("short convolutions"))
    if model.at_output:
        found.append(_("{scheme} at the output", scheme=title(model.at_output)))
    return listed(found)


def _rope(model: Architecture) -> str:
    layers = [layer for layer in model.pattern if layer.scheme == "rope"]
    said = _("{scheme} in time, height and width", scheme=title("rope")) if layers[0].axes else title("rope")
    partly = [layer for layer in layers if layer.rotated]
    if not partly:
        return said
    turned, of = partly[0].rotated
    if len(partly) < len(layers):
        return _("{scheme}, {n} of {of} in some layers", scheme=said, n=turned, of=of)
    return _("{scheme}, {n} of {of}", scheme=said, n=turned, of=of)


def title(scheme: str) -> str:
    """The name of a scheme on the screen."""
    return translated(SCHEMES[scheme].title)


def scaling(model: Architecture) -> str:
    """The rule, how far it stretches, and whether one has to switch it on."""
    if not model.scaling:
        return ""
    rule, factor = model.scaling.rule, model.scaling.factor
    said = f"{rule} × {numeral(factor, 'g')}" if factor else rule
    return said if model.scaling.shipped else _("{scaling}, optional", scaling=said)


def _layers(model: Architecture) -> str:
    """How many layers are of each kind, and the directions. Without a size, the kinds that repeat are counted."""
    layers = model.layers or model.pattern
    counts = Counter(_kind(layer, model) for layer in layers)
    what = next(iter(counts))
    said = [_("all {n}: {what}", n=len(layers), what=what) if model.layers else _("all: {what}", what=what)]
    if len(counts) > 1:
        said = [_("{n} of {total}: {what}", n=n, total=len(layers), what=what) for what, n in counts.items()]
    if len(model.stacks) > 1:
        said.append(_("encoder both ways"))
    elif model.both_ways:
        said.append(_("both ways"))
    return join_semicolons(said)


def _kind(layer: Layer, model: Architecture) -> str:
    parts = [translated(_SEEN_IN[layer.sees])]
    if layer.picks:
        parts = [_("{n:,} picked", n=layer.picks)]
    if layer.pooled:
        parts.append(_("pools of {n}", n=layer.pooled))
    if layer.scheme == "none" and len(set(model.pattern)) > 1:
        parts.append(_("no positions"))
    if layer.decay and layer.sees != "state":
        parts.append(_("and a state"))
    found = {_("marked tokens"): layer.marked, _("sinks"): layer.sinks, _("temperature"): layer.temperature}
    return listed([*parts, *(word for word, has in found.items() if has)])


def about(models: Sequence[Architecture]) -> list[Card]:
    """How many of the models have RoPE, and how many leave positions out."""
    rotating, kinds = sum("rope" in model.schemes for model in models), Counter(map(_kind_of, models))
    some_ = _("In {n} of these, some layers look at tokens without any positions.", n=kinds["mixed"])
    all_ = _("Models without positions in any layer of attention: {n}.", n=kinds["none"])
    said = [text for kind, text in (("mixed", some_), ("none", all_)) if kinds[kind]]
    return [Card(_("{n} of {total} models have RoPE", n=rotating, total=len(models)), paragraph(said))]


def _kind_of(model: Architecture) -> str:
    found = {SCHEMES[scheme].kind for scheme in model.schemes}
    return found.pop() if len(found) == 1 else "mixed"


def legend() -> str:
    """What the columns mean."""
    return _(
        "The small numbers say which source states a cell, and {dash} means that none does, or that there is nothing "
        "to state. Year: that of the release. Scheme: “64 of 512” are the dimensions of a head that RoPE turns; a "
        "sentence is a proposal that no model here has, as far as we know. The decay of states and short convolutions, "
        "over the last few tokens, tell order too. "
        "Trained on: tokens in the texts of the main training. Later: in the longest texts of later training. Claimed: "
        "in the longest texts that its makers say it reads, if need be with the scaling; “optional” is what whoever "
        "runs the model has to switch on. Window: how wide the band is that a token sees in some layers, with itself; "
        "in models that see both ways, half of it lies on each side. Layers: “near” is such a window, “state” a state "
        "of fixed size in which the text before is kept, “picked” what a small indexer picks by content.",
        dash=NOT_STATED,
    )
