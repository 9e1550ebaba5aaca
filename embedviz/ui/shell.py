"""The parts that every page has: its rows from top to bottom, and the values that its style depends on."""

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.i18n import _, paragraph, translated
from embedviz.base.settings import ROOT
from embedviz.ui import presenting
from embedviz.ui.components.cards.cards import Card, cards
from embedviz.ui.guide import Guide, glossary
from embedviz.ui.messages import stop_at_error
from embedviz.ui.turns import turn

_P = ParamSpec("_P")

# In the address itself: Streamlit's own icons would be fetched from outside.
_ICON = f"data:image/svg+xml;base64,{b64encode((ROOT / 'embedviz/ui/assets/icon.svg').read_bytes()).decode()}"


def window(page: str) -> None:
    """Give the browser's window its name, by which tabs, bookmarks and the history know the page, and its icon."""
    st.set_page_config(page_title=f"{page} · embedviz", page_icon=_ICON, layout="wide")


def style() -> None:
    """Add the style that no style sheet can know: a word that Streamlit has in English alone, what the address asks."""
    upload = json.dumps(_("Choose a file"), ensure_ascii=False)
    st.html(f"<style>:root {{ --ev-upload: {upload}; }}{presenting.style()}</style>")


def part(draw: Callable[_P, None]) -> Callable[_P, None]:
    """Make `draw` a part of a page that runs by itself when one of its own controls changes.

    An edit inside it sends none of the page around it again. Between runs of the page it is called with the same
    arguments. An EmbedvizError that nothing inside has said is said at its end.
    """

    @st.fragment
    @wraps(draw)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        with turn(), stop_at_error(st.query_params.get("source")):
            draw(*args, **kwargs)

    return run


@dataclass(frozen=True)
class Frame:
    """The rows of every page from top to bottom; a page fills them in any order.

    head: the title. corner, words: beside it what `settings` opens, and what the words mean. look: what to look at.
    views: the switch between the page's views. inputs: the fields of the view that is on. messages: what is wrong with
    them. body: what was found, the picture, and the program. foot: why it matters.
    """

    head: DeltaGenerator
    corner: DeltaGenerator
    words: DeltaGenerator
    look: DeltaGenerator
    views: DeltaGenerator
    inputs: DeltaGenerator
    messages: DeltaGenerator
    body: DeltaGenerator
    foot: DeltaGenerator

    def title(self, text: str, guide: Guide, lead: str = "") -> None:
        """Show the page's heading, and the guide's words on the chosen view. lead: a sentence before these words."""
        self.head.title(text, anchor=False)
        self.look.caption(paragraph([lead, translated(guide.look)]))
        with self.words:
            glossary(guide.terms.split())
        with self.foot:
            cards([Card(_("Why it matters"), translated(guide.why))], key="why")

    def settings(self) -> DeltaGenerator:
        """Return the sheet for settings that are changed less often. A view without such settings opens none."""
        return self.corner.popover(_("Settings"), icon=":material/tune:", key="settings")


def frame() -> Frame:
    """Lay out a page."""
    with st.container(gap="xsmall"):
        with st.container(key="frame_head", gap=None):
            head, right = st.columns([6, 1], vertical_alignment="center")
            look = st.container()
        corner = right.container(horizontal=True, gap="xsmall")
        return Frame(
            head=head,
            corner=corner.container(width="content"),
            words=corner.container(width="content"),
            look=look,
            views=st.container(key="frame_views"),
            inputs=st.container(key="frame_inputs", gap="xsmall"),
            messages=st.container(gap="xsmall"),
            body=st.container(gap="xsmall", key="frame_body"),
            foot=st.container(gap="xsmall", key="frame_foot"),
        )
