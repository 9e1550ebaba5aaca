"""What `make audit` and CI say of known weaknesses, by what pip-audit says."""

import shutil
import subprocess
from pathlib import Path

import pytest

from embedviz.base.settings import ROOT

WEAK = "echo 'jinja2 2.4.1 PYSEC-2019-217'; exit 1"
# The app's own packages are asked for with --strict.
APP = 'case "$*" in *--strict*)'


@pytest.fixture
def audit(tmp_path: Path):
    """Run the script in a copy of the project, with a pip-audit that is this shell script."""
    for name in (".ci/audit", "Makefile", "requirements.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    program = tmp_path / ".venv/bin/pip-audit"
    program.parent.mkdir(parents=True)
    (tmp_path / ".venv/run.done").touch()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/testing.md").write_text(
        "| `make audit` | 2026-03-01 at 0a1b2c3d | `requirements.txt` |\n", "utf-8"
    )

    def run(script: str) -> tuple[int, str]:
        program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        program.chmod(0o755)
        done = subprocess.run([tmp_path / ".ci/audit"], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    return run


def test_it_passes_when_nothing_is_known_against_what_is_installed(audit):
    assert audit(f"{APP} exit 0;; esac; {WEAK}") == (0, "")


def test_a_weakness_fails(audit):
    assert audit(WEAK) == (1, "jinja2 2.4.1 PYSEC-2019-217\n")


@pytest.mark.parametrize("script", ["echo No known vulnerabilities found", "echo no answer >&2; exit 1"])
def test_where_nobody_knows_of_weaknesses_the_last_audit_is_named(audit, script):
    code, words = audit(script)
    assert code == 3
    assert words.startswith("NOT AUDITED: ")
    assert "The last audit that found none: 2026-03-01 at 0a1b2c3d." in words
