"""What every page has: its title and the site's style."""

from base64 import b64encode

import streamlit as st

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
@media (min-width: 641px) and (max-width: 900px) {
  [data-testid="stHorizontalBlock"]:has([data-testid="stPageLink"]) > [data-testid="stColumn"] { flex: 1 1 40%; }
}
@media (max-width: 640px) {
  [data-testid="stLayoutWrapper"]:has(h1):has(~ * .st-key-order) { display: contents;
    > [data-testid="stHorizontalBlock"] { display: contents; > :not(:has(h1)) { order: 1; } } }
}
[data-testid="stHeader"] { height: 2.9rem; min-height: 2.9rem; }
[data-testid="stToolbar"] { padding-right: 7rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-share) {
  position: fixed; top: 0.45rem; right: clamp(0.75rem, 2.5vw, 3rem); width: auto; z-index: 1000000; }
"""


# In the address itself: Streamlit's own icons would be fetched from outside.
_ICON = f"data:image/svg+xml;base64,{b64encode((ASSETS / 'icon.svg').read_bytes()).decode()}"


def frame() -> None:
    """Set up the window: its name, its icon."""
    st.set_page_config(page_title="embedviz", page_icon=_ICON, layout="wide")


def style() -> None:
    """The style of every page, and of what its address asks for."""
    st.html(f"<style>{_STYLE}{presenting.style()}</style>")


def title(text: str, subtitle: str) -> None:
    """The page's heading and one line on what it is about."""
    with st.container(gap=None):
        st.title(text, anchor=False)
        st.caption(subtitle)
