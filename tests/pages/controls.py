"""Every control that stands in the address, found by looking at every view, and the values that no address should hold.

Nothing here names a control: a new one is found as soon as a page shows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from unittest.mock import patch

from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest, local_script_runner

from embedviz.base.pages import page_at
from tests.pages.site import visit

BAD: dict[str, str | bytes | list[str]] = {
    "nothing": "",
    "unknown": "nobody",
    "blanks": "  \t\n ",
    "twice": ["1", "2"],
    "twice, once empty": ["", "words", ""],
    "not a number": "NaN",
    "endless": "inf",
    "endless below": "-Infinity",
    "too large": "1e999",
    "40 digits": "9" * 40,
    "6,000 digits": "7" * 6000,
    "a small two": "²",
    "an Arabic three": "٣",
    "40 kB": "x" * 40_000,
    "NUL": "\0",
    "no UTF-8": b"\xff\xfe\x80",
    "half a pair": b"\xed\xa0\x80",
    "escapes in escapes": "%2525%00%ud800",
    "negative": "-1",
    "broken": "2.5",
    "tiny": "1e-320",
    "None": "None",
    "true": "true",
    "list": '["words", 1]',
    "object": '{"a": {"b": []}}',
    "markup": "<img src=x onerror=alert(1)> **b** $x$ :red[r] [l](javascript:1)",
    "emoji": "👩\u200d💻🐈",
    "right to left": "القطة\u202egnirts",
    "other digits": "٣",
    "fullwidth digits": "１２",
    "underscore": "1_000",
    "formula": "=1+1",
    "path": "../../etc/passwd",
    "old name": "The Verdict (Edith Wharton)",
    "another language": "Karte",
}


@dataclass(frozen=True)
class State:
    """A page with what its address says, and the controls that it then shows first.

    usual: the value of every control in this state. fresh: the keys of those that no state of this view has shown
    before this one. failed: what was red on it, although every value is one that the page itself offers.
    """

    page: str
    query: tuple[tuple[str, str], ...]
    usual: dict[str, object]
    fresh: tuple[str, ...]
    failed: str

    @property
    def free(self) -> tuple[str, ...]:
        """The keys of the controls that are not what makes the state."""
        return tuple(key for key in self.usual if key not in dict(self.query))

    def __str__(self) -> str:
        return " ".join([self.page, *(f"{key}={value}" for key, value in self.query)])


def controls(at: AppTest) -> dict[str, object]:
    """Every control of a page that stands in the address, by its name there."""
    found, blocks = {}, [at._tree]
    while blocks:
        for part in blocks.pop().children.values():
            if hasattr(part, "children"):
                blocks.append(part)
            if key := getattr(getattr(part, "proto", None), "query_param_key", ""):
                found[key] = part
    return found


def values(at: AppTest) -> dict[str, object]:
    """The value of each of them."""
    return {key: each.value for key, each in controls(at).items()}


def red(at: AppTest) -> str:
    """The error that has taken the place of the page, or of a part of it; "" if there is none."""
    return " ".join(f"{each.message} {''.join(each.stack_trace[-2:])}" for each in at.exception)


def go(at: AppTest, query: dict[str, object]) -> AppTest:
    """Go to another address of the page in the same session, as the browser's history does."""
    at.query_params = query
    with patch.object(local_script_runner, "RerunData", partial(RerunData, is_history_navigation=True)):
        return at._run()  # the browser sends the values of such controls too, but Streamlit takes them from the address


@cache
def states(page: str) -> list[State]:
    """Each view of a page, and each option in it that shows another control."""
    found: list[State] = []
    for view in page_at(page).views or [""]:
        seen: set[str] = set()
        first = _state(page, (("view", view),) if view else (), seen)
        found += [first, *(each for more in _choices(first) if (each := _state(page, more, seen)).fresh or each.failed)]
    return found


def _state(page: str, query: tuple[tuple[str, str], ...], seen: set[str]) -> State:
    at = visit(page, **dict(query))
    usual = values(at)
    fresh = tuple(key for key in usual if key not in seen)
    seen.update(usual)
    return State(page, query, usual, fresh, red(at))


def _choices(state: State) -> Iterator[tuple[tuple[str, str], ...]]:
    """The state with one more control at another of its options."""
    for key, control in controls(visit(state.page, **dict(state.query))).items():
        if key in dict(state.query):
            continue
        if control.type == "toggle":
            yield (*state.query, (key, str(not control.value).lower()))
        for option in getattr(control, "options", ()):
            yield (*state.query, (key, option))
