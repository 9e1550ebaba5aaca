"""Tokenizer files that were made to keep everybody waiting, on a server that has models in a folder."""

import json
import shutil
import time
from collections.abc import Iterator

import psutil
import pytest

from tests.browser import server
from tests.faults.conftest import Target
from tests.models.shelf import on_shelf
from tests.session import visiting
from tests.text.tokenizer_files import changed

SLOW_PATTERN = {"type": "Split", "pattern": {"Regex": "(?:a|aa){1,20}b"}, "behavior": "Isolated", "invert": False}
NAMES = 1_500_000
FILES = {
    "evil/pattern": lambda: changed("test/byte-level", pre_tokenizer=SLOW_PATTERN, post_processor=None),
    "evil/names": lambda: json.dumps(
        {"model": {"type": "BPE", "vocab": {f"a{n}": n for n in range(NAMES)}, "merges": []}}
    ).encode(),
}


@pytest.fixture(scope="module")
def target(tmp_path_factory) -> Iterator[Target]:
    """A server of its own, with the hostile models in its folder, in the place of the one for all attacks."""
    port, folder = server.free_port(), tmp_path_factory.mktemp("target")
    on_shelf("gpt2", folder / "good", "the cat", n_positions=2048)
    for name, made in FILES.items():
        shutil.copytree(folder / "good", folder / "models" / name)
        (folder / "models" / name / "tokenizer.json").write_bytes(made())
    variables = {"EMBEDVIZ_CACHE": str(folder), "EMBEDVIZ_MODELS": str(folder / "models"), "HF_HUB_OFFLINE": "1"}
    with server.running(server.uvicorn(port), port, variables, folder / "log.txt"):
        process = next(each for each in psutil.Process().children(recursive=True) if str(port) in each.cmdline())
        with visiting(port) as session:
            session.run()
        time.sleep(5)  # the default map, which is drawn after the start
        yield Target(port, process, folder / "log.txt", [])


def seen(port: int, query: str) -> str:
    """What a page says to somebody who opens it."""
    with visiting(port) as session:
        session.run(query)
        return session.screen.text.replace("\\", "")


def workers(target: Target) -> list[psutil.Process]:
    return [
        each for each in target.process.children(recursive=True) if "tokenizer_worker.py" in " ".join(each.cmdline())
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("evil/pattern", "The tokenizer of evil/pattern took too long and was stopped."),
        ("evil/names", "The tokenizer.json of evil/names asks for more than any tokenizer needs"),
    ],
)
def test_a_hostile_tokenizer_holds_nobody_up(target, name, words):
    query = f"source={name}&a={'a' * 2000}"
    for _ in range(2):  # the second time it is known
        assert words in seen(target.port, query)
    assert not workers(target)
