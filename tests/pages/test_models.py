"""The page "Compare" with models of several families: what it says of each is true of that model."""

import pytest

import embedviz as ev
from tests.models.hub import restart, use
from tests.models.shelf import on_shelf
from tests.pages.site import programs, shown, visit

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"


@pytest.fixture
def shelf(hf_home, configure, monkeypatch, tmp_path):
    """Put the tiny model of a family on this machine and return its name. Nobody else can be asked."""
    use("http://127.0.0.1:9", monkeypatch)
    configure(models=tmp_path / "models")

    def put(family: str) -> str:
        name = f"tiny/{family}"
        on_shelf(family, tmp_path / "models" / name, CAT)
        restart()
        return name

    return put


def titles(at) -> dict[str, str]:
    return {card["title"]: card["text"] for card in shown(at, "about_pairs")["cards"]}


def fields(at) -> dict[str, tuple[object, bool]]:
    return {field.label: (field.value, field.disabled) for field in (*at.selectbox, *at.number_input, *at.toggle)}


def test_bert_adds_a_segment_and_norms_the_sum(shelf):
    name = shelf("bert")
    at = visit(source=name)
    assert not at.exception
    assert not at.error
    spec = ev.Spec(source=name)
    a, b = ev.embed(CAT, spec), ev.embed(MAT, spec)
    said = titles(at)
    assert "same vector, so it makes no copies differ" in said["A third vector is added"]
    same = sum(a.first_layer[pair.i].tobytes() == b.first_layer[pair.j].tobytes() for pair in ev.compare(a, b).pairs)
    assert f" {same} are identical after this step" in said["One more step before the first layer"]
    assert "torch.nn.functional.layer_norm(sums" in programs(visit(source=name))[0]


def test_special_tokens_are_a_switch_and_move_the_others(shelf):
    name = shelf("bert")
    at = visit(source=name)
    with_them = [chip["text"] for chip in shown(at, "order")["sentences"][0]]
    assert (with_them[0], with_them[-1]) == ("[CLS]", "[SEP]")
    switch = at.toggle(key="special_tokens")
    assert switch.label.replace("\\", "") == "Special tokens: [CLS] [SEP]"
    at = visit(source=name, special_tokens="false")
    assert [chip["text"] for chip in shown(at, "order")["sentences"][0]] == with_them[1:-1]
    assert fields(at)["Add prefix space"][1]  # WordPiece leaves spaces out


def test_a_model_that_rotates_adds_nothing_and_says_what_it_does(shelf):
    name = shelf("qwen3")
    at = visit(source=name, position_scale="2")
    assert not at.exception
    assert not at.error
    assert fields(at)["Position scheme"] == ("rope", True)
    assert titles(at)["Nothing was added"].startswith(f"{name} adds nothing to the vectors: it turns queries and keys")
    spec = ev.Spec(source=name)
    assert spec.position == "rope"
    a = ev.embed(CAT, spec)
    assert a.input_embeddings.tobytes() == a.token_embeddings.tobytes() == a.first_layer.tobytes()
    assert not {"One more step before the first layer", "A third vector is added"} & set(titles(at))


def test_gemma_multiplies_its_token_vectors(shelf):
    at = visit(source=shelf("gemma3_text"))
    assert "√d = 3.46" in titles(at)["Token vectors are scaled"]  # its tiny model has 12 dimensions


def test_a_model_that_cannot_be_had_says_so_and_offers_to_try_again(hf_home, monkeypatch):
    use("http://127.0.0.1:9", monkeypatch)
    at = visit(source="Qwen/Qwen3-0.6B", a="hello")
    assert not at.exception
    [error] = at.error
    assert error.value.replace("\\", "").startswith(
        "The vectors of Qwen/Qwen3-0.6B cannot be read: there is no connection"
    )
    assert at.button(key="try_again")
    assert at.text_input(key="a").value == "hello"
