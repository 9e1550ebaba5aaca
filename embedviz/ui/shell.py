"""The parts that every page has: its rows from top to bottom, and the values that its style depends on."""

import json
from base64 import b64encode
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

from embedviz import __version__
from embedviz.base.i18n import _, language, paragraph, translated
from embedviz.base.pages import PAGES, ROAD, STEPS, next_of, page_at, station_of
from embedviz.base.settings import place
from embedviz.ui import lessons, presenting
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.guide import Guide
from embedviz.ui.inputs.fields import one_of
from embedviz.ui.messages import literal
from embedviz.ui.slides import strip_above

# When a headline holds: without a claim, at any share of the positions, without them, or with any of them.
_WHEN = ("topic", "always", "before", "after")
_CAME_TO = "came_to"  # in the session: the page and the view shown, as long as the line about the link stands there
# In the address itself: Streamlit's own icons would be fetched from outside.
_ICON = f"data:image/svg+xml;base64,{b64encode(place('embedviz/ui/assets/icon.svg').read_bytes()).decode()}"


def site_pages() -> list[StreamlitPage]:
    """The pages of the site as a run of Streamlit's takes them."""
    return [*map(copy, _pages_in(language()))]


@cache
def _pages_in(_language: str) -> list[StreamlitPage]:
    """The same, made once for each language: each of them looks for its file when it is made."""
    return [
        st.Page(each.script, title=translated(each.title), url_path=each.address or None, default=not each.address)
        for each in PAGES
    ]


def window(page: str) -> None:
    """Give the browser's window its name, by which tabs, bookmarks and the history know the page, and its icon."""
    st.set_page_config(page_title=f"{page} · embedviz", page_icon=_ICON, layout="wide")


def style() -> None:
    """Add the style that no style sheet can know.

    This is the version, words that Streamlit has in English alone, and what the address asks.
    """
    words = {
        "upload": _("Choose a file"),
        "enter": _("Press Enter to apply"),
        "none": _("No results"),
        "version": f"embedviz {__version__}",
    }
    said = "".join(f"--ev-{name}: {json.dumps(text, ensure_ascii=False)}; " for name, text in words.items())
    st.html(f"<style>:root {{ {said}}}{presenting.style()}</style>")


@dataclass(frozen=True)
class Frame:
    """The rows of every page from top to bottom, which a view fills in any order.

    title: the page's. view: the name of the view that is on, and guide: its words. views: the switch between the
    page's views. corner, words: beside it what `settings` opens, and what the words mean. headline: what is found,
    by when that holds, each in a place that can be written anew at any time; slides: the same of slides that say more.
    look: what to look at. inputs: the fields of the view that is on. messages: what is wrong with them, or at first
    with the settings. body: the picture, more that was found, and the program, for all that a view does not put
    elsewhere. foot: why it matters, and the way on. Until the frame is opened, inputs and body are the empty room in
    which they will lie.
    """

    views: DeltaGenerator
    corner: DeltaGenerator
    words: DeltaGenerator
    headline: Mapping[str, DeltaGenerator]
    slides: DeltaGenerator
    look: DeltaGenerator
    inputs: DeltaGenerator
    messages: DeltaGenerator
    body: DeltaGenerator
    foot: DeltaGenerator
    title: str
    view: str
    guide: Guide

    def say(self, *claims: Card) -> None:
        """Make the title of a card the page's headline; of two, the one whose stage is on.

        Without a card it is the page's title, and so it is in a lesson, whose question nothing answers before.
        """
        said = {card.stage or "always": literal(card.title) for card in claims}
        if not said or lessons.is_on():
            said = {"topic": self.title}
        for when, slot in self.headline.items():
            if when in said:
                slot.title(said[when], anchor=False)
            else:
                slot.empty()
        self.slides.empty()

    def say_of_slides(self, claims: Mapping[str, Card]) -> None:
        """Give slides of the view, by their names, headlines of their own; slides.js shows each of them in its turn."""
        if claims and presenting.is_on() and not lessons.is_on():
            with self.slides.container(gap=None):
                for name, card in claims.items():
                    st.container(key=f"claim_of_{name}").title(literal(card.title), anchor=False)

    def opened(self) -> "Frame":
        """Return the frame with rows of their own for fields, messages and body, which a part of the page can fill."""
        with self.body:
            return replace(
                self,
                inputs=st.container(key="frame_inputs", gap="xsmall"),
                messages=st.container(gap="xsmall"),
                body=st.container(gap="xsmall", key="frame_body"),
            )

    def settings(self) -> DeltaGenerator:
        """Return the sheet for settings that are changed less often. A view without such settings opens none."""
        return self.corner.popover(_("Settings"), icon=":material/tune:", key="settings")


def say_no_such_view(page: str, view: str, is_known: bool) -> None:
    """Say that the visitor has come by a link to a view that does not exist, until they go on from the one shown.

    view: which is shown. is_known: whether the address names a view that exists, or none. What it names otherwise is a
    stranger's text, and is not said.
    """
    here = page, view
    if st.session_state.setdefault(_CAME_TO, None if is_known else here) != here:
        st.session_state[_CAME_TO] = None
        return
    said = _("Your link names a view that does not exist here, so the page opens as usual.")
    strip_above(said, tone="plain", key="no_such_view")


def topic(frame: Frame, title: str, name: str, *, is_said: bool) -> None:
    """Say in small type what the page is about, where neither the switch between its views nor the headline does."""
    views = page_at(name).views
    if presenting.is_on() and frame.view:
        frame.views.markdown(f"{title} · {translated(views[frame.view])}")
    elif not (views or is_said):
        frame.views.markdown(title)


def onward(name: str) -> None:
    """End a page: on the road with the step to the next station, beside the road with the way back to its own."""
    page = page_at(name)
    if page in ROAD:
        to, said, icon, side = next_of(page), translated(STEPS[name]), ":material/arrow_forward:", "right"
        way = _("Next: {page}.", page=translated(to.title))
    else:
        to, icon, side = station_of(page), ":material/arrow_back:", "left"
        way, said = _("Back to the road: {page}.", page=translated(to.title)), translated(to.help)
    if not presenting.is_on():
        with st.container(key="frame_onward", horizontal_alignment=side):
            label = paragraph([f"**{way}\u2060**", said])  # in Chinese, Markdown sees no end of bold type in "。**嵌"
            st.page_link(to.script, label=label, icon=icon, icon_position=side)


def rows() -> dict[str, Any]:
    """Lay out the rows of a page, by their names in `Frame`."""
    with st.container(gap="xsmall"):
        with st.container(key="frame_head", gap=None):
            left, right = st.columns([6, 1], vertical_alignment="center")
            with st.container(key="frame_claim", gap=None):
                headline = {when: st.container(key=f"claim_{when}").empty() for when in _WHEN}
                slides = st.empty()
            look = st.container(key="frame_look")
        corner = right.container(horizontal=True, gap="xsmall")
        return {
            "views": left.container(key="frame_views"),
            "corner": corner.container(width="content"),
            "words": corner.container(width="content"),
            "headline": headline,
            "slides": slides,
            "look": look,
            "messages": st.container(gap="xsmall"),
            "inputs": (room := st.container(gap="xsmall")),
            "body": room,
            "foot": st.container(gap="xsmall", key="frame_foot"),
        }


def switch(views: Mapping[str, str], default: str | None) -> str:
    """Let the visitor choose a view by its title. Return its name; "" if there is nothing to choose."""
    if not views:
        return ""
    return one_of(
        _("View"), views, key="view", default=default, format_func=lambda name: translated(views[name]),
        label_visibility="collapsed",  # the label is only for those who do not see the screen
    )  # fmt: skip
