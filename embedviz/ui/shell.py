"""What every page has: its rows from top to bottom, its title, and the site's style."""

from base64 import b64encode
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.i18n import _
from embedviz.ui import presenting
from embedviz.ui.components.component import ASSETS

# Streamlit has no option for the padding at the sides, nor for the height of the row of page names, nor for room for
# our button beside it; the names of fields that cannot be changed are too pale to read, and so are the marks of its
# focus, for which one blue stands that has a contrast of 4 on the backgrounds of both themes, and white on the dark
# theme's button. What is wrong with a file it says to screen readers alone; views that stand in a narrow column it
# moves out of sight. Its animations know no reduced motion; its fields, no text that runs right to left. Whoever wants
# less motion gets no transitions at all: short ones for all elements would begin whenever a figure measures its labels,
# which then takes twenty times as long.
_STYLE = """
[data-testid="stMainBlockContainer"] { padding: 3rem clamp(0.75rem, 2.5vw, 3rem) 1.5rem; }
[data-testid="stWidgetLabel"] { color: inherit !important; }
:is(a, button, summary, main, canvas, textarea, [tabindex]:not(input), [data-testid="stTextInputField"]):focus-visible,
[data-rac][data-focus-visible]:not(input), [role="group"]:has(input[role="combobox"]:focus-visible),
[data-testid="stNumberInputContainer"]:has(input:focus-visible),
[data-testid="stCheckbox"]:has(input:focus-visible) label > div:first-of-type {
  outline: 3px solid #2a7de1 !important; outline-offset: 1px; }
[data-testid="stBaseButton-primary"]:not(:disabled), [data-testid="stBaseButton-primary"]:not(:disabled) p {
  color: light-dark(#ffffff, #0f1218); }
[data-testid="stMain"]:focus-visible, [data-testid="stTextInputField"]:focus-visible, textarea:focus-visible,
[role="group"]:has(input[role="combobox"]:focus-visible) { outline-offset: -3px !important; }
@media (prefers-reduced-motion: reduce) { *, ::before, ::after {
  animation-duration: 1ms !important; animation-iteration-count: 1 !important; transition-property: none !important;
  scroll-behavior: auto !important; } }
[data-testid="stFileChip"]:has([role="alert"]) { flex-wrap: wrap; height: auto; max-width: none; }
[data-testid="stFileChip"] [role="alert"] { position: static; flex: 1 0 100%; width: auto; height: auto; margin: 0;
  clip: auto; clip-path: none; overflow: visible; white-space: normal; }
[data-testid="stButtonGroup"] [role="radiogroup"] { flex-wrap: wrap; }
input[type="text"], textarea { unicode-bidi: plaintext; text-align: start; }
[data-testid="stHeader"] { height: 2.9rem; min-height: 2.9rem; }
[data-testid="stToolbar"] { padding-right: 7rem; }
.st-key-frame_head { min-height: 3.4rem; justify-content: center; }
.st-key-frame_head h1 { padding: 0.2rem 0 0; }
.st-key-frame_head [data-testid="stHorizontalBlock"] { flex-wrap: nowrap; }
.st-key-frame_head [data-testid="stColumn"] { min-width: 0; }
.st-key-frame_head [data-testid="stColumn"]:last-child { flex: none; width: auto; }
.st-key-stage_line { min-height: 3.7rem; justify-content: center; }
.st-key-frame_views { min-height: 2.5rem; justify-content: center; }
[data-testid="stLayoutWrapper"]:has(> .st-key-share) {
  position: fixed; top: 0.45rem; right: clamp(0.75rem, 2.5vw, 3rem); width: auto; z-index: 1000000; }
"""


# In the address itself: Streamlit's own icons would be fetched from outside.
_ICON = f"data:image/svg+xml;base64,{b64encode((ASSETS / 'icon.svg').read_bytes()).decode()}"


def window() -> None:
    """Set up the window: its name, its icon."""
    st.set_page_config(page_title="embedviz", page_icon=_ICON, layout="wide")


def style() -> None:
    """The style of every page, and of what its address asks for."""
    st.html(f"<style>{_STYLE}{presenting.style()}</style>")


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
            st.container(gap="xsmall"),
            st.container(gap="xsmall"),
            st.container(gap="xsmall"),
        )
