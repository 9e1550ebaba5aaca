"""The view "Side by side" of the page "Positions", and what the page says of models without a table of positions."""

from pathlib import Path

import numpy as np
import pytest

from embedviz.base.pages import page_at
from embedviz.models import hub_model
from embedviz.vectors.learned_tables import learned_table
from tests.models.hub import use
from tests.models.tiny import made
from tests.pages.site import messages, programs, shown, visit

VIEWS = page_at("positions").views
ROPE = "HuggingFaceTB/SmolLM2-135M"  # a source with RoPE that is offered


@pytest.fixture(scope="module")
def saved(tmp_path_factory) -> dict[str, Path]:
    """The folders of a tiny BERT and of tiny models with RoPE, which nobody changes."""
    folder = tmp_path_factory.mktemp("tiny")
    families = {"tiny/bert": "bert", "tiny/llama": "llama", ROPE: "llama"}
    for name, family in families.items():
        made(family, with_head=True).save_pretrained(folder / name)
    return {name: folder / name for name in families}


@pytest.fixture
def tiny(hub_server, saved):
    """A server with GPT-2 and these."""
    hub_server.files |= saved
    return hub_server


def real(*names: str, **query: str):
    at = visit("positions", view="models", learned_tables=list(names), **query)
    assert not at.exception
    return at


def test_tables_stand_side_by_side(tiny):
    at = real("gpt2", "tiny/bert", "trained", n_positions="30")
    assert messages(at) == []
    (*heats,) = (trace for trace in shown(at, "learned_tables")["data"] if trace["type"] == "heatmap")
    curves = [trace for trace in shown(at, "learned_tables")["data"] if trace["type"] == "scatter"]
    for name, heat, curve, card in zip(
        ("gpt2", "tiny/bert", "trained"), heats, curves, shown(at, "about")["cards"], strict=True
    ):
        table = learned_table(name, 16)  # as far as the shortest of them goes
        assert np.allclose(heat["z"], table.rows[:, :64] / table.spread)
        assert np.allclose(curve["y"], table.by_distance, atol=1e-6)
        assert f"{len(table.rows)} × {table.rows.shape[1]} numbers" in card["text"]
    assert len({curve["line"]["dash"] for curve in curves}) == 3
    assert at.query_params["learned_tables"] == ["gpt2", "tiny/bert", "trained"]


def test_cosines_are_drawn_from_minus_one_to_one(tiny):
    figure = shown(real("tiny/bert", "random", heat="cosines"), "learned_tables")
    heat = next(trace for trace in figure["data"] if trace["type"] == "heatmap")
    assert np.allclose(heat["z"], learned_table("tiny/bert", 128).cosines, atol=1e-6)
    assert (figure["layout"]["coloraxis"]["cmin"], figure["layout"]["coloraxis"]["cmax"]) == (-1, 1)


def test_a_model_without_a_table_says_what_it_does_instead(tiny):
    at = real("tiny/llama", "trained")
    assert messages(at) == [hub_model("tiny/llama").layout().about("tiny/llama")]
    assert "turns queries and keys" in messages(at)[0]
    assert [link.proto.page for link in at.get("page_link")] == ["relative", "attention"]  # and the next station
    assert len(shown(at, "about")["cards"]) == 1


def test_a_model_that_cannot_be_read_leaves_the_others_in_their_places(hf_home, monkeypatch):
    use("http://127.0.0.1:9", monkeypatch)
    at = real("random", "gpt2")
    assert ["there is no connection" in message for message in messages(at)] == [True]
    assert at.button(key="try_again_1")
    assert [card["title"].split(":")[0] for card in shown(at, "about")["cards"]] == ["random"]


def test_a_name_that_is_none_is_a_message():
    at = real("nonsense", "<b>x", "random")
    assert len(messages(at)) == 2
    assert len(shown(at, "about")["cards"]) == 1


def test_without_a_choice_the_page_asks_for_one():
    at = visit("positions", view="models")
    at.multiselect(key="learned_tables").set_value([]).run()
    assert not at.exception
    assert messages(at) == ["No model is picked: pick one, or type its name on the Hub."]


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
@pytest.mark.parametrize("view", [view for view in VIEWS if view != "models"])
def test_a_source_without_a_table_of_positions_is_told_of_in_words(tiny, view, kind):
    at = visit("positions", view=view, kind=kind, source=ROPE)
    assert not at.exception
    assert not at.error
    told = [message for message in messages(at) if "turns queries and keys" in message]
    assert bool(told) == (view in ("end", "adding") or (kind == "learned" and view != "pairs"))
    for program in programs(at):
        compile(program, view, "exec")
        assert "position_embedding" not in program


def test_a_shorter_table_is_said_where_the_number_of_positions_is_chosen():
    said = "All are compared over the positions that the shortest of them has, 16."
    for n, is_said in (("128", True), ("16", False)):
        at = visit("positions", view="models", learned_tables=["random", "trained"], n_positions=n)
        assert (said in [each.value for each in at.caption]) == is_said
