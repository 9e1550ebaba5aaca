"""The table below the view "How far": all position schemes side by side, and when to choose which."""

from embedviz import ui
from embedviz.base.i18n import N_, _, first_and_more, listed, numeral, paragraph, translated
from embedviz.models.architectures import ARCHITECTURES
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import GPT2, Scheme
from pages.relative import words

_CHANGES = {  # by the kind of a scheme
    "none": N_("changes nothing"),
    "add": N_("adds a vector"),
    "rotate": N_("turns q and k"),
    "bias": N_("score + a number"),
    "relative": N_("score + vectors"),
}
_PAST = {"ends": N_("error"), "formula": N_("new values"), "nothing": N_("nothing told"), "last row": N_("last row")}
_MOST_NAMED = 2  # models


def table_of_schemes() -> None:
    """What each scheme changes, what it has in longer texts, what a model learns for it, and who has it."""
    columns = [
        _("Scheme"), _("Changes"), _("Past training"), _("Learns"), _("Used by"), _("Paper"), _("See it"),
    ]  # fmt: skip
    rows = [_row(scheme) for scheme in SCHEMES.values()]
    tones = [["", "", "different" if scheme.past_training == "ends" else ""] for scheme in SCHEMES.values()]
    links = [[scheme.seen_in] for scheme in SCHEMES.values()]
    ui.table(columns, rows, key="schemes", label=_("Schemes"), numbers=(3,), links=links, page="relative", tones=tones)
    ui.reader_caption(paragraph([*which_one(), _what_costs_say()]))


def _row(scheme: Scheme) -> list[str]:
    return [
        words.title(scheme.name),
        translated(_CHANGES[scheme.kind]),
        translated(_PAST[scheme.past_training]),
        numeral(scheme.n_learned(GPT2)),
        _used_by(scheme.name),
        scheme.paper,
    ]


def _used_by(name: str) -> str:
    """The first models that have the scheme in any of their layers."""
    models = sorted((model for model in ARCHITECTURES.values() if name in model.schemes), key=lambda each: each.year)
    return first_and_more([model.name for model in models], _MOST_NAMED) or "–"


def which_one() -> list[str]:
    """When to choose an absolute scheme, when a relative one, and when none."""
    return [
        _("If no text is ever longer than those in training, and places themselves mean something, a learned table is "
          "the simplest choice."),
        _("Most models of today take RoPE. To read beyond the trained length it needs scaling, as a rule with more "
          "training."),
        _("A causal mask brings order in too, so Llama 4 and SmolLM3 leave positions out of every fourth layer. "
          "Without a mask, positions must be told."),
    ]  # fmt: skip


def _what_costs_say() -> str:
    """What the numbers count, and which of them a model pays once for all its layers."""
    once = listed(words.title(name) for name, scheme in SCHEMES.items() if scheme.learns(GPT2).once)
    return _(
        "Learns: the numbers that a scheme adds to a model of {n_layers} layers, {n_dims} dimensions and {n_heads} "
        "heads, the sizes of GPT-2. Once for all layers: {once}. All else is counted in every layer.",
        n_layers=GPT2.n_layers,
        n_dims=GPT2.output_dim,
        n_heads=GPT2.n_heads,
        once=once,
    )
