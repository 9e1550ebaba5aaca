"""The page "Batches", run as Streamlit runs it."""

import ast
import re
from importlib import import_module

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest
from transformers import GPT2Config, GPT2LMHeadModel

from embedviz.training.answers import PROMPTS, RIGHT
from embedviz.training.bundled import BUNDLED, bundled, tried
from embedviz.training.next_word import forward
from embedviz.training.placement import Placement
from embedviz.training.run import Run
from embedviz.vectors.batches import positions_from_mask
from pages.batches.padding import SHORT, WAYS, about_padding, padded
from tests.pages.site import findings, headlines, messages, programs, shown, visit

FLIPPED = "If the pad is counted, the model says “man” instead of “dog”"
FIRST = [[40, 367, 2885, 1464], [1807, 3619, 402, 271]]


def without_marks(text: str) -> str:
    """A text without the marks around what is inserted, for texts from right to left."""
    return text.replace("\u2068", "").replace("\u2069", "")


def open_page(**query) -> AppTest:
    at = visit("batches", **query)
    assert not at.exception
    return at


def titles(at: AppTest, key: str = "about_windows") -> list[str]:
    return [card["title"] for card in findings(at, key)]


def error(at: AppTest) -> str:
    return at.error[0].value.replace("\\", "")


def test_the_default_text_gives_the_default_windows():
    at = open_page()
    assert shown(at, "windows")["inputs"][:2] == FIRST
    assert titles(at) == [
        "The targets of a window are its inputs, one token later",
        "108 windows, 13 batches",
        "No overlap, no gap",
        "8 × 4 → 8 × 4 × 256",
    ]
    assert at.selectbox(key="sample").value == "verdict"


def test_targets_are_one_token_later():
    data = shown(open_page(), "windows")
    assert [row[1:] for row in data["inputs"]] == [row[:-1] for row in data["targets"]]
    for row in (*data["inputs"], *data["targets"]):  # so that the colours of a row are seen to move
        assert len({data["colours"][str(id_)] for id_ in row}) == len({*row})


@pytest.mark.parametrize(("stride", "title"), [("1", "Overlap of 3"), ("9", "Gaps of 5")])
def test_overlap_and_gaps_are_named(stride, title):
    assert title in titles(open_page(stride=stride))


def test_another_batch_begins_later():
    data = shown(open_page(batch="2"), "windows")
    assert data["starts"] == [(16 + n) * 4 for n in range(8)]


def test_the_text_is_shown_from_where_the_batch_begins():
    data = shown(open_page(batch="12"), "windows")
    assert data["first"] == data["starts"][0] == 12 * 8 * 4


def test_a_pasted_text_that_is_too_long_is_cut_in_the_field_and_said_so():
    at = open_page(sample="Paste my own")
    at.text_area(key="pasted").set_value("the cat sat " * 500).run()
    assert at.text_area(key="pasted").value == ("the cat sat " * 500)[:5000]
    assert messages(at) == ["6,000 characters are too many; the first 5,000 are used."]


def test_the_notebook_has_the_text_and_reads_no_file(monkeypatch):
    made = []
    folded = import_module("embedviz.ui.program")
    monkeypatch.setattr(folded, "download_buttons", lambda *_, alone, **_more: made.append(alone()))
    text = "the cat sat on the mat " * 9
    assert "text.txt" in programs(open_page(sample="Paste my own", pasted=text))[0]
    (notebook,) = made
    assert "text.txt" not in notebook
    assert text in [node.value for node in ast.walk(ast.parse(notebook)) if isinstance(node, ast.Constant)]


@pytest.mark.parametrize(("page", "key", "most"), [("lookup", "ids", 500), ("relative", "sentence", 1000)])
def test_so_is_one_in_a_field_of_one_line(page, key, most):
    at = visit(page, **({"looked_up": "ids"} if page == "lookup" else {}))
    at.text_input(key=key).set_value("dog " * 300).run()
    assert at.text_input(key=key).value == ("dog " * 300)[:most]
    assert f"1,200 characters are too many; the first {most:,} are used." in messages(at)


def test_a_pasted_text_is_cut():
    at = open_page(sample="Paste my own", pasted="the cat sat on the mat", batch_size="1")
    assert titles(at)[:2] == ["The targets of a window are its inputs, one token later", "1 window, 1 batch"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"stride": "0"}, "stride: 0 is out of range. Take 1 to 8,192; 4 stays in use."),
        ({"batch_size": "0"}, "batch_size: 0 is out of range. Take 1 to 1,024; 8 stays in use."),
        ({"max_length": "0"}, "max_length: 0 is out of range. Take 1 to 8,192; 4 stays in use."),
        ({"sample": "Paste my own", "pasted": "cat"}, "The text has 1 token;"),
        ({"sample": "Paste my own"}, "The text has 0 tokens"),
    ],
)
def test_a_mistake_gets_a_message_and_the_default_stays(query, message):
    at = open_page(**query)
    assert message in error(at)
    assert shown(at, "windows")["inputs"][:2] == FIRST


def test_after_a_mistake_the_last_good_windows_stay():
    at = open_page(stride="7")
    before = shown(at, "windows")
    at.number_input(key="stride").set_value(0).run()
    assert "stride" in error(at)
    assert shown(at, "windows") == before


def test_no_batch_says_so():
    at = open_page(sample="Paste my own", pasted="the cat sat on the mat")
    assert "1 of the 8 windows that one batch needs" in at.warning[0].value.replace("\\", "")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("empty.txt", b"", "empty"),
        ("picture.txt", b"\x89PNG\0\0\0", "This file is a picture, not plain text"),
        ("old.txt", "café au lait".encode("latin-1"), "not UTF-8"),
        ("big.txt", b"a " * 2_500_001, "the limit is 5,000,000"),
    ],
)
def test_a_file_that_cannot_be_read_gets_a_message(name, data, message):
    at = open_page(sample="Upload a file")
    at.file_uploader[0].upload(name, data).run()
    assert not at.exception
    assert message in error(at)
    assert shown(at, "windows")["inputs"][:2] == FIRST


def test_an_uploaded_file_is_cut():
    at = open_page(sample="Upload a file", batch_size="2")
    at.file_uploader[0].upload("mine.txt", b"the cat sat on the mat\r\nthe dog sat on the cat").run()
    assert shown(at, "windows")["inputs"] == [[1169, 3797, 3332, 319], [262, 2603, 201, 198]]


def test_the_shape_of_a_batch_of_vectors_is_that_of_torch():
    ids = torch.tensor(shown(open_page(batch_size="3", max_length="5"), "windows")["inputs"])
    vectors = torch.nn.Embedding(50257, 256, device="meta")(ids.to("meta"))
    total = vectors + torch.nn.Embedding(1024, 256, device="meta")(torch.arange(5, device="meta"))
    shape = " × ".join(map(str, total.shape))
    assert titles(open_page(batch_size="3", max_length="5"))[-1] == f"3 × 5 → {shape}"


def as_gpt2(run: Run) -> GPT2LMHeadModel:
    """The small GPT as a model of transformers."""
    settings, size = run.settings, len(run.vocabulary)
    config = GPT2Config(
        vocab_size=size, n_positions=settings.context_length, n_embd=settings.output_dim, n_layer=settings.n_layers,
        n_head=4, activation_function="gelu", bos_token_id=0, eos_token_id=0, attn_implementation="eager",
    )  # fmt: skip
    model, own = GPT2LMHeadModel(config).eval(), {key: torch.tensor(each) for key, each in run.weights.items()}
    names = {
        "token_embedding": "transformer.wte", "position_embedding": "transformer.wpe", "norm": "transformer.ln_f",
        "head": "lm_head", "blocks.0.norm_1": "transformer.h.0.ln_1", "blocks.0.norm_2": "transformer.h.0.ln_2",
        "blocks.0.queries_keys_values": "transformer.h.0.attn.c_attn",
        "blocks.0.attended": "transformer.h.0.attn.c_proj", "blocks.0.widen": "transformer.h.0.mlp.c_fc",
        "blocks.0.narrow": "transformer.h.0.mlp.c_proj",
    }  # fmt: skip
    weights = {}
    for key, each in own.items():
        of, _dot, kind = key.rpartition(".")
        is_turned = ".attn." in names[of] or ".mlp." in names[of]
        weights[f"{names[of]}.{kind}"] = each.T if is_turned and kind == "weight" else each
    missing, unexpected = model.load_state_dict(weights, strict=False)
    assert not unexpected
    assert {*missing} <= {"lm_head.weight"}  # which is the token table
    return model


@pytest.mark.parametrize("pad", [0, 5])
@pytest.mark.parametrize(
    "texts",
    [(SHORT, "the cat sat on the mat , who sat ?"), ("the mat", "on the mat the cat sat"), ("dog bites", "dog")],
)
def test_the_next_words_are_those_of_transformers_with_pads_and_a_mask(texts, pad):
    """Whatever token fills the place of a pad, the mask takes it out."""
    result, run = padded(texts), bundled(BUNDLED["learned"])
    ids = torch.full(result.mask.shape, pad)
    for row, tokens in zip(ids, result.sentences, strict=True):
        row[len(row) - len(tokens) :] = torch.tensor(tokens.ids)
    mask = torch.tensor(result.mask)
    for way, position_ids in {
        "edge": torch.arange(mask.shape[1]).expand(mask.shape),
        "real": (mask.cumsum(-1) - 1).clamp(min=0),
    }.items():
        with torch.no_grad():
            logits = as_gpt2(run)(ids, attention_mask=mask, position_ids=position_ids).logits[:, -1]
        expected = logits.softmax(dim=-1).numpy()
        chances = np.stack([output.chances for output in result.outputs[way]])
        np.testing.assert_allclose(chances, expected, atol=1e-5)
        assert result.next_words(way) == run.texts(expected.argmax(axis=1).tolist())


def expected_words(at: AppTest, way: str) -> list[tuple[str, str]]:
    """The word that is drawn after each row, and its probability."""
    last = [shown(at, f"{way}_{n}")["chips"][-1] for n in range(2)]
    return [(chip["text"], chip["share"]) for chip in last]


def tones(at: AppTest) -> dict[str, list[str]]:
    return {way: [shown(at, f"{way}_{n}")["chips"][-1]["tone"] for n in range(2)] for way in WAYS}


def test_only_the_word_that_the_pad_changes_stands_out():
    assert tones(open_page(view="Padding")) == {"edge": ["wrong", "pale"], "real": ["right", "pale"]}
    assert tones(open_page(view="Padding", short="dog", long="dog")) == {way: ["pale", "pale"] for way in WAYS}


def test_of_several_pads_the_headline_speaks_as_of_several():
    result = padded(["the cat sat on the mat", "the cat sat on the mat , who sat ?"])
    assert result.n_pads == 4
    assert [result.next_words(way) for way in WAYS] == [[".", "cat"], [",", "cat"]]
    shift, *_others = about_padding(result)
    assert without_marks(shift.title) == "If the pads are counted, the model says “.” instead of “,”"


def test_one_pad_that_is_counted_changes_the_next_word_and_the_fix_brings_it_back():
    at = open_page(view="Padding")
    assert [chip["position"] for chip in shown(at, "edge_0")["chips"]] == [*range(10), "next"]
    assert [chip["position"] for chip in shown(at, "real_0")["chips"]] == [0, *range(9), "next"]
    assert [text for text, _share in expected_words(at, "edge")] == ["man", "cat"]
    assert [text for text, _share in expected_words(at, "real")] == ["dog", "cat"]
    result = padded([SHORT, "the cat sat on the mat , who sat ?"])
    for way in WAYS:
        for (_text, share), output in zip(expected_words(at, way), result.outputs[way], strict=True):
            assert share == f"{output.chances.max():.2f}"
    shift, measured, fix = findings(at, "about_padding")
    assert without_marks(shift["title"]) == FLIPPED
    assert "positional vectors are added" in shift["text"]
    assert "masked out" in fix["text"]
    assert measured["title"].endswith("of 576 answers are right")


def right_behind_a_pad(name: str) -> int:
    """How many questions a run answers right if all their words stand one position later, asked one by one."""
    run = bundled(BUNDLED[name])
    found = [
        forward(run, " ".join(prompt), Placement(positions=tuple(range(1, len(prompt) + 1)))).next_word.argmax()
        for prompt in PROMPTS
    ]
    return sum(run.vocabulary[int(id_)] == right for id_, right in zip(found, RIGHT, strict=True))


def test_what_is_said_of_all_questions_is_counted_one_by_one():
    _shift, measured, _fix = findings(open_page(view="Padding"), "about_padding")
    learned, rope = map(right_behind_a_pad, ("learned", "rope"))
    assert measured["title"] == f"With one pad counted, {learned} of 576 answers are right"
    counts = [right for right, _other in tried()["learned"]["padded"]]
    assert counts[0] == learned
    said = measured["text"]
    assert f"seeds 1 to 5: {', '.join(map(str, counts))}." in said
    assert f"RoPE answers {rope} right with the pad counted" in said
    assert "Without a pad it answers 576 right." in said


def test_words_that_the_small_gpt_lacks_are_padded_all_the_same_and_nothing_is_predicted():
    at = open_page(view="Padding", short="my cat", long="the cat sat on the mat")
    shift, fix = findings(at, "about_padding")
    assert shift["title"] == "4 padding tokens: every later position is 4 too high"
    assert "The small GPT does not know all of these words, so no next word is shown." in shift["text"]
    assert "share" not in shown(at, "edge_0")["chips"][-1]
    assert fix["title"].startswith("The fix")


def test_in_a_hall_each_way_of_counting_has_the_finding_that_it_shows():
    at = open_page(view="Padding", present="1")
    assert [without_marks(each) for each in headlines(at).values()] == [FLIPPED]
    assert headlines(at, of_slides=True) == {"real": "The fix: count real tokens only"}


@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_the_fix_that_is_printed_runs_and_gives_every_token_its_row(lengths):
    """As it stands on the card, with a table that has no row to spare."""
    width = max(lengths) + 1
    lengths = [*lengths, width]
    mask = np.array([[0] * (width - n) + [1] * n for n in lengths])
    (line,) = re.findall(r"position_ids = (.+?)\. ", about_padding(padded(["cat", "the cat"]))[-1].text)
    position_ids = eval(line, {"attention_mask": torch.tensor(mask)})  # noqa: S307 our own line
    table = torch.nn.Embedding(width, 2)
    assert table(position_ids).shape == (*mask.shape, 2)
    for row, kept, n in zip(position_ids, mask, lengths, strict=True):
        assert row[torch.tensor(kept) == 1].tolist() == list(range(n))
    assert position_ids.tolist() == positions_from_mask(mask).tolist()


@pytest.mark.parametrize(
    ("short", "long"), [("", ""), ("", "cat"), ("cat , cat ? " * 9, "cat"), ("<b>", "\u202e"), ("x " * 300, "cat")]
)
def test_any_padded_sentences(short, long):
    open_page(view="Padding", short=short, long=long)


@pytest.mark.parametrize("part", ["Windows", "Padding"])
def test_every_view_has_its_program(part):
    (program,) = programs(open_page(view=part))
    compile(program, part, "exec")


def test_a_batch_that_is_not_there_gets_a_message():
    assert "Batch: 99 is out of range. Take 0 to 12; 0 stays in use." in messages(open_page(batch="99"))
