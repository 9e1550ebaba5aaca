"""When each target that CI does not run last ran whole and passed: the table of docs/testing.md.

`python .ci/last_runs.py run "make browsers" -- command` runs the command, and writes the day and the commit into the
target's row if it passes. `python .ci/last_runs.py` warns of each target whose paths have changed since then.
"""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs/testing.md"
NEVER = "not recorded yet"
# A target, its last run, and the paths that it tests.
_ROW = re.compile(r"^\| `(make [^`]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
# Targets write these themselves, and test none of them.
_RESULTS = (":!*.md", ":!tools/mutants/results.tsv")


@dataclass(frozen=True)
class Row:
    """A row of the table. last: day and commit, as "2026-03-01 at 0a1b2c3d", or NEVER."""

    target: str
    last: str
    paths: tuple[str, ...]

    def warning(self) -> str | None:
        """What to say if the paths have changed since the last run, or if nobody can know whether they have."""
        if self.last == NEVER:
            return f"It is not recorded that {self.target} ever ran whole and passed."
        said = f"{self.target} last ran whole and passed on {self.last}"
        commit = self.last.rpartition(" ")[2]
        if _git("merge-base", "--is-ancestor", commit, "HEAD") is None:
            return f"{said}. This commit is not in the history here, so it is unknown what has changed since then."
        commits = int(_git("rev-list", "--count", f"{commit}..HEAD", "--", *self.paths))
        if not commits:
            return None
        have = "1 commit has" if commits == 1 else f"{commits} commits have"
        return f"{said}. Since then {have} changed what it tests: {', '.join(self.paths)}."


def rows(text: str) -> list[Row]:
    """The rows of the table in this text."""
    return [Row(target, last, tuple(re.findall("`([^`]+)`", paths))) for target, last, paths in _ROW.findall(text)]


def warnings() -> Iterator[str]:
    """A sentence for each target that should run again."""
    if _git("rev-parse", "--is-shallow-repository") != "false":
        yield "The history of git is not here or not whole, so it is unknown which targets should run again."
        return
    yield from filter(None, (row.warning() for row in rows(TABLE.read_text("utf-8"))))


def run(target: str, command: list[str]) -> int:
    """Run the command and record that it has passed; returns its exit code."""
    before = _state()
    process = subprocess.Popen(command)
    # Who ends this ends the command, which Ctrl+C reaches by itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    code = process.wait()
    if code == 0:
        reason = _reason_against(target, before)
        if not reason:
            _record(target, before[0])
        note = f"This is not recorded, since {reason}." if reason else "Commit docs/testing.md, which records this."
        print(f"{target} passed. {note}")
    return code


def _reason_against(target: str, before: tuple[str | None, str | None]) -> str:
    """Why a pass cannot be recorded: which commit was tested must be certain."""
    commit, changes = before
    if target not in {row.target for row in rows(TABLE.read_text("utf-8"))}:
        return "it ran in part, or the table of docs/testing.md has no row for it"
    if commit is None:
        return "there is no history of git here"
    if changes:
        return f"these were not committed when it began: {', '.join(line[3:] for line in changes.splitlines())}"
    if _state() != before:
        return "files changed while it ran"
    return ""


def _record(target: str, commit: str) -> None:
    last = f"{datetime.now(UTC):%F} at {commit}"
    text = TABLE.read_text("utf-8")
    TABLE.write_text(
        _ROW.sub(lambda row: f"| `{target}` | {last} | {row[3]} |" if row[1] == target else row[0], text), "utf-8"
    )


def _state() -> tuple[str | None, str | None]:
    """The commit that is checked out, and what differs from it."""
    return _git("rev-parse", "--short=8", "HEAD"), _git("status", "--porcelain", "--", ".", *_RESULTS)


def _git(*arguments: str) -> str | None:
    """What git says, or None where it has no answer: without git, without a history, or without this commit."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return None if done.returncode else done.stdout.rstrip()


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"]:
        sys.exit(run(sys.argv[2], sys.argv[4:]))
    for warning in warnings():
        print(f"WARNING: {warning}")
