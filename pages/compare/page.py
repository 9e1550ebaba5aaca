"""Compare: where does word order enter?"""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.text.samples import pairs
from embedviz.text.tokens import Tokens
from embedviz.ui import alt_text, controls, presenting, sentences
from embedviz.ui.fields import literal, view_of
from embedviz.ui.messages import stop_at_error
from embedviz.vectors.comparison import compare
from embedviz.vectors.copies import Copies
from embedviz.vectors.spec import Spec
from pages.compare import reorder
from pages.compare.proof import counts, findings, nothing_added
from pages.compare.views import VIEWS

_FIRST = ("16", "32", "64", "all")  # numbers of a vector


@ui.part
def comparison_of(settings: dict[str, object]) -> None:
    """Both sentences and all that follows from them."""
    columns = left, right, ready, tour = st.columns([3, 3, 1.6, 1.1], vertical_alignment="bottom")
    texts = sentences.sentence(left, "A", pairs()[0].a), sentences.sentence(right, "B", pairs()[0].b)
    with ready:
        sentences.pair_picker((*texts, settings["prefix_space"]))
    with tour:
        sentences.tour_link()
    spec = sentences.spec_or_message(settings, *texts)
    tokens = sentences.tokens(columns[:2], texts, spec)
    with st.container(gap="xsmall"), stop_at_error(spec.source):
        found = found_or_tokens(tokens, texts, settings, spec)
    (projected if presenting.is_on() else read)(found, hero(found))


def found_or_tokens(tokens: list[Tokens], texts: tuple[str, str], settings: dict[str, object], spec: Spec) -> Copies:
    """Show the sentences and what is the same in them; the tokens alone, whatever is wrong with their vectors."""
    found = None
    try:
        if any(each.ids for each in tokens):
            found = Copies(compare(*sentences.embedded(*tokens, spec)))
    finally:
        sentences_in_order(tokens, texts, settings, found)
    return found or st.stop()


def sentences_in_order(
    tokens: list[Tokens], texts: tuple[str, str], settings: dict[str, object], found: Copies | None
) -> None:
    """The sentences with lines between copies, the counts if there are any, and what the last move changed."""
    found_pairs = found.pairs if found else []
    after = found.comparison.after.same if found else None
    ui.order(
        tokens,
        found_pairs,
        counts(found) if found else [],
        key="order",
        alt=alt_text.order(found) if found else "",
        same_after=[bool(after[pair]) for pair in found_pairs],
        can_undo=reorder.can_undo(),
        turn=reorder.turn(),
        on_move=partial(reorder.moved, "order", tokens[1], settings),
        on_press=partial(reorder.pressed, "order", texts, tokens[1], settings),
    )
    if words := reorder.said():
        st.info(literal(words), icon=":material/swap_horiz:")


def hero(found: Copies) -> int | None:
    """The slider that adds positions in the browser, if there are any; how many numbers of each vector are shown."""
    slider, choice = st.columns([2.5, 1], vertical_alignment="center")
    if not nothing_added(found.comparison.a.spec):
        with slider:
            ui.amount()
    if not found.pairs:
        return None
    with choice:
        n_numbers = view_of(_("Numbers of each vector"), _FIRST, key="first", default="32")
    return None if n_numbers == "all" else int(n_numbers)


def read(found: Copies, n_numbers: int | None) -> None:
    """The strips of all pairs, what else there is to say, and one of the views."""
    if found.pairs:
        ui.pair_strips(found, n_numbers, key="strips")
    ui.cards(findings(found.comparison), key="findings")
    view, option = chosen_view()
    VIEWS[view](found.comparison, option)


def projected(found: Copies, n_numbers: int | None) -> None:
    """One screen: the strips and the map side by side, or the view that the address names."""
    view, option = chosen_view()
    if view in ("distances", "numbers") or not found.pairs:
        VIEWS[view](found.comparison, option)
        return
    left, right = st.columns(2) if view == "map" else (st.container(), None)
    with left:
        ui.pair_strips(found, n_numbers, key="strips")
    if right:
        with right:
            VIEWS[view](found.comparison, option)


def chosen_view() -> tuple[str, DeltaGenerator]:
    """The switch between the views, and the place beside it for what only the chosen one asks."""
    row = st.container(horizontal=True)
    with row:
        return view_of(_("View"), VIEWS, key="compare"), row


with st.container(gap="xsmall"):
    title, *quick, more = st.columns([3.2, 1.2, 1.2, 1.35, 0.9], vertical_alignment="bottom")
    settings = controls.backend(quick, more)
    with title:
        whose = controls.whose(settings["source"])
        ui.title(
            _("Same words, different order"),
            _("{whose} Copies of a token share one vector until a position is added.", whose=whose),
        )
    comparison_of(settings)
