"""What whoever runs the server sees: settings, metrics, the events of the log."""

import os
import re
import subprocess
import tempfile
import urllib.request
from pathlib import Path

from tools.recorder.server import Server, environment, free_port, python_of, streamlit

_EVENT = re.compile(r"""\b(?:log\.)?(event|refused|failed)\(\s*f?(["'])(.+?)\2""")
_SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? ")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
_WRONG = {"EMBEDVIZ_TOKENS": "3", "EMBEDVIZ_LANGUAGE": "xx", "EMBEDVIZ_NOTHING": "1", "EMBEDVIZ_FRAME_ANCESTORS": "a;b"}


def measured(server: Server) -> dict:
    """The metrics of a running server: what each is, and its labels with their values, without its numbers."""
    with urllib.request.urlopen(server.metrics, timeout=10) as answer:  # noqa: S310 of our own server
        lines = answer.read().decode().splitlines()
    about = sorted(line for line in lines if line.startswith("#"))
    samples: dict[str, dict[str, set[str]]] = {}
    for match in filter(None, map(_SAMPLE.match, lines)):
        labels = samples.setdefault(match[1], {})
        for name, value in _LABEL.findall(match[2] or ""):
            labels.setdefault(name, set()).add(value)
    return {
        "metrics": about,
        "samples": {
            name: {label: sorted(values) for label, values in sorted(labels.items())}
            for name, labels in sorted(samples.items())
        },
    }


def read(root: Path, log: list[dict]) -> dict:
    """What `make settings` says, also of wrong ones, and a start with them; the events in the source and in a log."""
    return {
        "settings": _settings(root, {}),
        "wrong settings": _settings(root, _WRONG),
        "start with wrong settings": _start(root, _WRONG),
        "events in the source": _events(root),
        "events in the log": _logged(log),
    }


def _settings(root: Path, more: dict[str, str]) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        variables = environment(root, Path(folder), more)
        venv = Path(python_of(root)).parent.parent
        # What is installed stays as it is, however old: nothing is to be downloaded.
        command = ["make", "-s", "-o", f"{venv}/run.done", f"VENV={venv}", "settings"]
        done = subprocess.run(command, cwd=root, env=variables, capture_output=True, text=True, check=False)
        text = (done.stdout + done.stderr).replace(str(root), "ROOT").replace(folder, "FOLDER")
    lines = text.replace(str(venv), "VENV").splitlines()
    said = [line for line in lines if not line.startswith("make")]
    return [_anywhere(said[-1])] if done.returncode else said


def _start(root: Path, more: dict[str, str]) -> list[str | int]:
    """What a server says that does not start, and its status."""
    with tempfile.TemporaryDirectory() as folder:
        variables = environment(root, Path(folder), more)
        command = [python_of(root), "-m", *streamlit(free_port())]
        done = subprocess.run(command, cwd=root, env=variables, capture_output=True, text=True, check=False, timeout=60)
    return [done.returncode, *done.stderr.strip().splitlines()[-1:]]


def _anywhere(line: str) -> str:
    """The last line of a traceback, whichever module the error is from."""
    return re.sub(r"^(\w+\.)+(?=\w+:)", "", line)


def _events(root: Path) -> list[list[str]]:
    found = set()
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in ("tests", "tools")]
        for name in files:
            if name.endswith(".py"):
                text = (Path(folder) / name).read_text("utf-8")
                found |= {(match[1], match[3]) for match in _EVENT.finditer(text)}
    return [list(each) for each in sorted(found)]


def _logged(lines: list[dict]) -> dict[str, list[str]]:
    """Each event that was logged, with the names of its values."""
    found: dict[str, set[str]] = {}
    for line in lines:
        found.setdefault(f"{line.get('level')} {line.get('event')}", set()).update(line)
    return {event: sorted(names) for event, names in sorted(found.items())}
