"""Fields that Streamlit's own do not quite cover."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict, cast, overload

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.i18n import _, translated
from embedviz.ui.inputs.options import OPTIONS, label_of
from embedviz.ui.turns import load


class Bound(TypedDict):
    """What Streamlit's controls take."""

    bind: Literal["query-params"]


BOUND: Bound = {"bind": "query-params"}  # a control's value stands in the address
CURRENT_PLACE = cast("DeltaGenerator", st)  # wherever a page draws just now: the module has all that a place has


def one_of(
    label: str,
    options: Iterable[str],
    *,
    key: str,
    default: str | None = None,
    format_func: Callable[[str], str] | None = None,
    place: DeltaGenerator = CURRENT_PLACE,
    **widget_options: Any,
) -> str:
    """Let the visitor choose an option, bound to the URL. format_func: its label, if not in OPTIONS."""
    names = list(options)
    format_func = format_func or (label_of(key) if key in OPTIONS else str)
    default = default or names[0]
    chosen = place.segmented_control(
        label, names, default=default, format_func=format_func, required=True, key=key, **BOUND, **widget_options
    )
    return chosen or default  # a message that no browser sends can say that none is chosen


def ready_picker(
    label: str,
    ready: Mapping[str, object],
    current: object,
    *,
    key: str,
    fields: Sequence[str],
    take: Callable[[], None],
) -> None:
    """Ready values by their marked names. fields: keys that hold the one on screen. take: writes into them.

    What is picked is taken and then no longer chosen: the name of what is on the screen is only shown in its place. A
    name that stayed chosen would come back with whatever is pressed before the browser has heard that a letter was
    typed, and would overwrite what was typed.
    """
    if st.session_state.get(key) is not None:
        st.session_state[key] = None
    st.session_state[f"{key}_beside"] = _values(fields)
    here = next((translated(name) for name, value in ready.items() if value == current), _("Your own"))
    how = {"format_func": translated, "on_change": _take_picked, "args": (key, fields, take)}
    st.selectbox(label, list(ready), index=None, key=key, placeholder=here, required=False, **how)


def _take_picked(key: str, fields: Sequence[str], take: Callable[[], None]) -> None:
    """Take what a visitor has picked.

    If a field has changed as well, nothing was picked: the browser sent what is typed with the name that it still had,
    since the answer to the pick before was on its way.
    """
    if st.session_state.get(f"{key}_beside") == _values(fields):
        take()


def _values(fields: Sequence[str]) -> list[object]:
    return [st.session_state.get(field) for field in fields]


@overload
def whole_number(
    label: str,
    low: int,
    high: int,
    default: int,
    *,
    key: str,
    help: str | None = None,
    place: DeltaGenerator = CURRENT_PLACE,
    below: DeltaGenerator | None = None,
) -> int: ...


@overload
def whole_number(
    label: str,
    low: int,
    high: int,
    default: None,
    *,
    key: str,
    help: str | None = None,
    place: DeltaGenerator = CURRENT_PLACE,
    below: DeltaGenerator | None = None,
) -> int | None: ...


def whole_number(
    label: str,
    low: int,
    high: int,
    default: int | None,
    *,
    key: str,
    help: str | None = None,
    place: DeltaGenerator = CURRENT_PLACE,
    below: DeltaGenerator | None = None,
) -> int | None:
    """A field for a whole number, bound to the URL; without a default it may be empty, which gives None.

    What is out of range stays in the field, with a message below it or in `below`, and the last good
    number stays in use. Streamlit's own limits would only show a mark, and never tell the script.
    """
    give_way(key, default)
    typed = place.number_input(label, value=default, step=1, key=key, help=help, **BOUND)
    if typed is None or low <= typed <= high:
        st.session_state[f"{key}_kept"] = typed
        return typed
    before = st.session_state.get(f"{key}_kept", default)
    kept = min(max(typed if before is None else before, low), high)
    numbers = {"typed": typed, "low": low, "high": high, "kept": kept}
    said = _(
        "{label}: {typed:,} is out of range. Take {low:,} to {high:,}; {kept:,} stays in use.", label=label, **numbers
    )
    mistake_place(key, below or place).error(said)
    if f"{key}_kept" not in st.session_state:  # the value came with the address, and "Settings" may hide the field
        st.session_state[f"{key}_kept"] = kept
        st.toast(said, icon=":material/error:", duration="long")
    return kept


def give_way(key: str, default: object) -> None:
    """Let a default of a field that nobody has touched give way to this one, which is that of another view or state.

    The address, which has no defaults, says both.
    """
    usual = f"{key}_usual"
    if st.session_state.get(usual, default) != default and st.session_state.get(key) == st.session_state[usual]:
        st.session_state[key] = default
    st.session_state[usual] = default


def mistake_place(key: str, place: DeltaGenerator = CURRENT_PLACE) -> DeltaGenerator:
    """Where the message stands about a field of this key whose last good value stays in use.

    As long as it stands there, what is drawn is dimmed (assets/page/site.css), since it is not of what the field says.
    """
    return place.container(key=f"mistake_{key}")


def text_within(field: Callable[..., str], label: str, default: str, most: int, *, key: str, **options: Any) -> str:
    """A text in `field`, Streamlit's for one line or several, bound to the URL.

    A longer text is cut to `most` characters, in the field too, and a message below it says so. Streamlit's own limit
    would leave out what is pasted, all of it and without a word. What the browser leaves of a whole book that is
    pasted says assets/page/fields.js.
    """
    if field is st.text_input:
        options |= {"live": f"{load.wait}ms", "autocomplete": "off"}
    text = field(label, default, key=key, on_change=_cut, args=(key, most), **BOUND, **options)
    kept, n = st.session_state.get(f"{key}_cut", ("", 0))
    n = n if kept == text else len(text)
    if n > most:
        said = _("{n:,} characters are too many; the first {most:,} are used.", n=n, most=most)
        st.warning(said, icon=":material/content_cut:")
    return text[:most]


def _cut(key: str, most: int) -> None:
    text = st.session_state[key]
    if len(text) > most:
        st.session_state.update({key: text[:most], f"{key}_cut": (text[:most], len(text))})
    else:
        st.session_state.pop(f"{key}_cut", None)
