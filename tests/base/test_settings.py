"""What whoever runs the server may set: taken, refused, listed, and what it does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import embedviz as ev
from embedviz.base.settings import ROOT, Settings, read


def python(*arguments: str, **variables: str) -> subprocess.CompletedProcess:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ | variables, capture_output=True, text=True, check=False)


def test_without_variables_the_defaults_hold(monkeypatch):
    monkeypatch.delenv("EMBEDVIZ_CACHE", raising=False)
    monkeypatch.delenv("EMBEDVIZ_MODELS", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert read() == Settings(cache=Path("/somewhere/embedviz"), models=Path("/somewhere/embedviz/models"))
    assert (read().table_mib, read().tables_mib, read().frame_ancestors) == (512, 1024, ())
    assert read().forward_mib == 1024
    assert (read().models_mib, read().header_mib, read().tokenizer_mib, read().sources) == (4096, 8, 40, "any")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("EMBEDVIZ_TABLES_MIB", "many", "EMBEDVIZ_TABLES_MIB: Input should be a valid integer"),
        ("EMBEDVIZ_TABLES_MIB", "1", "EMBEDVIZ_TABLES_MIB: Input should be greater than or equal to 64"),
        ("EMBEDVIZ_WAITING_RUNS", "0", "EMBEDVIZ_WAITING_RUNS: Input should be greater than or equal to 4"),
        ("EMBEDVIZ_SESSIONS", "0", "EMBEDVIZ_SESSIONS: Input should be greater than or equal to 1"),
        ("EMBEDVIZ_METRICS_PORT", "65536", "EMBEDVIZ_METRICS_PORT: Input should be less than or equal to 65535"),
        ("EMBEDVIZ_STOP_SECONDS", "-1", "EMBEDVIZ_STOP_SECONDS: Input should be greater than or equal to 0"),
        ("EMBEDVIZ_ADDRESS_KIB", "64", "EMBEDVIZ_ADDRESS_KIB: Input should be less than or equal to 60"),
        ("EMBEDVIZ_LOG_LEVEL", "LOUD", "EMBEDVIZ_LOG_LEVEL: Input should be 'DEBUG', 'INFO', 'WARNING' or 'ERROR'"),
        ("EMBEDVIZ_TABEL_MIB", "5", "EMBEDVIZ_TABEL_MIB: there is no such setting"),
        ("EMBEDVIZ_FRAME_ANCESTORS", "https://a.org; script-src *", "'https://a.org;' is no origin"),
        ("EMBEDVIZ_FRAME_ANCESTORS", "https:; script-src *", "'https:;' is no origin"),
        ("EMBEDVIZ_FRAME_ANCESTORS", "javascript:alert(1)", "'javascript:alert(1)' is no origin"),
        ("EMBEDVIZ_HOSTS", "https://a.org", "EMBEDVIZ_HOSTS: 'https://a.org' is no host's name"),
        ("EMBEDVIZ_HOSTS", "a.org b.org:80", "EMBEDVIZ_HOSTS: 'b.org:80' is no host's name"),
        ("EMBEDVIZ_HEADER_MIB", "0", "EMBEDVIZ_HEADER_MIB: Input should be greater than or equal to 1"),
        ("EMBEDVIZ_HEADER_MIB", "101", "EMBEDVIZ_HEADER_MIB: Input should be less than or equal to 100"),
        ("EMBEDVIZ_TOKENIZER_MIB", "0", "EMBEDVIZ_TOKENIZER_MIB: Input should be greater than or equal to 1"),
        ("EMBEDVIZ_TOKENIZER_MIB", "1025", "EMBEDVIZ_TOKENIZER_MIB: Input should be less than or equal to 1024"),
        ("EMBEDVIZ_FORWARD_MIB", "-1", "EMBEDVIZ_FORWARD_MIB: Input should be greater than or equal to 0"),
        ("EMBEDVIZ_MODELS_MIB", "-1", "EMBEDVIZ_MODELS_MIB: Input should be greater than or equal to 0"),
        ("EMBEDVIZ_VOTES", "localhost:6379", "EMBEDVIZ_VOTES: it is no address of a Valkey or Redis"),
    ],
)
def test_what_is_wrong_is_named_with_what_there_is(name, value, message, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(ev.EmbedvizError) as error:
        read()
    assert message in str(error.value)
    assert "EMBEDVIZ_CACHE" in str(error.value)


def test_the_sites_names_are_taken_in_small_letters(monkeypatch):
    monkeypatch.setenv("EMBEDVIZ_HOSTS", " Embedviz.example.org  demo.example.org")
    assert read().hosts == ("embedviz.example.org", "demo.example.org")


@pytest.mark.parametrize(
    ("value", "taken"),
    [
        ("any", "any"),
        (" list ", "list"),
        ("openai-community/gpt2", "openai-community/gpt2"),
        ("a/b.c_d-1\tOwner/0 \n x/y", "a/b.c_d-1 Owner/0 x/y"),
    ],
)
def test_models_may_be_any_those_of_the_list_or_named_ones(value, taken, monkeypatch):
    monkeypatch.setenv("EMBEDVIZ_SOURCES", value)
    assert read().sources == taken


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("gpt2", "'gpt2'"),
        ("Any", "'Any'"),
        ("any list", "'any'"),
        ("a/b list", "'list'"),
        ("a/b/c", "'a/b/c'"),
        ("a/b ../etc", "'../etc'"),
        ("a/b..c", "'a/b..c'"),
        ("a/.b", "'a/.b'"),
        ("-a/b", "'-a/b'"),
        ("a/b,c/d", "'a/b,c/d'"),
        ("ä/b", "'ä/b'"),
        ("a/", "'a/'"),
        (" ", "' '"),
    ],
)
def test_what_cannot_be_a_models_name_is_refused(value, wrong, monkeypatch):
    monkeypatch.setenv("EMBEDVIZ_SOURCES", value)
    with pytest.raises(ev.EmbedvizError) as error:
        read()
    assert str(error.value).startswith(f"EMBEDVIZ_SOURCES: {wrong} names no model; write any, list, or names like ")


def test_all_that_is_wrong_is_named_at_once(monkeypatch):
    monkeypatch.setenv("EMBEDVIZ_NOTHING", "1")
    monkeypatch.setenv("EMBEDVIZ_TABLE_MIB", "0")
    with pytest.raises(ev.EmbedvizError, match=r"EMBEDVIZ_NOTHING.*EMBEDVIZ_TABLE_MIB"):
        read()


def test_an_empty_variable_is_none(monkeypatch):
    monkeypatch.setenv("EMBEDVIZ_TABLE_MIB", "")
    assert read().table_mib == 512


def test_the_list_shows_every_setting_with_its_value():
    lines = python("-m", "embedviz.base.settings", EMBEDVIZ_TABLE_MIB="7").stdout.splitlines()
    assert [line.split("=")[0] for line in lines[::2]] == [f"EMBEDVIZ_{name.upper()}" for name in Settings.model_fields]
    assert "EMBEDVIZ_TABLE_MIB=7" in lines
    assert all(line.startswith("    ") and line.endswith(".") for line in lines[1::2])


@pytest.mark.parametrize("value", ["redis://:zyxwvut@valkey:6379/0", "http://zyxwvut@valkey"])
def test_a_password_is_neither_listed_nor_logged_nor_repeated(value):
    listed = python("-m", "embedviz.base.settings", EMBEDVIZ_VOTES=value)
    logged = "from embedviz.base.settings import configured; print(configured(), configured().model_dump())"
    for done in (listed, python("-c", logged, EMBEDVIZ_VOTES=value)):
        assert "zyxwvut" not in done.stdout + done.stderr
        assert "EMBEDVIZ_VOTES" in listed.stdout + listed.stderr


PROJECT = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"


def test_the_limits_are_those_that_are_set(run):
    program = """
import embedviz as ev
from embedviz.base import disk_cache
from embedviz.text import uploaded
from embedviz.training import queue, train
from embedviz.vectors import spec, tables
from embedviz.ui.inputs import sentences
print(tables.MAX_TABLE_BYTES, tables.kept_tables.maxsize, queue.MAX_WAITING, disk_cache.max_bytes())
print(spec.MAX_OUTPUT_DIM, train.MAX_STEPS, uploaded.MAX_BYTES, sentences.MAX_TOKENS)
for settings in ({"output_dim": 301}, {"source": "gpt2"}):
    try:
        ev.Spec(**settings)
    except ev.EmbedvizError as error:
        print(error)
try:
    ev.embed("cat", ev.Spec(output_dim=256))
except ev.EmbedvizError as error:
    print(error)
"""
    limits = {"TABLE_MIB": "2", "TABLES_MIB": "64", "WAITING_RUNS": "4", "CACHE_MIB": "5", "DIMENSIONS": "300"}
    limits |= {"TRAINING_STEPS": "400", "UPLOAD_MB": "2", "TOKENS": "20"}
    printed = run(PROJECT + program, **{f"EMBEDVIZ_{name}": value for name, value in limits.items()})
    numbers, sizes, wide, wider, message = printed
    assert sizes.split() == ["300", "400", "2000000", "20"]
    assert wide == "output_dim must be a whole number from 1 to 300, not 301."
    assert wider == (
        "The vectors of gpt2 have 768 dimensions; 300 are the most here. Take another source, such as random."
    )
    assert numbers.split() == [str(2 * 2**20), str(64 * 2**20), "4", str(5 * 2**20)]
    assert "the limit is 2." in message


def test_a_server_with_a_wrong_setting_does_not_start_and_says_no_more_than_that():
    done = python("-m", "uvicorn", "app:app", "--port", "0", EMBEDVIZ_TABLES_MIB="lots")
    assert done.returncode == 1
    assert done.stderr.startswith("EMBEDVIZ_TABLES_MIB: Input should be a valid integer")
    assert done.stderr.count("\n") == 1
    done = python("-m", "uvicorn", "app:app", "--port", "0", EMBEDVIZ_CACHE="/proc/1/x", HF_ENDPOINT="notaurl")
    assert done.returncode == 1
    assert done.stderr.startswith("EMBEDVIZ_CACHE: /proc/1/x cannot be a folder")
    assert "HF_ENDPOINT: 'notaurl' is no address" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_beside_the_app_sets_what_the_environment_does_not(tmp_path, monkeypatch):
    file = tmp_path / "settings.env"
    file.write_text("EMBEDVIZ_TABLE_MIB=9\nEMBEDVIZ_TABLES_MIB=99\n")
    monkeypatch.setitem(Settings.model_config, "env_file", file)
    monkeypatch.setenv("EMBEDVIZ_TABLE_MIB", "8")
    assert (read().table_mib, read().tables_mib) == (8, 99)
    file.write_text("EMBEDVIZ_TABEL_MIB=9\n")
    with pytest.raises(ev.EmbedvizError, match=r"^EMBEDVIZ_TABEL_MIB: Extra inputs"):
        read()


def test_one_table_fits_into_what_all_may_take(run):
    program = """
from embedviz import Spec
from embedviz.vectors import tables
output_dim = tables.MAX_TABLE_BYTES // (4 * 50_257)
spec = Spec(output_dim=output_dim)
assert tables.token_table(50_257, spec) is tables.token_table(50_257, spec)
print(output_dim, 4 * 50_257 * (output_dim + 1) <= 64 * 2**20)
"""
    (printed,) = run(PROJECT + program, EMBEDVIZ_TABLE_MIB="512", EMBEDVIZ_TABLES_MIB="64")
    assert printed.split() == ["333", "False"]
