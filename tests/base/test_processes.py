"""Scripts in processes of their own: their priority, and how they end."""

import os
import subprocess
import sys

import pytest

from embedviz.base.concurrency import processes
from embedviz.base.settings import ROOT

SCRIPT = """
import os, sys
print(os.nice(0), os.getpid(), sys.argv[1:], sys.path[0], sep="|")
"""


def test_a_script_runs_with_lower_priority_and_its_arguments(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    process = processes.start(script, "one", nice=15, stdout=subprocess.PIPE, text=True)
    said, _errors = process.communicate(timeout=300)
    priority, number, arguments, path = said.strip().split("|")
    assert int(priority) == min(os.nice(0) + 15, 19)
    assert int(number) == process.pid != os.getpid()
    assert arguments == "['one']"
    assert path != str(tmp_path)  # else the script's neighbours would stand in for what it imports


@pytest.mark.parametrize("lives", [90, 0])
def test_a_script_ends_with_its_server_even_if_it_is_gone_before_the_script_begins(tmp_path, lives):
    script = tmp_path / "long.py"
    script.write_text("import time; print('up', flush=True); time.sleep(90); print('its own end')")
    program = f"""
import os, time
from pathlib import Path
from embedviz.base.concurrency import processes
processes.start(Path({str(script)!r}), nice=1)
time.sleep({lives})
os._exit(0)
"""
    server = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if lives:
        assert server.stdout.readline() == "up\n"
        server.kill()
    said, _errors = server.communicate(timeout=300)  # until nobody can write any more, the script neither
    assert "its own end" not in said
