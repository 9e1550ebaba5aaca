"""What a visitor takes along: the link, the page as a file, each figure as a picture or a table."""

import streamlit as st

from embedviz.ui.component import component

_SHARE = component(
    "share",
    html="""
<button type="button" class="open" aria-expanded="false" aria-haspopup="true">Share</button>
<div class="panel" role="region" aria-label="Share" hidden>
  <div class="first">
    <button type="button" class="link">Copy link</button>
    <button type="button" class="page">Save page as HTML</button>
  </div>
  <ul></ul>
  <dialog aria-labelledby="title">
    <header><h2 id="title"></h2><button type="button">Close</button></header>
    <p class="says"></p>
    <div class="tables" tabindex="0" role="group" aria-label="Tables"></div>
  </dialog>
</div>
""",
    css="""
:host { font-family: var(--st-font); color: var(--st-text-color); font-size: 0.9rem; }
button { padding: 0.2rem 0.7rem; border: 1px solid var(--st-border-color); border-radius: 0.45rem; cursor: pointer;
  background: var(--st-background-color); color: inherit; font: inherit; }
button:hover { border-color: var(--st-primary-color); }
button:focus-visible, .tables:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
.panel { box-sizing: border-box; position: absolute; right: 0; top: 2.3rem; width: min(27rem, 92vw);
  padding: 0.8rem; border-radius: 0.6rem;
  border: 1px solid var(--st-border-color); background: var(--st-background-color);
  box-shadow: 0 6px 24px rgb(0 0 0 / 18%); }
.panel[hidden] { display: none; }
.first { display: flex; gap: 0.5rem; flex-wrap: wrap; }
ul { margin: 0; padding: 0; list-style: none; max-height: 60vh; overflow-y: auto; }
li { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; padding-top: 0.6rem; }
li span { flex: 1 1 7rem; }
li button { padding: 0.1rem 0.45rem; }
dialog { width: min(70rem, 92vw); max-height: 88vh; border: 1px solid var(--st-border-color); border-radius: 0.6rem;
  background: var(--st-background-color); color: inherit; }
dialog header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
dialog h2 { margin: 0; font-size: 1.1rem; }
.tables { overflow: auto; max-height: 62vh; }
table { border-collapse: collapse; margin-bottom: 1rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.15rem 0.5rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--st-border-color); }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--st-background-color); }
""",
)


def share() -> None:
    """Show the button in the header of every page."""
    with st.container(key="share"):
        _SHARE(key="share_button")
