"""The layout of the code."""

from collections import Counter
from pathlib import Path

from embedviz.base.settings import ROOT

MOST = 16  # things side by side, so that whoever opens a room sees all of it


def test_no_room_is_crowded():
    files = [path for room in ("embedviz", "pages") for path in (ROOT / room).rglob("*") if path.is_file()]
    seen = [path for path in files if "__pycache__" not in path.parts and path.name != "__init__.py"]
    places = {place for path in seen for place in (path, *path.parents) if ROOT in place.parents}
    crowded = {room: n for room, n in Counter(place.parent for place in places).items() if n > MOST and room != ROOT}
    assert not {str(Path(room).relative_to(ROOT)): n for room, n in crowded.items()}
