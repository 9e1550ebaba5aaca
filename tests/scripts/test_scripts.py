"""The tests that are scripts themselves: `*.test.js` beside this file, each in a process of Node.js."""

import json
import subprocess

import pytest

from embedviz.base.settings import ROOT
from tests.scripts.node import HERE, NODE

FILES = sorted(path.name for path in HERE.glob("*.test.js"))


def test_there_are_some():
    assert FILES


def test_what_checks_scripts_is_pinned_and_comes_from_the_registry_that_npm_is_set_to():
    packages = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in package and "resolved" not in package for name, package in packages.items() if name)


@pytest.mark.parametrize("name", FILES)
def test_the_script_passes(name):
    command = [NODE, "--test", HERE / name]
    ran = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
