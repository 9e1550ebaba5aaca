"""Challenges on the screen. The address says which one is on, and which ones are solved."""

import streamlit as st

from embedviz.base.i18n import _, translated
from embedviz.teaching.challenges import CHALLENGES, Challenge
from embedviz.ui import lessons, presenting
from embedviz.ui.components.cards.links import Link, link
from embedviz.ui.slides import strip_above

_ON, _SOLVED = "challenge", "solved"  # in the address


def check(name: str, *results: object) -> None:
    """Note that the challenge of this name is solved, if it is on and what a view has found solves it."""
    if st.query_params.get(_ON) != name or name in _solved():
        return
    if next(each for each in CHALLENGES if each.name == name).is_solved(*results):
        # The server knows the address from before the edit, so it is the line's script that writes this into it.
        st.session_state[_SOLVED] = [*_solved(), name]
        st.rerun()  # the line stands above the part of the page that has run


def challenge_strip(page: str, view: str) -> None:
    """Show the task of the challenge that is on, if it belongs to this view, or what follows once it is solved."""
    for each in _challenges_of(page, view):
        if each.name == st.query_params.get(_ON):
            _line(each)


def _line(on: Challenge) -> None:
    # In a hall a button of this name leaves the presentation.
    leave = [] if presenting.is_on() else [link(_("Leave"), on.at, f"{_ON}=")]
    if on.name not in _solved():
        task = _("Challenge: {task}", task=translated(on.task))
        strip_above(task, hints=[*map(translated, on.hints)], links=leave, key=_ON)
        return
    n = CHALLENGES.index(on) + 1
    left = [each for each in (*CHALLENGES[n:], *CHALLENGES[:n]) if each.name not in _solved()]
    said = _("Solved. {why}", why=translated(on.why))
    more = [_to(each, _("Next challenge: {title}", title=translated(each.title))) for each in left[:1]]
    strip_above(said, links=[*more, *leave], tone="done", key=_ON, stored={_SOLVED: ".".join(_solved())})


def ways(page: str, view: str) -> list[Link]:
    """A link to the challenge of this view, if it has one that is not on. There is none in a hall or in a lesson."""
    if presenting.is_on() or lessons.is_on():
        return []
    found = [each for each in _challenges_of(page, view) if each.name != st.query_params.get(_ON)]
    return [_to(each, _("A challenge: {title}", title=translated(each.title))) for each in found]


def cards() -> None:
    """Show all challenges as links, and which of them are solved."""
    done = _solved()
    said = _("Challenges that the app checks: {n} of {total} are solved.", n=len(done), total=len(CHALLENGES))
    shown = [_to(each, f"{'✓ ' * (each.name in done)}{translated(each.title)}") for each in CHALLENGES]
    strip_above(said, links=shown, tone="plain", key="challenges")


def _challenges_of(page: str, view: str) -> list[Challenge]:
    return [each for each in CHALLENGES if each.at == f"{page}/{view}"]


def _to(challenge: Challenge, text: str) -> Link:
    return link(text, challenge.at, f"{challenge.start}&{_ON}={challenge.name}&lesson=&station=&answered=")


def _solved() -> list[str]:
    said = [*st.query_params.get(_SOLVED, "").split("."), *st.session_state.get(_SOLVED, [])]
    return [each.name for each in CHALLENGES if each.name in said]
