"""Pages with a model of any family: what its files lack is said where the vectors would be, and the page lives on."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.base.concurrency import script_lock
from embedviz.models.hub import fetch_limiter
from embedviz.ui import turns
from tests.models.hub import Hub
from tests.models.shelf import ids_of, on_shelf
from tests.pages.site import messages, shown, visit

NAME = "google-bert/bert-base-uncased"  # AppTest sends no name again that is not on the list
CAT = "the cat sat on the mat"
PAGES = {"": {"view": "pairs"}, "attention": {}, "relative": {}}  # each with its view that reads a source


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    found = tmp_path_factory.mktemp("shelf") / "model"
    looked = on_shelf("gpt2", found, CAT, n_positions=64, n_embd=16)
    assert looked.config["n_positions"] == 64
    return found


@pytest.fixture
def folder(hub_server: Hub, shelf: Path, tmp_path, monkeypatch):
    """The model's files, which a test may take away."""
    monkeypatch.setattr(fetch_limiter, "PAUSE_SECONDS", 0)
    hub_server.files[NAME] = shutil.copytree(shelf, tmp_path / "model")
    return tmp_path / "model"


def said(at: AppTest) -> str:
    assert not at.exception
    return " ".join(messages(at))


def shown_ids(at: AppTest) -> list[int]:
    return [chip["id"] for chip in shown(at, "order")["sentences"][0]]


def test_the_pictures_are_of_any_models_vectors(folder):
    at = visit(view="pairs", source=NAME, first="all")
    assert said(at) == ""
    assert shown_ids(at) == ids_of("gpt2", CAT)
    strips = shown(at, "strips")
    rows = [strips["tokens"][pair["token"]].tobytes() for pair in strips["pairs"]]
    assert b"".join(rows) == ev.embed(CAT, ev.Spec(source=NAME)).token_embeddings.tobytes()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("config.json", "there is no model of this name, or it has no config.json."),
        ("model.safetensors", "the model has no weights as safetensors."),
        ("tokenizer.json", "it has no tokenizer.json that can be had here."),
    ],
)
def test_a_file_that_is_missing_is_said_and_can_be_tried_again(folder, page, file, words):
    (folder / file).rename(folder / "elsewhere")
    at = visit(page, source=NAME, **PAGES[page])
    blamed = "tokenizer" if file == "tokenizer.json" else "vectors"
    assert f"The {blamed} of {NAME} cannot be read: {words}" in said(at)
    assert at.selectbox(key="source").value == NAME
    (folder / "elsewhere").rename(folder / file)
    at.button(key="try_again").click().run()
    assert "cannot be read" not in said(at)


@pytest.mark.parametrize("page", PAGES)
def test_a_gated_model_says_what_to_do_and_the_page_goes_on(folder, hub_server, page):
    hub_server.closed = {("HEAD", "config.json"): 403}
    at = visit(page, source=NAME, **PAGES[page])
    assert "accept the model's terms, and start embedviz with your token in HF_TOKEN." in said(at)
    at.selectbox(key="source").set_value("random").run()
    assert "cannot be read" not in said(at)


def test_others_have_their_turn_while_a_model_is_asked_for(folder, monkeypatch):
    pauses = []
    release = turns.release_lock

    def noted(*, unless=False):
        pauses.append(not unless)
        return release(unless=unless)

    monkeypatch.setattr(turns, "release_lock", noted)
    hold = fetch_limiter.FetchLimiter.alone
    free = []
    monkeypatch.setattr(
        fetch_limiter.FetchLimiter, "alone", lambda self: free.append(not script_lock.is_held()) or hold(self)
    )
    at = visit(view="pairs", source=NAME)
    assert said(at) == ""
    assert any(pauses)
    assert free
    assert all(free)
