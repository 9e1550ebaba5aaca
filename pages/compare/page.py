"""Compare: where does word order enter?"""

from dataclasses import fields
from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, paragraph
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.rows import of_comparison
from embedviz.text.samples import pairs
from embedviz.text.tokens import Tokens
from embedviz.ui import LiveView, alt_text, challenges, literal, presenting, stop, stop_at_error
from embedviz.ui.inputs import controls, sentences
from embedviz.vectors.comparison import compare
from embedviz.vectors.copies import Copies
from embedviz.vectors.sources import source_of
from embedviz.vectors.spec import Spec
from pages.compare import reorder
from pages.compare.characters import say_if_cut
from pages.compare.guide import GUIDES
from pages.compare.orders import orders_of
from pages.compare.proof import counts, findings, nothing_added
from pages.compare.views import Picture, numbers_shown, plane, strips
from pages.compare.whole import WHOLE


def compared(picture: Picture, page: ui.Frame) -> None:
    """Show both sentences, and this picture of them."""
    with page.settings():
        if page.view == "pairs":
            picture = partial(picture, first=numbers_shown())
        settings = controls.backend()
    question = _("Can a model tell these two sentences apart?")
    page.lead(paragraph([question, source_of(settings["source"]).whose]))
    comparison_of(settings, picture, is_compact=page.view != "pairs")


@ui.part
def comparison_of(settings: dict[str, object], picture: Picture, *, is_compact: bool) -> None:
    """Show both sentences and everything that follows from them."""
    columns = left, right, beside = sentences.columns([2.8, 2.8, 3])
    texts = sentences.sentence(left, "A", pairs()[0].a), sentences.sentence(right, "B", pairs()[0].b)
    with beside, st.container(horizontal=True, vertical_alignment="bottom"):
        sentences.pair_picker((*texts, settings["prefix_space"]), settings["tokenizer"])
        sentences.tour_link()
    spec = sentences.spec_or_message(settings, *texts)
    tokens = sentences.tokens(columns[:2], texts, spec, says_empty=False)
    with st.container(gap="xsmall"), stop_at_error(spec.source):
        found = found_or_tokens(tokens, texts, settings, spec, is_compact=is_compact)
    slider(found, is_compact=is_compact)
    picture(found)
    # On a slide a finding stands beside a picture, and none of them shows an average.
    ui.cards(findings(found.comparison, of_averages=not presenting.is_on()), key="findings")
    program = pytorch_compare(found.comparison.a, found.comparison.b)
    ui.program(program, _("Where does word order enter?"), rows=partial(of_comparison, found.comparison))
    challenges.check("two-stay", found)


def found_or_tokens(
    tokens: list[Tokens], texts: tuple[str, str], settings: dict[str, object], spec: Spec, *, is_compact: bool
) -> Copies:
    """Show the sentences and what is the same in them. If there are no vectors, show the tokens alone."""
    found = None
    try:
        if any(each.ids for each in tokens):
            found = Copies(compare(*sentences.embedded(tokens, spec)))
    finally:
        sentences_in_order(tokens, texts, settings, spec, found, is_compact=is_compact)
    return found or stop()


def sentences_in_order(
    tokens: list[Tokens],
    texts: tuple[str, str],
    settings: dict[str, object],
    spec: Spec,
    copies: Copies | None,
    *,
    is_compact: bool,
) -> None:
    """The sentences with lines between copies, the counts if there are any, and what the last move changed."""
    found_pairs = copies.pairs if copies else []
    after = copies.comparison.after.same if copies else None
    with ui.slide("order" if is_compact else "order_tall", brief=not is_compact):
        ui.order(
            tokens,
            found_pairs,
            counts(copies) if copies else [],
            key="order",
            alt=alt_text.order(copies) if copies else "",
            same_after=[bool(after[pair]) for pair in found_pairs],
            can_undo=reorder.can_undo(),
            is_compact=is_compact,
            redraw=reorder.n_moves(),
            on_move=partial(reorder.moved, "order", tokens[1], settings),
            on_press=partial(reorder.pressed, "order", texts, tokens[1], settings),
        )
    say_if_cut(tokens, texts, spec)
    if words := reorder.said():
        st.info(literal(words), icon=":material/swap_horiz:")


def slider(copies: Copies, *, is_compact: bool) -> None:
    """The slider that adds positions in the browser, if there are any."""
    if not nothing_added(copies.comparison.a.spec):
        moves = copies.pairs or (copies.comparison.shared.size and is_compact)
        with ui.on_every_slide():
            ui.amount(is_idle=not moves)


VIEWS = (
    WHOLE,
    LiveView(page="compare", name="pairs", guide=GUIDES["pairs"], draw=partial(compared, strips), lead=None),
    LiveView(page="compare", name="map", guide=GUIDES["map"], draw=partial(compared, plane), lead=None),
    LiveView(page="compare", name="orders", guide=GUIDES["orders"], draw=orders_of, lead=None),
)

if __name__ == "__main__":
    sentences.begin_in_own_language(reads=st.query_params.get("view", WHOLE.name) == WHOLE.name)
    # Links from before the whole way was the first view name settings that it does not have, or the map's axes.
    usual = "pairs" if {each.name for each in fields(Spec)} & set(st.query_params) else None
    usual = "map" if st.query_params.get("axes") == "3-D" else usual
    ui.page(_("Where does word order enter?"), VIEWS, usual=usual)
