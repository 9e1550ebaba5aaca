"""The list of faults: what a programmer could break, one at a time, and which tests should see it."""

import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

from embedviz.base.settings import ROOT

LIST = Path(__file__).with_name("faults.toml")
_NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".record", "__pycache__", ".*_cache", ".hypothesis")


@dataclass(frozen=True)
class Fault:
    """One change of one file that makes the product wrong.

    what: what goes wrong for a visitor, an operator or a caller. old: a text that stands once in the file; new: what
    stands there instead. tests: paths of the tests that should see it, the quick ones first.
    """

    name: str
    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def applied(self, text: str) -> str:
        """The file's text with the fault. Raises ValueError if the fault no longer fits the file."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: what it replaces stands {text.count(self.old)} times in {self.file}")
        return text.replace(self.old, self.new)


def listed() -> list[Fault]:
    """All faults of the list."""
    rows = tomllib.loads(LIST.read_text(encoding="utf-8"))["fault"]
    return [Fault(**row | {"tests": tuple(row["tests"])}) for row in rows]


class Copy:
    """A copy of the project in which one fault at a time can be made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, ignore=_NOT_COPIED, symlinks=True)

    def make(self, fault: Fault) -> None:
        path = self.folder / fault.file
        path.write_text(fault.applied(path.read_text(encoding="utf-8")), encoding="utf-8")

    def mend(self, fault: Fault) -> None:
        shutil.copy(ROOT / fault.file, self.folder / fault.file)
