"""What Windows and macOS lack is not needed to start: a Python without it imports everything and compares two texts."""

import json
import os
import subprocess
import sys

import pytest

from embedviz.base.settings import ROOT

# Others' packages know on which system they are, so that ours alone are imported without.
WITHOUT = """
import importlib, mimetypes, os, pkgutil, select, signal, socket, subprocess, sys, warnings
import streamlit.web.bootstrap, torch, transformers, uvicorn, webbrowser
AWAY = {
    os: "fork forkpty getuid geteuid getgid getpgid setsid killpg nice sched_getaffinity pread pwrite posix_spawn "
        "mkfifo getloadavg sysconf uname statvfs fchmod chown register_at_fork set_blocking sendfile",
    select: "poll epoll",
    signal: "SIGKILL SIGALRM SIGHUP SIGUSR1 SIGUSR2 SIGXCPU SIGCHLD alarm pthread_kill sigwait",
    socket: "AF_UNIX SO_REUSEPORT TCP_USER_TIMEOUT",
}
for module, names in AWAY.items():
    for name in filter(lambda name: hasattr(module, name), names.split()):
        delattr(module, name)
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
mimetypes.add_type("text/plain", ".js")  # as a program may have written into Windows's registry
warnings.filterwarnings("error", category=EncodingWarning, module="embedviz|pages|app")  # it depends on the system
import embedviz
from embedviz.command.saved import of_the_project
for package in (embedviz, of_the_project("pages")):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith(("__main__", "ui.site", ".page")):  # which are run
            importlib.import_module(found.name)
"""
START = (
    WITHOUT
    + """
from embedviz.server import warm_up
of_the_project("app")
warm_up.many_files(600)
print(warm_up.files_at_most(), mimetypes.guess_type("page.js")[0])
"""
)
COMPARE = (
    WITHOUT
    + """
sys.argv = ["embedviz", "猫 dog", "dog 猫", "--json"]
from embedviz.command import main
main.main()
"""
)


def said(program: str, **variables: str) -> bytes:
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | variables
    command = [sys.executable, "-X", "warn_default_encoding", "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def test_the_server_starts_without_what_windows_lacks():
    files, type_of_a_script = said(START).split()
    assert int(files) > 0
    assert type_of_a_script == b"text/javascript"


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_numbers_are_json_in_every_encoding_of_a_file(encoding):
    found = json.loads(said(COMPARE, PYTHONIOENCODING=encoding))
    assert found["a"]["text"] == "猫 dog"
