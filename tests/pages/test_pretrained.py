"""The page "Compare" with GPT-2's own vectors: from a server in the Hub's layout, and without one."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.models.hub import fetch_limiter
from embedviz.ui.messages import literal
from tests.models.hub import CAT_IDS, use
from tests.pages.site import programs, shown, visit

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
NOWHERE = "http://127.0.0.1:9"
OFFLINE = (
    "The vectors of gpt2 cannot be read: there is no connection to 127.0.0.1:9. "
    "The sources random and trained (in the settings) are always there."
)


def errors(at: AppTest) -> list[str]:
    return [element.value for element in at.error]


def ids(at: AppTest, name: str) -> list[int]:
    return [chip["id"] for chip in shown(at, "order")["sentences"]["AB".index(name)]]


def test_the_pictures_are_of_the_models_vectors(hub_server):
    at = visit(view="pairs", source="gpt2", first="all")
    assert not at.exception
    assert errors(at) == []
    a, b = (ev.embed(text, ev.Spec(source="gpt2")) for text in (CAT, MAT))
    strips = shown(at, "strips")
    assert np.array_equal(strips["positions"], b.positional_embeddings)
    for pair in strips["pairs"]:
        i, j = pair["places"]
        assert (
            strips["tokens"][pair["token"]].tobytes()
            == a.token_embeddings[i].tobytes()
            == b.token_embeddings[j].tobytes()
        )
    assert a.token_embeddings.any(axis=1).all()
    assert "The trained vectors of GPT-2." in at.caption[1].value
    assert 'fetched("openai-community/gpt2", file)' in programs(visit(source="gpt2", view="pairs"))[0]


def test_what_the_model_decides_is_shown_and_locked(hub_server):
    at = visit(view="pairs", source="gpt2")
    fields = {field.label: (field.value, field.disabled) for field in (*at.number_input, *at.selectbox)}
    assert fields["Dimensions (output_dim)"] == (768, True)
    assert fields["context_length"] == (1024, True)
    assert fields["Tokenizer"] == ("gpt2", True)
    assert fields["Source"] == ("gpt2", False)


def test_what_the_model_decides_goes_over_the_address(hub_server):
    at = visit(
        view="pairs", first="all", source="gpt2", tokenizer="words", output_dim="64", context_length="3", seed="7"
    )
    assert errors(at) == []
    assert ids(at, "A") == CAT_IDS
    assert shown(at, "strips")["tokens"].shape == (5, 768)


def test_without_a_network_the_page_says_so_and_goes_on(hf_home, monkeypatch):
    use(NOWHERE, monkeypatch)
    at = visit(view="pairs", first="all", source="gpt2", a="dog bites man", output_dim="64")
    assert not at.exception
    assert errors(at) == [literal(OFFLINE)]
    assert shown(at, "strips") is None
    assert ids(at, "A") == [3290, 26081, 582]
    at.text_input(key="b").set_value("man bites dog").run()
    assert errors(at) == [literal(OFFLINE)]
    at.selectbox(key="source").set_value("random").run()
    assert not at.exception
    assert errors(at) == []
    assert (at.text_input(key="a").value, at.text_input(key="b").value) == ("dog bites man", "man bites dog")
    assert shown(at, "strips")["tokens"].shape == (3, 64)


def test_try_again(hub_server, monkeypatch):
    monkeypatch.setattr(fetch_limiter, "PAUSE_SECONDS", 0)
    address = hub_server.address
    use(NOWHERE, monkeypatch)
    at = visit(view="pairs", source="gpt2", b="the mat", first="all")
    at.button(key="try_again").click().run()
    assert errors(at) == [literal(OFFLINE)]
    use(address, monkeypatch)
    at.text_input(key="b").set_value("the cat").run()
    assert errors(at) == [literal(OFFLINE)]  # still remembered
    at.button(key="try_again").click().run()
    assert errors(at) == []
    assert ids(at, "B") == [262, 3797]
    assert shown(at, "strips")["tokens"].shape == (2, 768)


def test_what_the_server_says_does_not_reach_the_page(hub_server):
    hub_server.head_fault = "500"
    hub_server.headers = {"X-Error-Message": "**bold** <script>", "X-Error-Code": "RepoNotFound"}
    at = visit(view="pairs", source="gpt2")
    assert "bold" not in errors(at)[0]
    assert "answered with status 500" in errors(at)[0].replace("\\", "")


@pytest.mark.parametrize("source", ["gpt3", "../gpt2", "a/b/c", "a b/c", "http://example.invalid", "x/" + "y" * 200])
def test_a_name_that_is_none_stays_in_its_field_and_asks_no_one(hub_server, source):
    at = visit(view="pairs", source=source)
    assert not at.exception
    assert at.selectbox(key="source").value == source
    [said] = errors(at)
    assert said.replace("\\", "").endswith("The source random stays in use.")
    assert ids(at, "A") == CAT_IDS
    assert hub_server.requests == []


def test_an_empty_name_is_the_usual_source(hub_server):
    at = visit(view="pairs", source="")
    assert not at.exception
    assert errors(at) == []
    assert ids(at, "A") == CAT_IDS


def test_more_words_than_the_model_has_positions(hub_server, monkeypatch):
    at = visit(view="pairs", source="gpt2", a=" ".join(["the"] * 300), b="the")
    assert errors(at) == []
    assert ids(at, "A") == [262] * 256
