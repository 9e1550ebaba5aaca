"""What a caller of the package gets: `calls.py` says it in a process of its own, in the tree."""

import base64
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from tools.recorder.server import environment, python_of


def called(root: Path) -> dict:
    """The public names with their signatures, the results of calls in full, the messages of errors."""
    script = Path(__file__).with_name("calls.py")
    with tempfile.TemporaryDirectory() as folder:
        variables = environment(root, Path(folder))
        command = [python_of(root), "-P", str(script)]
        done = subprocess.run(command, cwd=root, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return _revive(json.loads(done.stdout))


def _revive(value: object) -> object:
    if isinstance(value, list):
        return [_revive(part) for part in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$dtype", "shape", "data"}:
        return np.frombuffer(base64.b64decode(value["data"]), value["$dtype"]).reshape(value["shape"])
    return {key: _revive(part) for key, part in value.items()}
