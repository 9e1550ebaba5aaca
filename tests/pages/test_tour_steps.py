"""The tour in words: not many a step, and true of any two sentences, by computations of their own."""

import re
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import tiktoken
import torch
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.attention.layer import Layer, make_layer, next_seed
from embedviz.base.locale.catalogues import languages
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.text import samples
from embedviz.text.samples import pairs
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import gpt as model_of
from pages.tour.facts import MAX_TOKENS, N_HEADS, QUESTIONS, SHOWN, SUMS, Facts, facts, spec_of
from pages.tour.steps import STEPS
from pages.tour.words import unbroken
from tests.models.hub import write_model
from tests.models.shelf import VOCAB_SIZE, on_shelf

MAX_WORDS = 42  # of a step, with its title
CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
CASES = {
    "default": (CAT, MAT),
    "one stays": ("dog bites man", "man bites dog"),
    "equal": (CAT, CAT),
    "one token": ("the", "the"),
    "two tokens, none shared": ("a", "b"),
    "A is empty": ("", MAT),
    "B is empty": (CAT, ""),
    "both are empty": ("", ""),
    "other words": (CAT, "the dog ran"),
    "capital": ("The dog saw the cat", "the cat The dog saw"),
    "spaces": ("   the cat", "cat  the "),
    "other scripts": ("שלום 🐈 ok", "猫 café"),
    "no break": ("x" * 300, "antidisestablishmentarianism"),
    "256 tokens": ("the cat " * 128, "cat the " * 128),
    "too many tokens": ("the cat sat " * 120, "mat the " * 150),
    "shared late": ("a b " * 30 + "z", "z " + "c d " * 30),
}
_SOME = ("the", "The", "cat", "mat", "on", "sat", "bites", "🐈", "...", "שלום", "x")
WORDS = st.lists(st.sampled_from(_SOME), max_size=60).map(" ".join)
TEXTS = st.one_of(WORDS, st.text(max_size=40))
NAMED = {step.key: step for step in STEPS}
ENCODING: tiktoken.Encoding = samples.encoding("gpt2")


@cache
def facts_of(case: str) -> Facts:
    """Computed once for all claims about them."""
    return facts(*CASES[case])


@pytest.fixture(params=list(CASES), ids=str)
def found(request) -> Facts:
    return facts_of(request.param)


def ids_of(text: str, *, spaced: bool = True) -> list[int]:
    """As the tour should cut it, by tiktoken itself."""
    return ENCODING.encode_ordinary(f" {text}" if spaced and text and not text[0].isspace() else text)[:MAX_TOKENS]


def is_spaced(found: Facts) -> bool:
    """Whether a space is put before the sentences; test_the_tour_puts_no_space_... holds when."""
    return found.comparison.a.spec.prefix_space


def words(name: str, found: Facts) -> str:
    return NAMED[name].words(found)[1]


def title(name: str, found: Facts) -> str:
    return NAMED[name].words(found)[0]


def texts_of(found: Facts) -> tuple[str, str]:
    return found.comparison.a.tokens.text, found.comparison.b.tokens.text


def tables() -> tuple[torch.Tensor, torch.Tensor]:
    """The backend's two tables as PyTorch makes them."""
    with torch.random.fork_rng():
        torch.manual_seed(123)
        return torch.nn.Embedding(50257, 256).weight.detach(), torch.nn.Embedding(1024, 256).weight.detach()


TOKENS, POSITIONS = tables()


# Every step, every sentence ---------------------------------------------------------------------------


RAW = re.compile(r"nan|inf|None|\[|\{")  # values that were not put into words


def check_length(found: Facts) -> None:
    for step in STEPS:
        title, words = step.words(found)
        assert len(f"{title} {unbroken(words)}".split()) <= MAX_WORDS, words
        assert words.endswith((".", "?"))
        assert not RAW.search(words.replace("infinit", "")) or RAW.search("".join(texts_of(found)))  # as a token's text


def test_no_step_has_many_words(found):
    check_length(found)


@given(TEXTS, TEXTS)
def test_no_step_of_any_sentences_has_many_words(a, b):
    check_length(facts(a, b))


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_no_step_of_a_ready_pair_has_many_words(pair):
    check_length(facts(pair.a, pair.b))


def test_ten_steps_with_names_of_their_own():
    assert len(STEPS) == len(NAMED) == len({step.name for step in STEPS}) == 10


def test_a_step_computes_only_what_it_needs():
    found = facts(CAT, MAT)
    for name in ("question", "tokens", "table", "same", "positions", "sum", "after"):
        NAMED[name].words(found)
    assert {"attended", "answered"}.isdisjoint(vars(found))


# Step by step -----------------------------------------------------------------------------------------


def test_the_question_fits_the_sentences():
    asked = "Where is the order in them?"
    for case, start in {
        "default": "A and B have the same words in another order. A language model",
        "equal": "A and B are the same text.",
        "other words": "A and B have different words;",
        "B is empty": "Type the same words into A and B,",
    }.items():
        said = words("question", facts_of(case))
        assert said.startswith(start)
        assert said.endswith(asked)
    assert words("question", facts("狗咬人", "人咬狗")).startswith("A and B have the same characters in another order.")


def test_nothing_is_said_of_what_two_orders_mean():
    """The first two say different things, the others the same."""
    one, two = (words("question", facts(CAT, b)) for b in ("the mat sat on the cat", "on the mat the cat sat"))
    assert one == two


@given(TEXTS.filter(bool), TEXTS.filter(bool))
def test_tokens_are_counted(a, b):
    found = facts(a, b)
    before = " " if is_spaced(found) else ""
    whole = [len(ENCODING.encode_ordinary(t if t[:1].isspace() else before + t if t else "")) for t in texts_of(found)]
    counted = [f"{n:,} token{'' if n == 1 else 's'}" for n in whole]
    said = words("tokens", found)
    assert f"GPT-2's tokenizer makes {counted[0]} of A and {counted[1]} of B." in said
    assert ("The tour follows the first 256." in said) == (max(whole) > MAX_TOKENS)
    pieces = [
        ENCODING.decode_single_token_bytes(id_)
        for text in texts_of(found)
        for id_ in ids_of(text, spaced=is_spaced(found))
    ]
    is_part = any(b"\xef\xbf\xbd" in piece.decode(errors="replace").encode() for piece in pieces)
    is_cut = max(whole) > MAX_TOKENS
    assert ("is only a part of a character" in said) == (is_part and not is_cut)
    is_added = is_spaced(found) and any(not text[0].isspace() for text in texts_of(found))
    assert ("␣ is a space, which the first word gets, too." in said) == (is_added and not is_part and not is_cut)


@pytest.mark.parametrize(
    ("a", "b", "spaced"),
    [
        (CAT, MAT, True),
        ("собака кусает человека", "человека кусает собака", True),
        ("개가 사람을 문다", "사람이 개를 문다", True),
        ("狗咬人", "人咬狗", False),
        ("犬が猫を追う", "猫が犬を追う", False),
        ("... 猫", CAT, False),
        ("แมวกัดหมา", "หมากัดแมว", False),
    ],
)
def test_the_tour_puts_no_space_before_scripts_that_have_none_between_words(a, b, spaced):
    found = facts(a, b)
    assert is_spaced(found) is spaced


@pytest.mark.parametrize("tag", languages())
def test_the_tour_of_a_ready_pair_in_another_language_is_one_of_a_permutation(tag):
    """The tour itself decides whether a space stands before a sentence."""
    for pair in pairs(tag):
        if pair.language != "en":
            assert facts(pair.a, pair.b).comparison.is_permutation, pair


def test_a_byte_of_a_character_is_said_to_be_one():
    assert "\\xe7" in words("tokens", facts("猫", "猫"))


@given(TEXTS.filter(bool), TEXTS)
def test_the_tokens_have_the_rows_of_the_table(a, b):
    found = facts(a, b)
    ids = ids_of(texts_of(found)[0], spaced=is_spaced(found))
    assert "50,257 rows of 256 numbers" in words("table", found)
    assert found.first.tokens.ids == ids
    assert torch.equal(torch.from_numpy(found.first.token_embeddings.copy()), TOKENS[ids])


def check_pairs(found: Facts) -> None:
    a, b = (ids_of(text, spaced=is_spaced(found)) for text in texts_of(found))
    said, after = words("same", found), words("after", found)
    shared = [(i, j) for i, x in enumerate(a) for j, y in enumerate(b) if x == y]
    if not shared:
        assert title("same", found) == title("after", found) == "No copies"
        assert ("nothing to compare" in said) == (not a or not b)
        return
    inputs = [TOKENS[ids] + POSITIONS[: len(ids)] for ids in (a, b)]
    before = {i for i, j in shared if torch.equal(TOKENS[a[i]], TOKENS[b[j]])}
    kept = {i for i, j in shared if torch.equal(inputs[0][i], inputs[1][j])}
    for name, n in (("same", len(before)), ("after", len(kept))):
        assert re.fullmatch(rf"{n} of {len(a)} (has|have) an identical copy", title(name, found))
    assert ("Each token of A is in B, too" in said) == (len(before) == len(a))
    assert ("averages of all rows are the same" in said) == (sorted(a) == sorted(b) and a != b)
    assert kept == {i for i, j in shared if i == j}
    assert ("same position" in after) == bool(kept)
    distances = torch.cdist(*(each.double() for each in inputs), compute_mode="donot_use_mm_for_euclid_dist")
    apart = [float(distances[i, j]) for i, j in shared if i != j]
    others = [(i, j) for i, x in enumerate(a) for j, y in enumerate(b) if x != y]
    if apart:
        assert f"Closest copies: {min(apart):.3g} apart." in after
        assert ("Unrelated tokens: " in after) == bool(others)
    if apart and others:
        unrelated = [float(distances[i, j]) ** 2 for i, j in others]
        yardstick = float(re.search(r"Unrelated tokens: ([\d.]+)\.", after)[1])
        assert yardstick == pytest.approx((sum(unrelated) / len(unrelated)) ** 0.5, rel=0.005)
    assert ("average still hides the order" in after) == (sorted(a) == sorted(b) and a != b)


def test_pairs_are_counted_before_and_after(found):
    check_pairs(found)


@given(WORDS, WORDS)
def test_pairs_of_any_words_are_counted_before_and_after(a, b):
    check_pairs(facts(a, b))


@given(WORDS)
def test_a_sentence_and_its_words_in_another_order_have_one_mean(text):
    found = facts(text, " ".join(reversed(text.split(" "))))
    if "averages of all rows are the same" in words("same", found):
        a, b = (ids_of(text, spaced=is_spaced(found)) for text in texts_of(found))
        means = [[sum(map(Fraction, column)) / len(ids) for column in TOKENS[ids].T[:4].tolist()] for ids in (a, b)]
        assert means[0] == means[1]


def test_the_copies_are_counted_as_on_compare():
    counted = [title(name, facts_of("one stays")) for name in ("same", "after")]
    assert counted == ["3 of 3 have an identical copy", "1 of 3 has an identical copy"]
    assert "bites\u2069 stays identical: same token, same position." in words("after", facts_of("one stays"))
    counted = [title(name, facts_of("default")) for name in ("same", "after")]
    assert counted == ["6 of 6 have an identical copy", "0 of 6 have an identical copy"]
    assert "Each token of A stands at the same position" in words("after", facts_of("equal"))


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (CAT, MAT, "A and B use rows 0 to 5."),
        ("the", "a", "A and B use row 0."),
        ("the", MAT, "A uses row 0, B rows 0 to 5."),
        ("", MAT, "A uses no row, B rows 0 to 5."),
        ("", "", "A and B use no row."),
    ],
)
def test_positions_that_are_used(a, b, said):
    found = facts(a, b)
    assert words("positions", found).endswith(said)
    longer = max((found.comparison.a, found.comparison.b), key=lambda each: len(each.tokens))
    rows = longer.positional_embeddings
    assert torch.equal(torch.from_numpy(rows.copy()), POSITIONS[: len(rows)])


def check_sum(found: Facts) -> None:
    said = words("sum", found)
    quoted = re.findall(r"at position (\d+) it is (−?)(\d+\.\d+) ([+−]) (\d+\.\d+) ([=≈]) (−?)(\d+\.\d+)", said)
    if found.first is None:
        assert not quoted
        return
    assert 1 <= len(quoted) <= 2
    assert len({at for at, *_ in quoted}) == len(quoted)
    nth = ["first", "second", "third"].index(re.search(r"The (\w+) number of", said)[1])
    name, at = found.summed[0]
    id_ = found.sentences[name].tokens.ids[at]
    for where, minus, token, sign, place, equals, total_minus, total in quoted:
        numbers = [float(f"{minus}{token}".replace("−", "-")), float(f"{sign}{place}".replace("−", "-"))]
        numbers.append(float(f"{total_minus}{total}".replace("−", "-")))
        exact = [float(TOKENS[id_, nth]), float(POSITIONS[int(where), nth])]
        exact.append(float(TOKENS[id_, nth] + POSITIONS[int(where), nth]))
        assert numbers == pytest.approx(exact, abs=0.00501)
        assert (abs(numbers[0] + numbers[1] - numbers[2]) < 0.001) == (equals == "=")
    assert 1 <= len(found.summed) <= SUMS
    assert {found.sentences[each].tokens.ids[n] for each, n in found.summed} == {id_}


def test_the_sum_is_made_of_the_tables_numbers(found):
    check_sum(found)


@given(TEXTS, TEXTS)
def test_the_sum_of_any_token_is_made_of_the_tables_numbers(a, b):
    check_sum(facts(a, b))


def attention(x: torch.Tensor, layer: Layer, causal: bool) -> torch.Tensor:
    """PyTorch's own, (T, D) to (T, D), in float64."""
    parts = (x @ torch.tensor(matrix).double() for matrix in (layer.query, layer.key, layer.value))
    heads = [part.view(len(x), N_HEADS, -1).transpose(0, 1) for part in parts]  # (H, T, d)
    return torch.nn.functional.scaled_dot_product_attention(*heads, is_causal=causal).transpose(0, 1).flatten(1)


def test_outputs_that_are_the_same_are_counted(found):
    """By an attention of its own in float64: same if closer than any difference that a position makes."""
    said, masked = words("attention", found), words("mask", found)
    if found.attended is None:
        a, b = (set(ids_of(text, spaced=is_spaced(found))[:SHOWN]) for text in texts_of(found))
        assert not a & b
        return
    layer = make_layer("none", 256, N_HEADS, next_seed(123))
    ids = [ids_of(text, spaced=is_spaced(found))[:SHOWN] for text in texts_of(found)]
    vectors = [TOKENS[each].double() for each in ids]
    places = [POSITIONS[: len(each)].double() for each in ids]
    shared = np.equal.outer(*map(np.array, ids))
    counts = []
    for added, causal in ((False, False), (True, False), (False, True)):
        out = [attention(v + p * added, layer, causal) for v, p in zip(vectors, places, strict=True)]
        near = (out[0][:, None] - out[1][None]).abs().amax(dim=-1).numpy() < 1e-9
        counts.append(int((near & shared).any(axis=1).sum()))
    plain, chosen, hidden = counts
    assert f"{plain} of {len(ids[0])} without positions, {chosen} with them." in said
    assert f": {hidden} of {len(ids[0])}." in masked
    moved = sorted(ids[0]) == sorted(ids[1]) and ids[0] != ids[1]
    assert (title("attention", found) == "Attention alone is blind to order") == moved
    assert (title("mask", found) == "A mask brings order in, too") == (hidden < plain)
    if moved:
        assert plain == len(ids[0])


def test_the_small_gpt_answers_by_order_and_without_positions_cannot():
    assert QUESTIONS == ("the cat sat on the mat , who sat ?", "the mat sat on the cat , who sat ?")
    run = bundled(BUNDLED["learned"])
    gpt, ids = model_of(run), [[run.vocabulary.index(word) for word in text.split()] for text in QUESTIONS]
    on, off = (
        [run.vocabulary[int(gpt(torch.tensor([each]), places)[0, -1].argmax())] for each in ids]
        for places in (None, torch.zeros(10, 11))
    )
    assert on == ["cat", "mat"]
    assert off[0] == off[1]
    said = words("next_word", facts_of("default"))
    assert f"with positions it says “{on[0]}” and “{on[1]}”, without them “{off[0]}” and “{off[1]}”." in said
    assert said.startswith("In your sentences 6 of 6 had an identical copy; after adding positions, 0.")
    assert words("next_word", facts_of("both are empty")).startswith("A small GPT")


def test_facts_are_those_of_the_library():
    found = facts(CAT, MAT)
    assert found.comparison.pairs == ev.compare(ev.embed(CAT, ev.Spec()), ev.embed(MAT, ev.Spec())).pairs


@pytest.mark.parametrize("source", ["gpt2", "distilgpt2"])
def test_a_model_that_adds_positions_alone_goes_on_the_tour(hub_server, tmp_path, source):
    checkpoint = CHECKPOINTS[source]
    hub_server.files[checkpoint.repo] = write_model(tmp_path / "file.safetensors", source)
    found = facts(CAT, MAT, spec_of(source))
    said = {step.key: step.words(found) for step in STEPS}
    assert all(len(" ".join(parts).split()) <= MAX_WORDS for parts in said.values())
    assert f"{checkpoint.title}'s tokenizer makes 6 tokens of A" in said["tokens"][1]
    assert f"{checkpoint.title} has a table: 50,257 rows of 768 numbers" in said["table"][1]
    assert f"as {checkpoint.title} has learned them" in said["positions"][1]
    assert "random" not in said["table"][1] + said["positions"][1]
    assert np.array_equal(found.comparison.a.token_embeddings, ev.embed(CAT, ev.Spec(source=source)).token_embeddings)


@pytest.mark.parametrize("family", ["bert", "roberta", "opt"])
def test_what_else_a_model_does_is_said_where_the_sum_is(hub_server, tmp_path, family):
    wide = {"hidden_size": 32, "word_embed_proj_dim": 32} if family == "opt" else {"hidden_size": 32}
    on_shelf(family, tmp_path / "model", CAT, **wide)
    hub_server.files["owner/name"] = tmp_path / "model"
    found = facts(CAT, MAT, spec_of("owner/name"))
    a = ev.embed(CAT, ev.Spec(source="owner/name"))
    counted = found.comparison.a
    assert np.allclose(counted.token_embeddings + counted.positional_embeddings, a.input_embeddings, atol=1e-6)
    assert np.array_equal(counted.input_embeddings, a.input_embeddings)
    note = NAMED["sum"].drawn(found).note
    assert ("the same for every token" in note, "norms each sum" in note) == ((family != "opt",) * 2)
    assert all(len(" ".join(step.words(found)).split()) <= MAX_WORDS for step in STEPS)
    n_rows = re.search(r"table: ([\d,]+) rows", words("table", found))[1]
    assert int(n_rows.replace(",", "")) == VOCAB_SIZE > counted.tokens.vocab_size


@pytest.mark.parametrize("family", ["qwen3", "gemma2", "electra"])
def test_a_model_that_the_tour_cannot_follow_leaves_it_as_it_is(hub_server, tmp_path, family):
    on_shelf(family, tmp_path / "model", CAT)
    hub_server.files["owner/name"] = tmp_path / "model"
    assert spec_of("owner/name") == spec_of("random") == spec_of("no such source") == ev.Spec()


def test_a_token_that_stays_twice_is_named_once():
    said = re.sub("[\u2068\u2069]", "", NAMED["after"].words(facts("the cat the dog", "the dog the cat"))[1])
    assert "␣the stays identical: same token, same position." in said
