"""The wheel: what is in it, what it says of itself, and that it runs where no checkout is."""

import email
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import embedviz as ev
from embedviz.base.locale.catalogues import languages
from embedviz.base.settings import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# Beside the package in the project, inside it in the wheel.
BESIDE = (".streamlit/config.toml", "app.py", "data", "pages")
FACTS = """
import sys
import embedviz
from embedviz.base import data_files
from embedviz.base.locale.catalogues import languages
from embedviz.command.saved import of_the_project
from embedviz.ui.components.component import ASSETS
data_files.check()
app = of_the_project("app").app
print(embedviz.__file__, len(languages()), all(path.is_dir() for path in ASSETS.values()))
print(CHECKOUT not in sys.path)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # The wheel is made of the source archive, which thus has all that it needs.
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


def tracked(*folders: str) -> set[str]:
    """The files of the project in these folders."""
    done = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_wheel_has_the_app_whole_and_nothing_else(wheel):
    ours = ("embedviz/base/locale/glossary", "embedviz/ui/components/plot/payloads.d.ts")  # for developers
    package = {name for name in tracked("embedviz") if not name.startswith(ours)}
    beside = {f"embedviz/_app/{name}" for name in tracked(*BESIDE)}
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        assert names >= package | beside
        assert {name for name in names - package - beside if "__pycache__" not in name} == set()
        for name in ("app.py", "data/SHA256SUMS", "pages/tour/panel.js"):
            assert archive.read(f"embedviz/_app/{name}") == (ROOT / name).read_bytes()


def test_the_wheel_says_what_it_needs_and_which_command_it_brings(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        about = email.message_from_bytes(archive.read(path))
        entries = archive.read(path.replace("METADATA", "entry_points.txt")).decode()
    assert about["Version"] == ev.__version__
    asked = {Requirement(line) for line in about.get_all("Requires-Dist") if "extra ==" not in line}
    assert asked == set(map(Requirement, PROJECT["dependencies"]))
    assert "embedviz = embedviz.command.main:main" in entries


def test_a_package_index_would_take_it(wheel):
    files = sorted(map(str, wheel.parent.iterdir()))
    command = [sys.executable, "-m", "twine", "check", "--strict", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASSED") == len(files) == 2


def test_everything_that_is_needed_is_pinned_for_the_server_within_its_range():
    lines = (line.partition("#")[0].partition(";")[0].strip() for line in (ROOT / "requirements.txt").open())
    pinned = dict(_normal(*line.split("==")) for line in lines if "==" in line)
    extras = (each for needs in PROJECT["optional-dependencies"].values() for each in needs)
    asked = [Requirement(each) for each in (*PROJECT["dependencies"], *extras)]
    assert len(asked) > 20
    for each in asked:
        assert Version(pinned[_normal(each.name, "")[0]]) in each.specifier, each
    ours = (ROOT / "requirements.txt").read_text("utf-8").partition("\n\n")[0].splitlines()[1:]
    assert {_normal(each.name, "")[0] for each in asked} == {_normal(*line.split("=="))[0] for line in ours}


def _normal(name: str, version: str) -> tuple[str, str]:
    return re.sub(r"[-_.]+", "-", name).lower(), version


def test_the_citation_names_the_version():
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (str(said["version"]), said["license"]) == (ev.__version__, PROJECT["license"])


def test_the_wheel_runs_where_no_checkout_is(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    folder = tmp_path / "elsewhere"
    (folder / ".streamlit").mkdir(parents=True)
    # A project of the user's own, whose settings are not ours.
    (folder / ".streamlit/config.toml").write_text('[server]\nbaseUrlPath = "mine"\n[runner]\nfastReruns = true\n')
    place = str(tmp_path / "installed")

    def run(*arguments: str) -> str:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [sys.executable, *arguments]
        done = subprocess.run(
            command, cwd=folder, env=environment | {"PYTHONPATH": place}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    first, second = run("-c", f"CHECKOUT = {str(ROOT)!r}\n{FACTS}").splitlines()
    assert first == f"{place}/embedviz/__init__.py {len(languages())} True"
    assert second == "True"
    run("-m", "embedviz", "dog bites man", "man bites dog", "--html", "out.html", "--lang", "de")
    assert '<html lang="de" dir="ltr">' in (folder / "out.html").read_text("utf-8")
    config = "from streamlit import config; from embedviz.server.streamlit_inside import take_files; take_files(); "
    assert run("-c", config + "print(config.get_option('runner.fastReruns'))") == "False\n"
