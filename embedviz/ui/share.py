"""What stands in the corner of every page: the language, and what a visitor can share.

That is the link, also as a QR code, the page as a file, and each figure as a picture or a table.
"""

import numpy as np
import segno
import streamlit as st

from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _
from embedviz.ui import presenting, turns
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack
from embedviz.ui.shell import part

MAX_BYTES = 2953  # of a QR code of version 40 at the lowest level of error correction
MAX_SHOWN = 4000  # characters of an address that is too long for a QR code

_SHARE = component(
    "share/share",
    html="""
<button type="button" class="leave" title="{escape}" aria-label="{leave_mode}" hidden>{leave}</button>
<label class="language" title="{language}">
  <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/>
    <path d="M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18"/></svg>
  <span aria-hidden="true"></span>
  <select aria-label="{language}"></select>
</label>
<button type="button" class="open" aria-expanded="false" aria-haspopup="true">{share}</button>
<div class="panel" role="region" aria-label="{share}" hidden>
  <div class="first">
    <button type="button" class="link">{link}</button>
    <button type="button" class="bare">{bare}</button>
    <button type="button" class="code">{code}</button>
    <button type="button" class="project" title="{about_project}">{project}</button>
    <button type="button" class="page">{page}</button>
  </div>
  <ul></ul>
  <dialog class="whole" aria-labelledby="scan">
    <svg role="img" shape-rendering="crispEdges"></svg>
    <div>
      <button type="button">{close}</button>
      <h2 id="scan">{scan}</h2>
      <p class="problem"></p>
      <p class="address" tabindex="0" role="group" aria-label="{address}"></p>
    </div>
  </dialog>
  <dialog class="figure" aria-labelledby="title">
    <header><h2 id="title"></h2><button type="button">{close}</button></header>
    <p class="says"></p>
    <div class="tables" tabindex="0" role="group" aria-label="{tables}"></div>
  </dialog>
</div>
""",
    escape=N_("Escape leaves too"),
    leave_mode=N_("Leave the presentation"),
    leave=N_("Leave"),
    language=N_("Language"),
    share=N_("Share"),
    link=N_("Copy link"),
    bare=N_("Copy link without controls"),
    code=N_("QR code"),
    project=N_("Present"),
    about_project=N_("Large type for a hall, one idea a slide. Arrow keys lead on, and Escape leaves."),
    page=N_("Save page as HTML"),
    close=N_("Close"),
    scan=N_("Scan to open this view"),
    address=N_("Address"),
    tables=N_("Tables"),
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
.leave { margin-right: 0.3rem; }
.language { position: relative; display: inline-flex; gap: 0.3rem; align-items: center; padding: 0.25rem 0.4rem;
  margin-right: 0.25rem; border-radius: 0.45rem; vertical-align: middle; }
.language svg { width: 1.05rem; fill: none; stroke: currentcolor; stroke-width: 1.6; }
.language select { position: absolute; inset: 0; width: 100%; opacity: 0; cursor: pointer; font: inherit;
  color: inherit; background: var(--st-background-color); }
.language:hover { color: var(--st-primary-color); }
.language:focus-within { outline: 3px solid var(--st-primary-color); }
[hidden] { display: none !important; }
.first { display: flex; gap: 0.5rem; flex-wrap: wrap; }
ul { margin: 0; padding: 0; list-style: none; max-height: 60vh; overflow-y: auto; }
li { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; padding-top: 0.6rem; }
li span { flex: 1 1 7rem; }
li button { padding: 0.1rem 0.45rem; }
dialog { width: min(70rem, 92vw); max-height: 88vh; border: 1px solid var(--st-border-color); border-radius: 0.6rem;
  background: var(--st-background-color); color: inherit; }
dialog header { display: flex; justify-content: space-between; align-items: center; gap: 1rem; }
dialog h2 { margin: 0; font-size: 1.1rem; }
.whole { width: 94vw; max-width: none; height: 94vh; max-height: none; box-sizing: border-box; padding: 1vh; }
.whole[open] { display: flex; gap: 1rem; }
.whole svg { height: min(90vh, 66vw); flex: none; align-self: center; background: #fff; }
.whole div { flex: 1; min-width: 0; display: flex; flex-direction: column; gap: 0.6rem; }
.whole button { align-self: flex-end; }
.whole h2 { font-size: 1.35rem; }
@media (max-aspect-ratio: 1/1) { .whole[open] { flex-direction: column-reverse; justify-content: flex-end; }
  .whole div { flex: none; } .whole svg { height: min(60vh, 88vw); } }
.whole .problem { font-size: 1.05rem; margin: 0; }
.whole .address { font-size: 1.2rem; margin: 0; overflow-wrap: anywhere; overflow-y: auto; unicode-bidi: plaintext; }
.tables { overflow: auto; max-height: 62vh; }
table { border-collapse: collapse; margin-bottom: 1rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { padding: 0.15rem 0.5rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--st-border-color); }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--st-background-color); }
""",
)


def share() -> None:
    """Show the languages and the button Share in the header of every page; in projection the button that leaves it."""
    with st.container(key="share"):
        _panel()


@part
def _panel() -> None:
    if st.session_state.pop("mode_changed", False):
        st.rerun()  # the whole page
    _SHARE(
        data=_data(st.session_state.pop("to_draw", None)),
        key="share_button",
        on_project_change=_project,
        on_leave_change=_leave,
        on_code_change=_draw,
    )


def _project() -> None:
    presenting.start()
    st.session_state["mode_changed"] = True


def _leave() -> None:
    presenting.leave()
    st.session_state["mode_changed"] = True


def _draw() -> None:
    st.session_state["to_draw"] = st.session_state["share_button"].code


def _data(to_draw: object) -> bytes | None:
    """Say whether to offer the way out of projection, and give the QR code of an address that the browser sent.

    The code has the number that came with the address, so that the same code again is an answer too.
    """
    data: dict[str, object] = {"presenting": True} if presenting.is_on() else {}
    match to_draw:
        case {"address": str(address), "asked": int(asked)}:
            data["code"] = _code(address) | {"asked": asked}
    return pack(data) if data else None


def _code(address: str) -> dict[str, object]:
    try:
        with turns.pause():
            rows = qr_modules(address).astype(int)
    except EmbedvizError as error:
        return {"address": address[:MAX_SHOWN], "problem": str(error)}
    return {"address": address, "rows": ["".join(map(str, row)) for row in rows.tolist()]}


def qr_modules(text: str) -> np.ndarray:
    """The dark modules of the smallest QR code (ISO/IEC 18004) that holds `text` as UTF-8.

    A bool array of shape (n, n), without margin. Of the levels of error correction that this size has room for, the
    highest. EmbedvizError if none is large enough, or if there is nothing to encode.
    """
    data = text.encode("utf-8", errors="replace")
    if not data:
        raise EmbedvizError(_("There is no text to make a QR code of."))
    if len(data) > MAX_BYTES:
        raise EmbedvizError(
            _("{n:,} bytes do not fit into a QR code, which holds {most:,} at most.", n=len(data), most=MAX_BYTES)
        )
    code = segno.make(data, error="l", mode="byte", micro=False)
    return read_only(np.array([list(row) for row in code.matrix], dtype=bool))
