"""The view "Which one" of the page "Relative": all position schemes side by side in one table."""

from embedviz import ui
from embedviz.base.i18n import N_, _, counted, listed, some, translated
from embedviz.models.architectures import ARCHITECTURES
from embedviz.positions import SCHEMES
from embedviz.positions.reach import State
from embedviz.positions.scheme import GPT2, Scheme
from embedviz.programs import relative as export
from embedviz.ui import Card, presenting
from pages.relative import words

_PAST = {  # what a scheme has past the lengths of its training; True: the row of its table for all that is far
    State.MISSING: N_("error"),
    State.FORMULA: N_("new values"),
    State.UNTOLD: N_("nothing told"),
    True: N_("last row"),
}
# What becomes of a phrase's scores later in a text, by scheme or by kind; the others keep them.
_LATER = {"sinusoidal": N_("other scores; the shift is a rotation"), "add": N_("other scores")}
_SHORT = 5  # columns that have room in a hall
_MOST_NAMED = 2  # models


def schemes(_page: ui.Frame) -> None:
    """What each scheme changes, what it does to a phrase and to long texts, what it costs, and who has it."""
    in_a_hall = presenting.is_on()
    if not in_a_hall:
        ui.cards(rules_of_thumb(), key="rules")
    columns = [
        _("Scheme"), _("Changes"), _("Phrase, later"), _("Past training"), _("Learns"),
        *((_("Used by"), _("Paper"), _("See it")) if not in_a_hall else ()),
    ]  # fmt: skip
    rows = [_row(scheme)[: _SHORT if in_a_hall else None] for scheme in SCHEMES.values()]
    tones = [["", "", *_tones(scheme)] for scheme in SCHEMES.values()]
    links = None if in_a_hall else [[scheme.seen_in] for scheme in SCHEMES.values()]
    with ui.slide(brief=True):
        ui.table(
            columns, rows, key="schemes", label=_("Schemes"), numbers=(4,), links=links, here="relative", tones=tones
        )
    ui.aside(_what_costs_say())
    ui.program(export.pytorch_costs(GPT2), _("Parameters of the schemes"), height=380)


def _row(scheme: Scheme) -> list[str]:
    past = _PAST[True if callable(scheme.reach) else scheme.reach]
    return [
        words.title(scheme.name),
        translated(words.CHANGES[scheme.kind]),
        translated(
            _LATER.get("" if presenting.is_on() else scheme.name) or _LATER.get(scheme.kind) or N_("same scores")
        ),
        translated(past),
        counted(scheme.n_learned(GPT2)),
        _used_by(scheme.name),
        scheme.paper,
    ]


def _tones(scheme: Scheme) -> tuple[str, str]:
    """Whether a phrase keeps its scores, and whether the scheme ends with the table that was trained."""
    later, past = scheme.kind == "add", scheme.reach is State.MISSING
    return "different" if later else "same", "different" if past else ""


def _used_by(name: str) -> str:
    """The first models that have the scheme in any of their layers."""
    models = sorted((model for model in ARCHITECTURES.values() if name in model.schemes), key=lambda each: each.year)
    return some([model.name for model in models], _MOST_NAMED) or "–"


def _what_costs_say() -> str:
    """What the numbers count, and which of them a model pays once for all its layers."""
    once = listed(words.title(name) for name, scheme in SCHEMES.items() if scheme.learns(GPT2).once)
    return _(
        "Learns: the numbers that a scheme adds to a model of {n_layers} layers, {n_dims} dimensions and {n_heads} "
        "heads, the sizes of GPT-2. Once for all layers: {once}. All else is counted in every layer. A phrase’s scores "
        "are those between its own tokens, in the first layer.",
        n_layers=GPT2.n_layers,
        n_dims=GPT2.output_dim,
        n_heads=GPT2.n_heads,
        once=once,
    )


def rules_of_thumb() -> list[Card]:
    """When to choose which."""
    absolute = _(
        "If no text is ever longer than those in training, and places themselves mean something, a learned table is "
        "the simplest choice."
    )
    relative = _(
        "If a phrase should mean the same wherever it stands, tell distances. Most models of today take RoPE. To read "
        "beyond the trained length it needs scaling, as a rule with more training."
    )
    neither = _(
        "A causal mask brings order in too, so Llama 4 and SmolLM3 leave positions out of every fourth layer. Without "
        "a mask, positions must be told."
    )
    return [
        Card(_("Absolute, if texts have a known length"), absolute),
        Card(_("Relative, if texts may grow"), relative),
        Card(_("Neither, in some of the layers"), neither),
    ]
