"""What CI runs after `make test`, with programs that only say that they were asked in place of the real ones."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from embedviz.base.settings import ROOT

SAYS = '#!/bin/sh\necho "$(basename "$0") $*"\n'


@pytest.mark.parametrize("registry_answers", [True, False])
def test_the_package_and_the_cell_are_tried_where_packages_can_be_had(registry_answers, tmp_path: Path):
    for name, text in (
        ("bin/make", SAYS),
        (".ci/audit", SAYS),
        # pip fails if the registry does not answer
        ("venv/bin/python", f'{SAYS}[ "$2" != pip ] || exit {int(not registry_answers)}\n'),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(0o755)
    shutil.copy(ROOT / ".ci/run", tmp_path / ".ci/run")
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "VENV": str(tmp_path / "venv")}
    command = ["bash", str(tmp_path / ".ci/run")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("make test\naudit \n")
    assert ("make package test-notebook\n" in done.stdout) == registry_answers
    assert ("NOT TRIED" in done.stdout) != registry_answers
    assert done.stdout.endswith("python .ci/last_runs.py\n")
