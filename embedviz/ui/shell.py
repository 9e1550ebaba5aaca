"""What every page has: its rows from top to bottom, and what its style depends on."""

import json
from base64 import b64encode
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.i18n import _
from embedviz.ui import presenting
from embedviz.ui.components.component import ASSETS

# In the address itself: Streamlit's own icons would be fetched from outside.
_ICON = f"data:image/svg+xml;base64,{b64encode((ASSETS / 'icon.svg').read_bytes()).decode()}"


def window() -> None:
    """Set up the window: its name, its icon."""
    st.set_page_config(page_title="embedviz", page_icon=_ICON, layout="wide")


def style(page: str) -> None:
    """What no style sheet can know: the page's name, which a phone shows beside the menu, and what its address asks."""
    menu = json.dumps(_("Menu: {page}", page=page), ensure_ascii=False)
    st.html(f"<style>:root {{ --ev-menu: {menu}; }}{presenting.style()}</style>")


@dataclass(frozen=True)
class Frame:
    """The rows of every page from top to bottom; a page fills them in any order.

    head: the title, and beside it what `settings` opens. views: the switch between the page's views. inputs: the fields
    of the view that is on. messages: what is wrong with them. body: what was found, the picture, and the program.
    """

    head: DeltaGenerator
    corner: DeltaGenerator
    views: DeltaGenerator
    inputs: DeltaGenerator
    messages: DeltaGenerator
    body: DeltaGenerator

    def title(self, text: str, subtitle: str) -> None:
        """The page's heading and one line on what it is about."""
        with self.head, st.container(gap=None):
            st.title(text, anchor=False)
            st.caption(subtitle)

    def settings(self) -> DeltaGenerator:
        """The sheet for what is changed less often; a view without such settings opens none."""
        return self.corner.popover(_("Settings"), icon=":material/tune:", key="settings")


def frame() -> Frame:
    """Lay out a page."""
    with st.container(gap="xsmall"):
        with st.container(key="frame_head"):
            head, corner = st.columns([6, 1], vertical_alignment="center")
        return Frame(
            head,
            corner,
            st.container(key="frame_views"),
            st.container(key="frame_inputs", gap="xsmall"),
            st.container(gap="xsmall"),
            st.container(gap="xsmall"),
        )
