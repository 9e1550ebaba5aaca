"""Settings that name what cannot be: said at the start, and nothing is left behind."""

import errno
import tempfile

import pytest

import embedviz as ev
from embedviz.base import environment_checks, settings


@pytest.fixture
def said(monkeypatch):
    """What is said of these variables."""

    def check(**variables: str) -> str:
        for name, value in variables.items():
            monkeypatch.setenv(name, str(value))
        monkeypatch.setattr(environment_checks, "configured", settings.read)
        try:
            environment_checks.check()
        except ev.EmbedvizError as error:
            return str(error)
        return ""

    return check


@pytest.mark.parametrize("name", ["EMBEDVIZ_CACHE", "EMBEDVIZ_MODELS", "HF_HOME", "HF_HUB_CACHE"])
def test_a_folder_must_be_one_or_be_possible(said, tmp_path, name):
    file = tmp_path / "file"
    file.write_text("")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for wrong in (file, file / "x/y", "/proc/1/x", tmp_path / ("x" * 300), loop / "x"):
        text = said(**{name: wrong})
        assert text.startswith(f"{name}: {wrong} cannot be a folder (")
        assert text.endswith("; name one that is there or can be made.")
    assert said(**{name: tmp_path / "not/yet"}) == ""
    assert said(**{name: tmp_path}) == ""
    assert {path.name for path in tmp_path.iterdir()} == {"file", "loop"}


def test_a_folder_in_which_nothing_can_be_written_is_one(said):
    assert said(EMBEDVIZ_CACHE="/sys/kernel", EMBEDVIZ_MODELS="/sys/kernel/x") == ""


def test_temporary_files_need_a_folder_that_is_there(said, tmp_path):
    assert said(TMPDIR=tmp_path / "none") == f"TMPDIR: {tmp_path / 'none'} is no folder; name one that is there."
    assert said(TMPDIR=tmp_path) == ""


def test_where_no_temporary_file_can_be_written_it_is_said(said, monkeypatch):
    def fail() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "gettempdir", fail)
    sentence = "No usable temporary directory found in ['/tmp']; name a folder that can be written to."
    assert said() == f"TMPDIR: {sentence}"


@pytest.mark.parametrize(
    "value", ["notaurl", "huggingface.co", "ftp://a.b", "http://", "http://a:b", "http://[", "//a.b"]
)
def test_a_hub_needs_an_address(said, value):
    assert said(HF_ENDPOINT=value) == f"HF_ENDPOINT: {value!r} is no address; write it like https://huggingface.co."


def test_addresses_that_are_some(said):
    assert said(HF_ENDPOINT="http://127.0.0.1:80/mirror") == said(HF_ENDPOINT="https://huggingface.co") == ""


def test_all_that_is_wrong_is_said_at_once(said):
    text = said(EMBEDVIZ_CACHE="/proc/1/x", HF_ENDPOINT="x")
    assert "EMBEDVIZ_CACHE: " in text
    assert "HF_ENDPOINT: " in text
