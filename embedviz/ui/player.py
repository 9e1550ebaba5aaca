"""The slider through the snapshots of a training, in the browser."""

from collections.abc import Sequence

from embedviz.texts import _
from embedviz.ui.component import component
from embedviz.ui.payload import pack

_PLAYER = component(
    "player",
    html="""
<div class="row">
  <button type="button" aria-label="{play}">▶</button>
  <label>{label}
  <input type="range" min="0" max="1" value="1" /></label>
  <output></output>
</div>
""",
    play=_("Play the training"),
    label=_("Snapshot"),
    css="""
.row { display: flex; align-items: center; gap: 0.6rem; font-family: var(--st-font); color: var(--st-text-color);
  font-size: 0.9rem; min-height: 1.9rem; }
label { display: flex; align-items: center; gap: 0.6rem; flex: 1; min-width: 0; line-height: 1.2; }
input { flex: 1; min-width: 4rem; accent-color: var(--st-primary-color); }
output { min-width: 13rem; font-variant-numeric: tabular-nums; }
button { width: 2rem; height: 1.8rem; border: 1px solid var(--st-border-color); border-radius: 0.45rem; cursor: pointer;
  background: var(--st-secondary-background-color); color: var(--st-text-color); font-size: 0.8rem; }
button:focus-visible, input:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
@media (max-width: 560px) { .row { flex-wrap: wrap; } output { min-width: 100%; } }
""",
)


def player(labels: Sequence[str], run: str, *, key: str) -> None:
    """Show the slider; figures whose traces have frames move with it, without a rerun.

    labels: of the snapshots. run: names the run; another one starts at its end.
    """
    _PLAYER(data=pack({"labels": list(labels), "run": run}), key=key)
