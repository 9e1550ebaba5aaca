"""The command `embedviz`, as a process: what it prints, writes and serves, and how it ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import embedviz as ev
from embedviz.base.settings import ROOT
from embedviz.command import main

A, B = "dog bites man", "man bites dog"


def process(*arguments: str, **options: object) -> subprocess.Popen:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "embedviz", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, **pipes, **options)


def asked(*arguments: str) -> str:
    """What the command prints in this process."""
    done = CliRunner().invoke(main.command, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_json_has_the_numbers_of_the_library():
    found = json.loads(asked(A, B, "--json", "--position", "sinusoidal"))
    spec = ev.Spec(position="sinusoidal")
    expected = ev.compare(ev.embed(A, spec), ev.embed(B, spec))
    assert found["a"] == {"text": A, "tokens": [" dog", " bites", " man"], "ids": [3290, 26081, 582]}
    assert [tuple(pair.values()) for pair in found["pairs"]] == expected.pairs
    assert np.array_equal(found["distances"]["after"], expected.after.distances)
    assert (found["position"], found["embedviz"]) == ("sinusoidal", ev.__version__)


def test_a_file_is_written_in_the_language_that_is_asked_for(tmp_path):
    path = tmp_path / "out.html"
    asked(A, "man bites </script>", "--html", str(path), "--lang", "fr", "--view", "map")
    text = path.read_text("utf-8")
    assert '<html lang="fr" dir="ltr">' in text
    page = json.loads(re.search(r'<script type="application/json" id="page">(.*?)</script>', text)[1])
    names = [each["name"].rpartition("/")[2] for each in page["instances"]]
    assert names[:3] == ["slider", "plot", "cards"]
    assert page["amount"] == 0


WRONG = {
    "one sentence": ([A], "two sentences"),
    "json without sentences": (["--json"], "both sentences"),
    "no such scheme": ([A, B, "--json", "--position", "nope"], "position must be one of none, learned"),
    "no such source": ([A, B, "--source", "a b"], "a b"),
    "no such view": ([A, B, "--view", "x"], "pairs, map, orders"),
    "no such language": ([A, B, "--lang", "xx"], "de, en"),
    "no such option": (["--nope"], "--help"),
    "no such port": (["--port", "65536"], "65536"),
    "no such folder": ([A, B, "--html", "/no/such/folder/x.html"], "cannot be written"),
    "too many texts": ([A, B, A], "--help"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_one_line_and_the_code_is_2(arguments, said, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["embedviz", *arguments])
    with pytest.raises(SystemExit) as ended:
        main.main()
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_help_and_version_tell_how_to_ask(monkeypatch):
    said = asked("--help")
    for option in ("--html", "--json", "--source", "--position", "--lang", "--port", "--version", "Ctrl+C"):
        assert option in said
    assert asked("--version") == f"embedviz {ev.__version__}\n"


def test_the_app_says_where_it_is_and_ctrl_c_ends_it(tmp_path):
    server = process(A, B, "--lang", "de", "--no-browser", cwd=tmp_path, start_new_session=True)
    try:
        line = server.stdout.readline()
        address = re.fullmatch(
            r"embedviz is at (http://localhost:\d+/\?a=dog\+bites\+man&b=man\+bites\+dog&view=pairs&lang=de)\n", line
        )
        assert address, line + server.stderr.read()
        with urllib.request.urlopen(address[1]) as answer:  # noqa: S310 it is our own
            assert '<html lang="de"' in answer.read().decode()
        os.killpg(server.pid, signal.SIGINT)
        _out, err = server.communicate(timeout=300)
    finally:
        server.kill()
    assert (server.returncode, err) == (0, "")


def test_a_port_that_is_taken_is_named(tmp_path: Path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        server = process("--port", port, "--no-browser", cwd=tmp_path)
        out, err = server.communicate(timeout=300)
    assert (server.returncode, out) == (2, "")
    assert err.startswith(f"The port {port} cannot be used")
