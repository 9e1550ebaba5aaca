"""For which runs the visitor has pressed "Train". All other runs are shown only at their beginning.

The address holds a mark for the runs on the screen, so that a link, Back and a reload show them again. The mark is made
from their settings. With other settings it no longer fits, and the page is untrained again.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256

import streamlit as st

from embedviz.training.train import TrainingSettings

_NAME = "trained"
_MOST_KEPT = 30  # runs of a visitor


def is_trained(of: Sequence[TrainingSettings]) -> bool:
    """True if the visitor, or whoever made the link, has pressed "Train" for all of these; the address then says so."""
    own = mark(of)
    named = st.query_params.get(_NAME)
    if named == own:
        keep(of)
    if not _known().keys() >= set(of):
        st.query_params.pop(_NAME, None)
        return False
    if named != own:
        st.query_params[_NAME] = own
    return True


def keep(of: Sequence[TrainingSettings]) -> None:
    """Note that the visitor has pressed "Train" for these runs."""
    known = _known()
    known.update(dict.fromkeys(of))
    for oldest in list(known)[:-_MOST_KEPT]:
        del known[oldest]


def forget(of: Sequence[TrainingSettings]) -> None:
    """Forget that "Train" was pressed, so that the page shows the beginning again."""
    for each in of:
        _known().pop(each, None)
    st.query_params.pop(_NAME, None)


def mark(of: Sequence[TrainingSettings]) -> str:
    """A short name that only these settings have, the same on every server, and the same as in links of long ago."""
    return sha256(json.dumps(list(map(_as_before, of))).encode()).hexdigest()[:8]


def _as_before(settings: TrainingSettings) -> dict[str, object]:
    """The settings as they were when positions were on or off, and there was one kind of text."""
    found = asdict(settings)
    kind = {} if found.pop("kind") == "sentences" else {"kind": settings.kind}
    positions = {"learned": True, "none": False}.get(settings.positions, settings.positions)
    return found | {"positions": positions} | kind


def _known() -> dict[TrainingSettings, None]:
    return st.session_state.setdefault("trained_runs", {})
