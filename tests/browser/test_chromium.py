"""How `make test` comes to its browser, on machines that have none: with commands of their own on the PATH."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from embedviz.base.settings import ROOT
from tests.browser import chromium

PLAYWRIGHTS = "playwright install"


def make_commands(folder: Path, commands: dict[str, str]) -> None:
    """Write shell scripts, by their names."""
    for name, script in commands.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (folder / name).chmod(0o755)


@pytest.fixture
def machine(tmp_path: Path):
    """Look for a browser on a machine that has these commands, which are shell scripts, and reaches no download."""

    def look(commands: dict[str, str] | None = None, **variables: str) -> tuple[int, list[str], str]:
        """The exit code, the lines on the way, and the words at the end."""
        own = {"sudo": 'shift; exec "$@"', "sh": 'exec /bin/sh "$@"', "true": ""}
        make_commands(tmp_path, own | (commands or {}))
        given = {name: value for name, value in os.environ.items() if name != "CHROMIUM"} | {
            "PATH": str(tmp_path),
            "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "browsers"),
            "PLAYWRIGHT_DOWNLOAD_HOST": "http://127.0.0.1:9",
        }
        command = [sys.executable, "-m", "tests.browser.chromium"]
        done = subprocess.run(command, cwd=ROOT, env=given | variables, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines(), done.stderr

    return look


def test_debians_browser_is_installed_where_apt_asks_for_no_password(machine, tmp_path):
    link = f"ln -s {chromium.installed()} {tmp_path}/chromium-headless-shell"
    code, lines, words = machine({"apt-get": f'case "$*" in *chromium-headless-shell*) /bin/{link};; esac'})
    assert (code, words) == (0, "")
    assert [PLAYWRIGHTS in line for line in lines] == [False]


@pytest.mark.parametrize(
    ("commands", "tries"),
    [({}, [PLAYWRIGHTS]), ({"apt-get": "echo many lines; exit 100"}, ["chromium-headless-shell", PLAYWRIGHTS])],
)
def test_where_no_browser_can_be_had_one_sentence_says_so(machine, commands, tries):
    code, lines, words = machine(commands)
    assert (code, words) == (1, f"The browser tests need {chromium.MISSING}\n")
    assert len(lines) == len(tries)
    assert all(tried in line for tried, line in zip(tries, lines, strict=True))


@pytest.mark.parametrize(("script", "tries"), [("exit 1", [PLAYWRIGHTS]), ("", ["sudo -n sh", PLAYWRIGHTS])])
def test_apt_is_asked_only_where_sudo_needs_no_password(tmp_path, monkeypatch, script, tries):
    make_commands(tmp_path, {"sudo": script, "apt-get": ""})
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    commands = [" ".join(command) for command in chromium.installers()]
    assert [tried in command for tried, command in zip(tries, commands, strict=True)] == [True] * len(tries)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        (
            "echo chrome: error while loading shared libraries: libnss3.so: no such file >&2; exit 127",
            "libnss3.so is missing, which ",
        ),
        ("exit 1", ""),
    ],
)
def test_a_browser_that_does_not_start_is_named_in_one_sentence(machine, tmp_path, script, why):
    code, lines, words = machine({"chromium": script})
    assert (code, lines) == (1, [])
    assert words.startswith(f"The browser tests need a Chromium that starts, and {tmp_path}/chromium does not: ")
    assert why in words
    assert words.count("\n") == 1


def test_a_browser_that_is_too_old_is_named_with_its_version(monkeypatch):
    monkeypatch.setattr(chromium, "OLDEST", 9999)
    path = chromium.installed()
    says = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    version = re.search(r"[\d.]+", says)[0]
    with ThreadPoolExecutor(1) as other:  # this thread may have a browser of its own, and Playwright allows one
        said = other.submit(chromium.fault, path).result()
    assert said == f"The browser tests need Chromium 9999 or newer, and {path} is {version}: update it."
