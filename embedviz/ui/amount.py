"""The slider that turns positions up from nothing, in the browser."""

from embedviz.texts import _
from embedviz.ui.component import component

_AMOUNT = component(
    "amount",
    html="""
<div class="row">
  <button type="button" aria-label="{play}">▶</button>
  <label>{label}
  <input type="range" min="0" max="100" value="100" /></label>
  <output>100 %</output>
</div>
""",
    play=_("Play: add the positions"),
    label=_("Positions shown"),
    css="""
.row { display: flex; align-items: center; gap: 0.6rem; font-family: var(--st-font); color: var(--st-text-color);
  font-size: 0.9rem; min-height: 1.9rem; }
label { display: flex; align-items: center; gap: 0.6rem; flex: 1; min-width: 0; line-height: 1.2; }
input { flex: 1 0 4rem; min-width: 4rem; accent-color: var(--st-primary-color); }
output { min-width: 3.2em; text-align: right; font-variant-numeric: tabular-nums; }
button { width: 2rem; height: 1.8rem; border: 1px solid var(--st-border-color); border-radius: 0.45rem; cursor: pointer;
  background: var(--st-secondary-background-color); color: var(--st-text-color); font-size: 0.8rem; }
button:focus-visible, input:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
""",
)


def amount(*, key: str = "amount") -> None:
    """Show the slider; figures whose traces have a start move with it, without a rerun."""
    _AMOUNT(key=key)
