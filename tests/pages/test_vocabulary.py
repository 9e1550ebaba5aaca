"""The page "Vocabulary", run as Streamlit runs it, and the sentences that it says."""

import io
import threading
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from transformers import AutoConfig, AutoModel

import embedviz as ev
from embedviz.base.settings import configured
from embedviz.text.grammar import CLASS_OF
from embedviz.text.tokens import TOKENIZERS
from embedviz.text.visible import visible
from embedviz.ui.components.cloud import cloud
from embedviz.ui.messages import literal
from embedviz.vectors import tables
from embedviz.vectors.neighbours import Neighbours, nearest
from embedviz.vectors.tables import token_table
from embedviz.vocabulary import fetching
from embedviz.vocabulary.token_map import View, draw
from embedviz.vocabulary.vocabulary import KINDS, vocabulary
from embedviz.vocabulary.word_map import N_WORDS, word_map
from pages.vocabulary import files, token_search
from pages.vocabulary.settings import MapSettings
from pages.vocabulary.token_search import SearchResult
from tests.models.hub import use
from tests.models.tiny import made
from tests.pages.site import headlines, messages, shown, visit
from tests.text.tokenizer_files import tokenizer_json

HANGS = 600  # seconds


def open_page(**query) -> AppTest:
    """At random vectors, unless the address names others."""
    query = {"source": "random"} | query
    # The first page, which AppTest runs before, has fields of these names, whose values would stay.
    settings = {name: query.pop(name) for name in ("tokenizer", "output_dim") if name in query}
    at = visit("vocabulary", **query)
    if "output_dim" in settings:
        at.number_input(key="output_dim").set_value(int(settings["output_dim"]))
    if settings.get("tokenizer") in TOKENIZERS:
        at.selectbox(key="tokenizer").set_value(settings["tokenizer"])
    at = at.run() if settings else at
    assert not at.exception
    return at


def points(at: AppTest) -> np.ndarray:
    return shown(at, "cloud")["points"].reshape(-1, 2)


def listed(at: AppTest) -> list[dict]:
    return (shown(at, "ranking") or {"lists": []})["lists"]


def marks(at: AppTest) -> dict:
    return shown(at, "cloud_marks")


@pytest.mark.parametrize(
    ("query", "source", "n"),
    [
        ({}, "minilm-words", N_WORDS), ({"source": "minilm-words"}, "minilm-words", N_WORDS),
        ({"token": "dog"}, "minilm-words", N_WORDS), ({"source": "trained"}, "trained", 31),
        ({"source": "random"}, "random", 50_257), ({"tokenizer": "gpt2"}, "random", 50_257),
        ({"seed": "5"}, "random", 50_257), ({"source": "trained", "seed": "5"}, "trained", 31),
    ],
)  # fmt: skip
def test_the_map_of_words_comes_first_unless_the_address_means_another(query, source, n):
    at = visit("vocabulary", **query)
    assert not at.exception
    assert at.selectbox(key="source").value == source
    assert len(points(at)) == n
    assert at.query_params["source"] in (source, [source])  # a link shows the same elsewhere


def test_the_map_of_words_says_what_it_is_and_lists_the_neighbours_of_cat():
    at, known = visit("vocabulary"), word_map()
    assert at.caption[1].value == (
        "The trained vectors of MiniLM. The map comes with the app. "
        "15,000 words of MiniLM, laid out by t-SNE (perplexity 30, seed 0). Distances between groups mean little."
    )
    assert np.array_equal(points(at), known.points.points)
    cat = known.tokens.find("cat")
    near = known.near(cat)
    (only,) = [each for each in listed(at) if "Nearest" in each["title"]]
    assert only["title"] == f"Nearest to cat (ID {cat})"
    nearest = [known.tokens.texts[id_] for id_ in near.ids[:3].tolist()]
    assert headlines(at) == {"always": f"Nearest to cat: {', '.join(nearest)}"}
    assert [row["id"] for row in only["rows"]] == near.ids.tolist()
    assert marks(at)["near"] == near.ids[:3].tolist()
    assert [row["value"] for row in only["rows"]] == [f"{value:.4f}" for value in near.values]
    assert marks(at)["picked"] == cat
    assert marks(at)["alt"].startswith(
        "Map of 15,000 of 30,522 tokens of MiniLM. Its axes mean nothing by themselves. Picked: cat, ID "
    )
    names = shown(at, "cloud_texts")["names"].split("\n")
    assert [names[id_] for id_ in shown(at, "cloud")["ids"].astype(int)] == [
        text for text in known.tokens.texts if text
    ]


@pytest.mark.parametrize(("text", "shows"), [("Dog", "dog"), ("␣dog", "dog"), ("#4937", None)])
def test_a_word_of_the_map_is_found_by_its_text_and_by_its_id(text, shows):
    at, known = visit("vocabulary", token=text), word_map()
    assert messages(at) == []
    assert marks(at)["picked"] == (known.tokens.find(shows) if shows else 4937)


@pytest.mark.parametrize("text", ["#0", "#99999", "the cat"])
def test_what_is_not_on_the_map_of_words_leaves_the_last_good_one(text):
    at = visit("vocabulary", token="dog")
    at.text_input(key="token").set_value(text).run()
    assert not at.exception
    assert "Still shown: dog." in messages(at)[0]
    assert marks(at)["picked"] == word_map().tokens.find("dog")


def test_the_headline_names_no_neighbour_if_all_are_equally_near():
    near = Neighbours(np.array([4, 5, 6, 7]), np.array([0.5, 0.4, 0.4, 0.4], np.float32), "cosine")
    assert SearchResult(1, neighbours=near).nearest == [4, 5, 6]
    equal = Neighbours(near.ids, np.ones(4, np.float32), "cosine")
    assert SearchResult(1, neighbours=equal).nearest == SearchResult().nearest == []


def test_a_part_of_words_lights_those_that_contain_it_and_no_line_leads_anywhere():
    at = visit("vocabulary", token="ificat")
    lit = [id_ for id_, text in enumerate(word_map().tokens.texts) if "ificat" in text]
    assert sorted(marks(at)["lit"]) == lit
    assert (marks(at)["picked"], marks(at)["near"]) == (None, [])


def test_random_vectors_are_a_switch_away():
    at = visit("vocabulary")
    at.toggle(key="contrast").set_value(True).run()
    assert not at.exception
    assert at.query_params["source"] in ("random", ["random"])
    assert "is chance" in at.caption[1].value
    assert len(points(at)) == 50_257
    at.toggle(key="contrast").set_value(False).run()
    assert at.selectbox(key="source").value == "minilm-words"
    assert len(points(at)) == N_WORDS


def test_the_same_class_is_counted():
    at = visit("vocabulary", source="trained")
    table, names = token_table(31, ev.Spec(source="trained")), [CLASS_OF[text] for text in sorted(CLASS_OF)]
    near = [int(nearest(table[n], table, 1, "cosine", exclude=(n,)).ids[0]) for n in range(31)]
    n_alike = sum(names[n] == names[k] for n, k in enumerate(near) if names.count(names[n]) > 1)
    assert f"for {n_alike} of 30 words the nearest one" in at.caption[1].value


def test_random_vectors_show_every_token():
    at = open_page()
    assert np.array_equal(points(at), draw(ev.Spec(), View()).points)
    assert shown(at, "cloud")["ids"] is None
    assert len(shown(at, "cloud_texts")["names"].split("\n")) == 50_257
    near = nearest(*[token_table(50_257, ev.Spec())[n] for n in (3797, slice(None))], 10, exclude=(3797,))
    assert [row["id"] for row in listed(at)[0]["rows"]] == near.ids.tolist()
    assert [row["value"] for row in listed(at)[0]["rows"]] == [f"{value:.4f}" for value in near.values]
    assert marks(at)["picked"] == 3797
    assert marks(at)["lit"] == [3797, *near.ids.tolist()]
    assert marks(at)["near"] == near.ids[:3].tolist()


def test_what_is_told_to_those_who_cannot_see_it():
    first, second = draw(ev.Spec(), View()).explained[:2]
    near = listed(open_page())[0]["rows"][0]
    assert marks(open_page())["alt"] == (
        "Map of 50,257 tokens of gpt2. Axes, with their shares of the variance: "
        f"PC 1: {first:.2%}; PC 2: {second:.2%}. "
        f"Picked: ␣cat, ID 3797, word, space before. Nearest by cosine: {near['name']}, {near['value']}."
    )


@pytest.mark.parametrize(("name", "size"), [("cl100k_base", 100_277), ("o200k_base", 200_019), ("words", 589)])
def test_every_tokenizer_is_shown_whole(name, size):
    at = open_page(tokenizer=name, output_dim="8")
    assert len(points(at)) == size == marks(at)["size"]
    texts = shown(at, "cloud_texts")
    assert len(texts["names"].split("\n")) == len(texts["lengths"]) == len(texts["kinds"]["codes"]) == size


def test_the_texts_tell_kinds_and_lengths():
    found = vocabulary(ev.Spec())
    texts = shown(open_page(), "cloud_texts")
    assert texts["kinds"]["names"] == list(KINDS)
    assert [ord(letter) - 48 for letter in texts["kinds"]["codes"]] == found.kinds.tolist()
    assert [ord(letter) - 48 for letter in texts["lengths"]] == np.minimum(found.lengths, 78).tolist()
    assert texts["names"].split("\n")[::97] == [visible(text) for text in found.texts[::97]]


def test_a_part_of_tokens_lights_and_lists_those_that_contain_it():
    at = open_page(token="ificat")
    found = vocabulary(ev.Spec())
    ids = [n for n, text in enumerate(found.texts) if "ificat" in text.lower()]
    assert sorted(marks(at)["lit"]) == ids
    (only,) = listed(at)
    assert sorted(row["id"] for row in only["rows"]) == ids
    assert only["title"] == f"{len(ids)} tokens have “ificat” in them"
    assert marks(at)["picked"] is None
    assert marks(at)["alt"].endswith(f"Contain what is typed: {len(ids)} tokens.")


def test_a_word_has_its_neighbours_and_those_that_contain_it_the_word_first():
    at = open_page(token="cat")
    near, contain = listed(at)
    own = vocabulary(ev.Spec()).texts.index("cat")
    assert near["title"] == f"Nearest to cat (ID {own})"
    assert contain["rows"][0]["id"] == own
    assert "ification" not in [row["name"] for row in contain["rows"][:20]]
    assert marks(at)["lit"] == [own, *(row["id"] for row in near["rows"])]


def test_selecting_and_typing_a_part_leave_the_points_as_they_were():
    at = open_page()
    before = [c.proto.bytes for c in at.get("bidi_component") if c.proto.id.endswith(("-cloud", "-cloud_texts"))]
    at.text_input(key="token").set_value("dog").run()
    at.text_input(key="token").set_value("ificat").run()
    after = [c.proto.bytes for c in at.get("bidi_component") if c.proto.id.endswith(("-cloud", "-cloud_texts"))]
    assert before == after
    assert len(before) == 2


def test_many_hits_are_said_to_be_cut(monkeypatch):
    at = open_page(token="e")
    assert "The first 60 are listed." in listed(at)[1]["note"]
    assert len(listed(at)[1]["rows"]) == 60
    monkeypatch.setattr(token_search, "MAX_LIT", 7)
    at = open_page(token="ificat")
    assert "The first 7 are highlighted." in listed(at)[0]["note"]
    assert len(marks(at)["lit"]) == 7


def test_a_part_alone_is_projected_again():
    at = open_page(token="ificat", alone="true")
    ids = shown(at, "cloud")["ids"].astype(int).tolist()
    assert ids == sorted(row["id"] for row in listed(at)[0]["rows"])
    assert np.array_equal(points(at), draw(ev.Spec(), View(only=tuple(ids))).points)
    assert marks(at)["alt"].startswith(f"Map of {len(ids)} of 50,257 tokens of gpt2.")
    assert "at least two tokens" in messages(open_page(token="unaccount", alone="true", tokenizer="words"))[0]


def test_an_axis_between_two_tokens():
    at = open_page(map="Axis", **{"from": "␣good", "to": "␣bad"})
    found = vocabulary(ev.Spec())
    ends = (found.find("␣good"), found.find("␣bad"))
    assert np.array_equal(points(at), draw(ev.Spec(), View(method="axis", ends=ends)).points)
    assert marks(at)["axes"][0].startswith("␣good → ␣bad: ")
    same = open_page(map="Axis", **{"from": "␣good", "to": "␣good"})
    assert "two tokens with different vectors" in messages(same)[0]
    assert marks(same)["axes"][0].startswith("PC 1: ")
    refused = open_page(map="Axis", sphereize="true")
    assert "turn “Sphereize” off" in messages(refused)[0]
    assert marks(refused)["axes"][0].startswith("PC 1: ")


@pytest.mark.parametrize("text", ["", "no such token", "#99999", "<img src=x onerror=alert(1)>", "**b** $x$ :red[x]"])
def test_what_is_no_token_leaves_the_last_good_one(text):
    at = open_page(token="␣dog")
    at.text_input(key="token").set_value(text).run()
    assert not at.exception
    assert "Still shown: ␣dog." in messages(at)[0]
    assert at.error[0].value == literal(messages(at)[0])
    assert marks(at)["picked"] == vocabulary(ev.Spec()).find(" dog")


@pytest.mark.parametrize(
    "query",
    [
        {"tokenizer": "bert"}, {"map": "LDA"}, {"colour": "red"}, {"view": "None"}, {"metric": "dot"},
        {"map": "t-SNE"}, {"map": "umap"}, {"sphereize": "perhaps"}, {"seed": "inf"}, {"view": "position"}
    ],
)  # fmt: skip
def test_bad_settings_fall_back(query):
    assert len(points(open_page(**query))) == 50_257


def test_a_table_that_is_too_large_is_refused():
    at = open_page(tokenizer="o200k_base", output_dim="1600")
    assert "the limit is 512. Try output_dim 671." in messages(at)[0]


def test_a_click_on_the_map_picks_the_token(monkeypatch):
    """The callback, since AppTest cannot click a component."""
    tokens = vocabulary(ev.Spec())
    state = {"cloud": type("Clicked", (), {"picked": 262})()}
    monkeypatch.setattr(token_search.st, "session_state", state)
    token_search.pick_from("cloud", tokens)()
    assert state["token"] == "␣the"
    for wrong in (None, -1, 50_257, "3", [1]):
        state["cloud"].picked = wrong
        token_search.pick_from("cloud", tokens)()
        assert state["token"] == "␣the"


def test_every_token_is_written_so_that_it_leads_back():
    for name in ("gpt2", "words"):
        tokens = vocabulary(ev.Spec(tokenizer=name))
        for id_ in range(0, len(tokens), 13):
            assert tokens.find(token_search.written(id_, tokens)) == id_


def test_names_are_the_visible_texts():
    texts = vocabulary(ev.Spec(tokenizer="o200k_base")).texts
    assert all(cloud.name(text) == visible(text) for text in texts[::7])


def test_files_are_made_of_what_is_said(monkeypatch):
    spec = ev.Spec(tokenizer="words", output_dim=64)
    chosen = MapSettings(spec, View(), "id")
    tokens = vocabulary(spec)
    found = draw(spec, View(only=(5, 9, 200)))
    table = token_table(len(tokens), spec)
    assert np.array_equal(files.vectors_of(chosen, tokens, found.ids), table[[5, 9, 200]])
    arrays = np.load(io.BytesIO(files.npz_of(chosen, tokens, np.array([9, 200]), found)))
    assert np.array_equal(arrays["points"], found.points[1:])
    assert arrays["tokens"].tolist() == [tokens.texts[9], tokens.texts[200]]
    assert [row[:2] for row in files.metadata_of(tokens, found.ids)] == [(tokens.texts[n], n) for n in (5, 9, 200)]


def test_downloads_say_how_many_rows_they_have():
    labels = [button.proto.label for button in open_page().get("download_button")]
    n_text = files.MAX_BYTES // (256 * 12)
    assert labels == [
        f"vectors.tsv ({n_text:,} × 256)",
        f"metadata.tsv ({n_text:,} tokens)",
        "vocabulary.npz (50,257 × 256)",
    ]
    assert n_text * 256 * 12 <= files.MAX_BYTES
    note = "Rows: all tokens. Of a larger table the first that fit into 64 MiB"
    assert any(note in caption.value for caption in open_page().caption)
    few = open_page(token="ificat", alone="true")
    assert not any("that fit" in caption.value for caption in few.caption)
    n_drawn = len(points(few))
    assert any(f"Rows: the {n_drawn} tokens on the map." in caption.value for caption in few.caption)
    assert few.get("download_button")[0].proto.label == f"vectors.tsv ({n_drawn} × 256)"


# Sources ------------------------------------------------------------------------------------------------


def open_source(source: str, **query) -> AppTest:
    at = visit("vocabulary", **query)
    at.selectbox(key="source").set_value(source).run()
    assert not at.exception
    return at


def test_trained_vectors_have_their_word_classes():
    at = open_source("trained")
    spec = ev.Spec(source="trained")
    assert np.array_equal(points(at), draw(spec, View()).points)
    at.selectbox(key="colour").set_value("class").run()
    assert marks(at)["colour"] == "class"
    texts = shown(at, "cloud_texts")
    names = texts["names"].split("\n")
    classes = [texts["classes"]["names"][int(code)] for code in texts["classes"]["codes"]]
    assert dict(zip(names, classes, strict=True)) == CLASS_OF
    assert [row["name"] for row in listed(at)[0]["rows"]][:1] == ["fox"]


def test_random_vectors_have_no_word_classes():
    assert "word class" not in open_page().selectbox(key="colour").options
    assert marks(open_page(colour="word class"))["colour"] == "id"


def join_downloads() -> None:
    for thread in threading.enumerate():
        if thread.name == "download":
            thread.join(HANGS)


@pytest.fixture(autouse=True)
def _downloads(monkeypatch):
    monkeypatch.setattr(fetching, "downloads", fetching.download_jobs())
    yield
    join_downloads()


def put(folder: Path, name: str, family: str) -> str:
    """A real model, tiny, in the folder; its name."""
    made(family).save_pretrained(folder / name)
    (folder / name / "tokenizer.json").write_bytes(tokenizer_json("test/word-pieces"))
    return name


MINILM = "sentence-transformers/all-MiniLM-L6-v2"


def test_a_real_model_that_is_here_is_shown_whole_and_named(models_folder):
    shape = {"vocab_size": 400, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1}
    model = AutoModel.from_config(AutoConfig.for_model("bert", intermediate_size=8, **shape))
    model.save_pretrained(models_folder / MINILM)
    (models_folder / MINILM / "tokenizer.json").write_bytes(tokenizer_json("test/word-pieces"))
    assert visit("vocabulary").selectbox(key="source").value == "minilm-words"
    at = visit("vocabulary", source=MINILM)
    assert not at.exception
    assert at.caption[1].value.startswith("The trained vectors of MiniLM. ")
    assert len(points(at)) == 400
    names = shown(at, "cloud_texts")["names"].split("\n")
    assert (names[:1], names[-1]) == (["[PAD]"], "<unused␣399>")


def test_a_link_to_a_model_that_is_not_to_be_had_says_so_and_shows_no_other(hub_server):
    at = visit("vocabulary", source="own/lacking")
    assert not at.exception
    assert "The vectors of own/lacking cannot be read: there is no" in messages(at)[0]
    assert shown(at, "cloud") is None
    assert at.query_params["source"] in ("own/lacking", ["own/lacking"])
    at.selectbox(key="source").set_value("trained").run()
    assert len(points(at)) == 31


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("nowhere", "source must be one of random, trained, gpt2"),
        ("<b>/x", "owner, slash, name. <b>/x is no such name."),
        ("x" * 10_000, "not '" + "x" * 40 + "…'."),
    ],
)
def test_a_link_whose_source_is_none_says_so_and_shows_the_usual_one(hub_server, source, said):
    at = visit("vocabulary", source=source)
    assert not at.exception
    assert said in messages(at)[0]
    assert messages(at)[0].endswith("The source minilm-words stays in use.")
    assert len(points(at)) == N_WORDS


def test_a_server_that_allows_no_other_model_says_so(models_folder, monkeypatch):
    monkeypatch.setenv("EMBEDVIZ_SOURCES", "list")
    configured.cache_clear()
    at = visit("vocabulary", source="own/model")
    assert "This server shows a fixed list of models, and own/model is not among them." in messages(at)[0]
    assert len(points(at)) == N_WORDS


def test_a_pretrained_table_is_brought_when_asked_for_and_goes_on_where_it_was_stopped(hub_server):
    hub_server.delay = 0.15
    at = open_source("gpt2")
    assert "It is not on this machine yet." in messages(at)[0]
    assert at.button(key="bring").label.endswith("50,257 × 768 numbers, 154 MB")
    assert shown(at, "cloud") is None
    at.button(key="bring").click().run()
    assert not at.exception
    assert at.get("progress")
    at.button(key="cancel_bring").click().run()
    join_downloads()
    first = sum(request.sent for request in hub_server.gets())
    assert first < 50_257 * 768 * 4 / 2
    hub_server.delay = 0.0
    at.run().button(key="bring").click().run()
    join_downloads()
    assert len(points(at.run())) == 50_257
    assert np.array_equal(points(at), draw(ev.Spec(source="gpt2"), View()).points)
    n_bytes = sum(request.sent for request in hub_server.gets())
    assert 50_257 * 768 * 4 <= n_bytes < 50_257 * 768 * 4 + 2**17  # the rest are heads: no row came twice


def test_a_table_over_the_limit_is_refused_before_anything_is_downloaded(hub_server, monkeypatch):
    monkeypatch.setattr(tables, "MAX_TABLE_BYTES", 100 * 2**20)
    at = open_source("gpt2")
    assert "In memory it takes 147 MiB; the limit of this server is 100. Take a smaller model." in messages(at)[0]
    assert "EMBEDVIZ_TABLE_MIB and EMBEDVIZ_TABLES_MIB to 148 or more" in messages(at)[0]
    assert not hub_server.requests


def test_without_a_network_the_page_says_so(hf_home, monkeypatch):
    use("http://127.0.0.1:9", monkeypatch)
    at = open_source("gpt2")
    at.button(key="bring").click().run()
    join_downloads()
    at.run()
    assert not at.exception
    assert "cannot be read: there is no connection to 127.0.0.1:9." in messages(at)[0]
    at.selectbox(key="source").set_value("random").run()
    assert len(points(at)) == 50_257
