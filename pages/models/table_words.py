"""What the view "Which model has what" says: the cells of its rows, and what follows from all of them."""

from collections import Counter
from collections.abc import Sequence

from embedviz.base.i18n import N_, _, listed, ngettext, paragraph, translated
from embedviz.models.architectures import Architecture, Layer
from embedviz.positions import SCHEMES
from embedviz.ui.components.cards.cards import Card

NOT_STATED = "–"
_KINDS = {
    "add": N_("Added once"),
    "relative": N_("Vectors of distances"),
    "bias": N_("Bias on scores"),
    "rotate": "RoPE",
    "mixed": N_("RoPE, but none in some layers"),
    "none": N_("No positions"),
}


def columns() -> list[str]:
    """The names of the columns."""
    return [
        _("Model"),
        _("Year"),
        _("Scheme"),
        _("Base"),
        _("Scaling"),
        _("Trained on"),
        _("Extended to"),
        _("Window"),
        _("Layers"),
        _("Read from"),
    ]


NUMBERS = (1, 3, 5, 6, 7)  # the columns of numbers


def row(model: Architecture) -> list[str]:
    """A model's cells; what its sources do not state is a dash."""
    return [
        model.name,
        str(model.year),
        _schemes(model),
        _numbers(model.bases),
        _scaling(model),
        _numbers([model.trained] if model.trained else []),
        _numbers([model.extended] if model.extended else []),
        _numbers(model.windows),
        _layers(model),
        listed(_source(source) for source in model.sources),
    ]


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(f"{value:,.0f}" for value in values) or NOT_STATED


def _schemes(model: Architecture) -> str:
    """Its schemes; where RoPE turns only a share of a head's dimensions, this share."""
    return listed(_rope(model) if name == "rope" else title(name) for name in model.schemes)


def _rope(model: Architecture) -> str:
    shares = {layer.rotated for layer in model.pattern if layer.scheme == "rope"}
    share = min(shares)
    if share == 1:
        return title("rope")
    if len(shares) > 1:
        return _("{scheme}, {share:.0%} of a head in some layers", scheme=title("rope"), share=share)
    return _("{scheme}, {share:.0%} of a head", scheme=title("rope"), share=share)


def title(scheme: str) -> str:
    """The name of a scheme on the screen."""
    return translated(SCHEMES[scheme].title)


def _scaling(model: Architecture) -> str:
    if not model.scaling:
        return NOT_STATED
    return f"{model.scaling} × {model.factor:g}" if model.factor else model.scaling


def _layers(model: Architecture) -> str:
    """How many layers of those that are repeated are of each kind, and the directions."""
    counts = Counter(_kind(layer, model) for layer in model.pattern)
    said = [_("all: {what}", what=next(iter(counts)))]
    if len(counts) > 1:
        total = len(model.pattern)
        said = [_("{n} of {total}: {what}", n=n, total=total, what=what) for what, n in counts.items()]
    if len(model.stacks) > 1:
        said.append(_("encoder both ways"))
    elif model.both_ways:
        said.append(_("both ways"))
    return "; ".join(said)


def _kind(layer: Layer, model: Architecture) -> str:
    seen = {"all": _("whole text"), "near": _("near"), "chunk": _("chunk"), "state": _("linear")}[layer.sees]
    parts = [seen]
    if layer.scheme == "none" and layer.sees != "state" and len(set(model.pattern)) > 1:
        parts.append(_("no positions"))
    if layer.sinks:
        parts.append(_("sinks"))
    return listed(parts)


def _source(source: str) -> str:
    """A file of transformers by its name; all others as they are."""
    return source.rpartition("/")[2] if source.startswith("models/") else source


def about(models: Sequence[Architecture]) -> list[Card]:
    """What follows from the rows that are shown: how many rotate, how large bases are, how many mix their layers."""
    return [_about_rope(models), *_about_bases(models), _about_mixing(models)]


def _about_rope(models: Sequence[Architecture]) -> Card:
    n = sum("rope" in model.schemes for model in models)
    said = _("These have RoPE in some of their layers or in all of them.") if n else _("None of them has RoPE.")
    return Card(_("{n} of {total} rotate", n=n, total=len(models)), said)


def _about_bases(models: Sequence[Architecture]) -> list[Card]:
    bases = {base: model for model in reversed(models) for base in model.bases}
    if not bases:
        return []
    low, high = min(bases), max(bases)
    if low == high:
        said = _("For example, that of {model}.", model=bases[low].name)
        return [Card(_("All stated bases are {base:,.0f}", base=low), said)]
    return [
        Card(
            _("Bases from {low:,.0f} to {high:,.0f}", low=low, high=high),
            _("The smallest is that of {first}, for example, the largest that of {last}.", first=bases[low].name,
              last=bases[high].name),
        )
    ]  # fmt: skip


def _about_mixing(models: Sequence[Architecture]) -> Card:
    mixing = sum(len(set(model.pattern)) > 1 for model in models)
    without = sum("none" in model.schemes for model in models)
    if not mixing:
        title = _("No model mixes its layers")
    else:
        title = ngettext("{n} mixes its layers", "{n} mix their layers", mixing)
    if not without:
        return Card(title, _("In all of these models, every layer that looks at tokens has positions."))
    said = ngettext(
        "In {n} of these models, some layers look at tokens without any positions.",
        "In {n} of these models, some layers look at tokens without any positions.",
        without,
    )
    return Card(title, said)


def by_year(models: Sequence[Architecture]) -> tuple[list[tuple[int, str, str]], dict[str, str]]:
    """What the figure of all years is drawn from: each model's year, kind and name, and the names of the kinds."""
    words = {kind: translated(text) for kind, text in _KINDS.items()}
    return [(model.year, _kind_of(model), model.name) for model in models], words


def _kind_of(model: Architecture) -> str:
    found = {SCHEMES[scheme].kind for scheme in model.schemes}
    return found.pop() if len(found) == 1 else "mixed"


def alternative(models: Sequence[Architecture]) -> str:
    """The bars in words."""
    counts = Counter((model.year, _kind_of(model)) for model in models)
    said = (f"{year}: {translated(_KINDS[kind])} {n}." for (year, kind), n in sorted(counts.items()))
    return paragraph([_("How many models of each year have which positions."), *said])


def legend() -> str:
    """What the columns mean."""
    return _(
        "Models that are equal in what the rows are sorted by stand in the order of their names. Lengths and "
        "windows are in tokens. {dash} means that it has none, or that nothing in the last column states "
        "it. Files are those of transformers if no repository is named; “near” is a sliding window, “linear” a layer "
        "with a state of fixed size, and counts are those of the layers that repeat.",
        dash=NOT_STATED,
    )
