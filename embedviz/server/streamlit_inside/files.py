"""The names under which Streamlit keeps files that are made on demand."""

from collections.abc import Callable
from typing import Any

from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager

streamlits_add = MediaFileManager.add_deferred


def add_by_the_same_name(
    self: MediaFileManager, make: Callable[[], Any], kind: str | None, place: str, **kwargs: str
) -> str:
    """Keep a button's file under the name that the button's file had before."""
    session, button = media_file_manager._get_session_id(), kwargs["element_id"]
    with self._lock:
        before = {self._deferred_callables[name]["element_id"]: name for name in self._deferred_ids_by_session[session]}
    name = streamlits_add(self, make, kind, place, **kwargs)
    if button not in before:
        return name
    with self._lock:
        self._deferred_callables[before[button]] = self._deferred_callables.pop(name)
        self._deferred_ids_by_session[session].discard(name)
        self._files_by_session_and_coord[session][place] = before[button]
    return before[button]
