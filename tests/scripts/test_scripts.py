"""The tests that are scripts themselves: `*.test.js` beside this file, each in a process of Node.js."""

import subprocess

import pytest

from embedviz.base.settings import ROOT
from tests.scripts.node import HERE, NODE

FILES = sorted(path.name for path in HERE.glob("*.test.js"))


def test_there_are_some():
    assert FILES


@pytest.mark.parametrize("name", FILES)
def test_the_script_passes(name):
    command = [NODE, "--test", HERE / name]
    ran = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
