"""The words of the tour, its questions, and the ways from step to step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from embedviz.base.i18n import N_
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

KEY = "tour_panel"

_PANEL = component(
    "parts/tour",
    html="""
<div class="tour">
  <nav class="steps" aria-label="{steps}"><ol></ol></nav>
  <div class="stage">
    <div class="said" aria-live="polite"><div class="heading"></div><div class="text"></div></div>
    <div class="moves">
      <button type="button" class="previous">{previous}</button>
      <span class="place"></span>
      <button type="button" class="next">{next}</button>
      <span class="score"></span>
    </div>
  </div>
  <div class="answers"></div>
</div>
""",
    steps=N_("Steps"),
    previous=N_("Previous"),
    next=N_("Next"),
    css="""
.tour { font-family: var(--st-font); color: var(--st-text-color); display: grid; gap: 0.55rem;
  position: relative; }
button { font: inherit; color: inherit; background: var(--st-background-color); cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: 0.45rem; }
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
button[aria-disabled=true] { cursor: default; border-color: transparent; background: none; }
.steps ol { display: flex; flex-wrap: wrap; gap: 0.25rem; margin: 0; padding: 0; list-style: none; }
.steps li { flex: 1 1 auto; }
.steps button { width: 100%; padding: 0.1rem 0.35rem; font-size: 0.85rem; white-space: nowrap; line-height: 1.5; }
.steps .number { font-variant-numeric: tabular-nums; font-weight: 650; margin-right: 0.3em; }
.steps [aria-current] { background: var(--st-primary-color); border-color: var(--st-primary-color);
  color: var(--st-background-color); }
.stage { display: flex; gap: 1.5rem; align-items: flex-start; }
.said { flex: 1; min-width: 0; min-height: 4.9rem; }
h1, h2 { margin: 0; font-size: 1.3rem; font-weight: 650; line-height: 1.3; }
p { margin: 0; font-size: 1.08rem; line-height: 1.4; overflow-wrap: anywhere; max-width: 62rem; }
.verdict { font-weight: 650; }
.right { color: var(--st-green-text-color); }
.wrong { color: var(--st-orange-text-color); }
.note { font-size: 0.9rem; }
.moves { display: grid; grid-template-columns: auto auto auto; gap: 0.15rem 0.5rem; align-items: center; }
.moves button { padding: 0.35rem 0.9rem; }
.next { background: var(--st-primary-color); border-color: var(--st-primary-color); color: var(--st-background-color); }
.next[aria-disabled=true] { color: inherit; }
.place { font-variant-numeric: tabular-nums; white-space: nowrap; }
.score { grid-column: 1 / -1; text-align: right; font-size: 0.9rem; min-height: 1.3rem; }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 0.7rem; }
.answers:empty { display: none; }
.tour:has(.answer) .said { min-height: 0; }
.answer { padding: 0.6rem 1rem; font-size: 1.08rem; text-align: left; }
.saved .steps, .saved .moves { display: none; }
.present { gap: 0.3rem; }
.present .steps, .present .score { display: none; }
.present .said { min-height: 0; }
.present .stage { gap: 1rem; }
.present .heading { padding-right: 15rem; min-height: 2.2rem; } /* the moves, and the corner of every page */
.present h1 { font-size: 1.15rem; line-height: 1.2; }
.present p { font-size: 0.95rem; line-height: 1.25; max-width: none; }
.present .asked { font-size: 1.15rem; }
.present .note { font-size: 0.8rem; }
.present .moves { position: absolute; right: 9.5rem; top: 0; font-size: 0.8rem; gap: 0.3rem; }
.present .moves button { padding: 0 0.45rem; border-color: transparent; background: none; color: inherit;
  font-size: 1.1rem; line-height: 1.5; }
.present .answers { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem; }
.present .answers ol { display: flex; flex-wrap: wrap; gap: 0 2rem; margin: 0; padding-left: 1.2rem;
  font-size: 1rem; line-height: 1.4; }
.reveal { padding: 0.35rem 1.2rem; }
.present .reveal { padding: 0 0.8rem; }
@media (max-width: 800px) { .present .heading { padding: 2.2rem 0 0; } }
@media (max-width: 640px) {
  .stage { flex-direction: column; gap: 0.4rem; }
  .said { min-height: 0; }
  .steps .name { display: none; }
  .steps [aria-current] .name { display: inline; }
  .steps button { padding: 0.25rem 0.5rem; }
}
""",
)


@dataclass(frozen=True)
class Panel:
    """What the panel shows.

    step: from 1. question: its text and answers, until the picture may be seen; then verdict: what came of it, and
    whether the reader was right, None if nobody was asked. stops: steps, from 1, on which the next move shows the
    picture first. turn: the number of the move that led here.
    """

    names: Sequence[str]
    step: int
    present: bool
    heading: str
    words: str
    note: str
    question: dict | None
    verdict: dict | None
    stops: Sequence[int]
    score: str
    turn: int


def panel(shown: Panel, *, on_go: Callable[[], None], on_answer: Callable[[], None]) -> None:
    """Show it. A move is the trigger `go`, an answer the trigger `answer`, both under KEY."""
    _PANEL(data=pack(vars(shown)), key=KEY, on_go_change=on_go, on_answer_change=on_answer)
