"""What is recorded of the targets that CI does not run, and what is said of those whose code has changed since."""

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from embedviz.base.settings import ROOT

TABLE = "| `make soak` | {} | `app`, `tests/soak` |\n| `make fuzz` | not recorded yet | `fuzz` |\n"
NEVER = "It is not recorded that make {} ever ran whole and passed."


class Project:
    """A small repository with the tool and a table."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write(".ci/last_runs.py", (ROOT / ".ci/last_runs.py").read_text("utf-8"))
        self.write("docs/testing.md", TABLE.format("not recorded yet"))
        self.git("init", "--quiet")
        self.commit("app", "first")

    def git(self, *arguments: str) -> str:
        names = ("-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false")
        command = ["git", *names, *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout.strip()

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, "utf-8")

    def commit(self, name: str, text: str) -> str:
        self.write(name, text)
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", text)
        return self.git("rev-parse", "--short=8", "HEAD")

    def says(self, *arguments: str, code: int = 0) -> list[str]:
        """What the tool prints, line by line."""
        command = [sys.executable, ".ci/last_runs.py", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (code, "")
        return [line.removeprefix("WARNING: ") for line in done.stdout.splitlines()]

    def runs(self, command: str = "true", target: str = "make soak", code: int = 0) -> list[str]:
        return self.says("run", target, "--", "sh", "-c", command, code=code)

    @property
    def last(self) -> str:
        """What the row of `make soak` says."""
        return re.search(r"soak` \| (.*?) \|", (self.folder / "docs/testing.md").read_text("utf-8"))[1]


@pytest.fixture
def project(tmp_path: Path, monkeypatch) -> Project:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return Project(tmp_path / "project")


def test_a_pass_is_recorded_with_its_day_and_commit(project: Project):
    commit = project.git("rev-parse", "--short=8", "HEAD")
    days = [f"{datetime.now(UTC):%F}"]
    said = project.runs("echo measured > RESULTS.md")  # as the benchmarks write their results
    days.append(f"{datetime.now(UTC):%F}")
    assert said == ["make soak passed. Commit docs/testing.md, which records this."]
    assert project.last in [f"{day} at {commit}" for day in days]
    assert (project.folder / "docs/testing.md").read_text("utf-8") == TABLE.format(project.last)
    # Another target may follow at once, and neither that nor the commit of the record makes the record old.
    assert project.runs(target="make fuzz") == ["make fuzz passed. Commit docs/testing.md, which records this."]
    project.commit("README.md", "records")
    assert project.says() == []


@pytest.mark.parametrize(
    ("command", "target", "reason"),
    [
        ("echo new > new", "make soak", "files changed while it ran"),
        (
            "git -c user.name=a -c user.email=a@b.c commit -qm b --allow-empty",
            "make soak",
            "files changed while it ran",
        ),
        ("true", "make soak 3", "it ran in part, or the table of docs/testing.md has no row for it"),
    ],
)
def test_a_pass_of_no_certain_state_is_not_recorded(project: Project, command: str, target: str, reason: str):
    assert project.runs(command, target) == [f"{target} passed. This is not recorded, since {reason}."]
    assert project.last == "not recorded yet"


def test_a_pass_with_files_that_are_not_committed_is_not_recorded(project: Project):
    project.write("app", "changed")
    project.write("tests/new", "new")
    reason = "these were not committed when it began: app, tests/"
    assert project.runs() == [f"make soak passed. This is not recorded, since {reason}."]
    assert project.last == "not recorded yet"


def test_a_failure_is_not_recorded_and_fails(project: Project):
    assert project.runs("exit 7", code=7) == []
    assert project.last == "not recorded yet"


def test_changes_since_a_run_are_counted_where_it_tests(project: Project):
    project.runs()
    project.commit("README.md", "elsewhere")
    assert project.says() == [NEVER.format("fuzz")]
    since = f"make soak last ran whole and passed on {project.last}. Since then "
    project.commit("app", "second")
    assert project.says()[0] == since + "1 commit has changed what it tests: app, tests/soak."
    project.commit("tests/soak", "third")
    assert project.says()[0] == since + "2 commits have changed what it tests: app, tests/soak."


def test_a_history_that_does_not_say_enough_is_no_failure(project: Project, tmp_path: Path):
    project.write("docs/testing.md", TABLE.format("2026-03-01 at 0a1b2c3d"))
    unknown = "This commit is not in the history here, so it is unknown what has changed since then."
    assert project.says()[0] == f"make soak last ran whole and passed on 2026-03-01 at 0a1b2c3d. {unknown}"
    project.commit("app", "second")
    project.git("clone", "--quiet", "--depth=1", f"file://{project.folder}", str(tmp_path / "shallow"))
    nobody_knows = ["The history of git is not here or not whole, so it is unknown which targets should run again."]
    project.folder = tmp_path / "shallow"
    assert project.says() == nobody_knows
    shutil.rmtree(project.folder / ".git")
    assert project.says() == nobody_knows
    assert project.runs() == ["make soak passed. This is not recorded, since there is no history of git here."]


def recorded_as(command: str) -> str:
    """The name under which a pass of this command would be recorded."""
    environment = os.environ | {"MAKEFLAGS": ""}  # what the make that runs the tests was given
    done = subprocess.run(
        [*command.split(), "--dry-run"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return re.search('last_runs.py run "([^"]+)" --', done.stdout)[1]


def test_each_row_is_of_a_target_that_records_itself_and_of_paths_that_exist():
    rows = re.findall(r"^\| `(make [^`]+)` \| [^|]+ \| (.+) \|$", (ROOT / "docs/testing.md").read_text("utf-8"), re.M)
    assert len(rows) > 10
    for target, paths in rows:
        assert recorded_as(target) == target
        assert [path for path in re.findall("`([^`]+)`", paths) if not (ROOT / path).exists()] == []
    recorded = re.findall(r"^([a-z-]+):.*\n(?:\t.*\n)*?\t.*RECORDED", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert {target.split()[1] for target, _paths in rows} == set(recorded)


@pytest.mark.parametrize("part", ["soak MINUTES=3", "fuzz SECONDS=9", "fits LANGUAGES=de", "mutants FAULT=rope"])
def test_a_target_that_runs_in_part_has_no_row(part: str):
    assert f"| `{recorded_as(f'make {part}')}` |" not in (ROOT / "docs/testing.md").read_text("utf-8")
