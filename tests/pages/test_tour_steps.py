"""The tour in words: at most forty a step, and true of any two sentences, by computations of their own."""

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
from embedviz.text.visible import in_words
from pages.tour.facts import LATER, MAX_TOKENS, N_HEADS, SHOWN, SUMS, WINDOW, Facts, facts, spec_of
from pages.tour.steps import STEPS
from pages.tour.words import MAX_WORDS, _number, unbroken
from tests.models.hub import write_model
from tests.models.shelf import VOCAB_SIZE, on_shelf

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
NAMED = {step.name: step for step in STEPS}
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
        assert len(f"{title} {unbroken(words)}".split()) <= MAX_WORDS == 40, words
        assert words.endswith((".", "?"))
        assert not RAW.search(words.replace("infinit", "")) or RAW.search("".join(texts_of(found)))  # as a token's text


def test_no_step_has_more_than_forty_words(found):
    check_length(found)


@given(TEXTS, TEXTS)
def test_no_step_of_any_sentences_has_more_than_forty_words(a, b):
    check_length(facts(a, b))


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_no_step_of_a_ready_pair_has_more_than_forty_words(pair):
    check_length(facts(pair.a, pair.b))


def test_about_twelve_steps_with_names_of_their_own():
    assert len(STEPS) == len(NAMED) == 13


def test_a_step_computes_only_what_it_needs():
    found = facts(CAT, MAT)
    for name in ("Tokens", "IDs", "Table", "Same ID", "Order", "Positions", "Sum", "After"):
        NAMED[name].words(found)
    assert {"scene", "attended", "learned", "rope", "batch"}.isdisjoint(vars(found))


# Step by step -----------------------------------------------------------------------------------------


@given(TEXTS, TEXTS)
def test_tokens_are_counted(a, b):
    found = facts(a, b)
    before = " " if is_spaced(found) else ""
    whole = [len(ENCODING.encode_ordinary(t if t[:1].isspace() else before + t if t else "")) for t in texts_of(found)]
    counted = [f"{n:,} token{'' if n == 1 else 's'}" for n in whole]
    said = words("Tokens", found)
    assert said.startswith(f"GPT-2's tokenizer cuts A into {counted[0]} and B into {counted[1]}.")
    assert ("The tour follows the first 256." in said) == (max(whole) > MAX_TOKENS)
    pieces = [
        ENCODING.decode_single_token_bytes(id_)
        for text in texts_of(found)
        for id_ in ids_of(text, spaced=is_spaced(found))
    ]
    n_spaced = sum(piece.startswith(b" ") for piece in pieces)
    assert (f": {n_spaced} of {len(pieces)} token" in said) == (n_spaced > 0)
    added = [name for name, text in zip("AB", texts_of(found), strict=True) if text and not text[0].isspace()]
    added = added if is_spaced(found) else []
    assert (f"We put a space before {' and '.join(added)}" in said) == bool(added)


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
    assert ("We put a space before A and B, as inside a text." in words("Tokens", found)) == spaced


@pytest.mark.parametrize("tag", languages())
def test_the_tour_of_a_ready_pair_in_another_language_is_one_of_a_permutation(tag):
    """The tour itself decides whether a space stands before a sentence."""
    for pair in pairs(tag):
        if pair.language != "en":
            assert facts(pair.a, pair.b).comparison.is_permutation, pair


@given(TEXTS.filter(bool), TEXTS)
def test_the_first_token_has_the_id_that_is_said(a, b):
    found = facts(a, b)
    first = ids_of(texts_of(found)[0], spaced=is_spaced(found))[0]
    said = words("IDs", found)
    assert f" is always {first}," in said
    piece = ENCODING.decode_single_token_bytes(first)
    if (bare := found.bare) is not None:
        assert bare.ids == ENCODING.encode_ordinary(piece.decode().removeprefix(" "))
        assert f"Without its space it would be {' '.join(map(str, bare.ids[:4]))}" in said
    else:
        assert "Without its space" not in said


def test_two_ids_of_one_word_are_pointed_out():
    said = words("IDs", facts("The dog saw the cat", ""))
    assert said.endswith(f"Here {in_words(' the')} (262) and {in_words(' The')} (383) are two tokens.")
    assert "two tokens" not in words("IDs", facts(CAT, MAT))


@given(TEXTS.filter(bool), TEXTS)
def test_the_table_gives_a_row_for_each_id(a, b):
    found = facts(a, b)
    ids = ids_of(texts_of(found)[0], spaced=is_spaced(found))
    assert f"A has {len(ids)} ID" in words("Table", found)
    assert f"{len(ids)} × 256 numbers" in words("Table", found)
    assert torch.equal(torch.from_numpy(found.first.token_embeddings.copy()), TOKENS[ids])


def n_equal(rows: torch.Tensor, others: torch.Tensor) -> int:
    """How many rows are the other at the same place, number by number."""
    return int((rows == others).all(dim=1).sum())


def check_pairs(found: Facts) -> None:
    a, b = (ids_of(text, spaced=is_spaced(found)) for text in texts_of(found))
    shared = [(i, j) for i, x in enumerate(a) for j, y in enumerate(b) if x == y]
    said, after = words("Same ID", found), words("After", found)
    if not shared:
        assert "has the ID of a token of B" in said or "nothing to compare" in said
        assert ("nothing to compare" in said) == (not a or not b)
        return
    assert found.twin is not None
    assert f"ID {found.twin.id}, stands" in said
    assert max(a.count(id_) * b.count(id_) for id_ in set(a)) == len(found.twin.in_a) * len(found.twin.in_b)
    at_a, at_b = map(list, zip(*shared, strict=True))
    same = n_equal(TOKENS[a][at_a], TOKENS[b][at_b])
    assert f"Of the {len(shared):,} pair" in said
    assert re.search(rf"with the same ID, {same:,} (is|are) identical, bit for bit", said)
    inputs = [TOKENS[ids] + POSITIONS[: len(ids)] for ids in (a, b)]
    kept = n_equal(inputs[0][at_a], inputs[1][at_b])
    assert title("After", found) == f"{kept:,} of {len(shared):,} still the same"
    assert re.match(rf"Of {same:,} identical pairs? {kept:,} stays? identical", after)
    assert ("same token, same position" in after) == (kept > 0)
    assert kept == sum(i == j for i, j in shared)
    distances = torch.cdist(*(each.double() for each in inputs), compute_mode="donot_use_mm_for_euclid_dist")
    apart = [float(distances[i, j]) for i, j in shared if i != j]
    others = [(i, j) for i, x in enumerate(a) for j, y in enumerate(b) if x != y]
    if apart:
        assert f" {min(apart):.3g} apart." in after
        assert ("Unrelated tokens: " in after) == bool(others)
    if apart and others:
        unrelated = [float(distances[i, j]) ** 2 for i, j in others]
        yardstick = float(re.search(r"Unrelated tokens: ([\d.]+)\.", after)[1])
        assert yardstick == pytest.approx((sum(unrelated) / len(unrelated)) ** 0.5, rel=0.005)
    assert ("average still hides the order" in after) == (sorted(a) == sorted(b))


def test_pairs_are_counted_before_and_after(found):
    check_pairs(found)


@given(WORDS, WORDS)
def test_pairs_of_any_words_are_counted_before_and_after(a, b):
    check_pairs(facts(a, b))


@given(WORDS)
def test_a_sentence_and_its_words_in_another_order_have_one_mean(text):
    found = facts(text, " ".join(reversed(text.split(" "))))
    a, b = (ids_of(text, spaced=is_spaced(found)) for text in texts_of(found))
    said = words("Order", found)
    if sorted(a) == sorted(b) and a != b:
        assert f"B has the same {len(ids_of(texts_of(found)[0], spaced=is_spaced(found)))} rows as A" in said
        means = [[sum(map(Fraction, column)) / len(ids) for column in TOKENS[ids].T[:4].tolist()] for ids in (a, b)]
        assert means[0] == means[1]
        assert "(largest difference 0)" in said
    elif a == b and a:
        assert said.startswith("B is A")


def test_rows_without_a_partner_are_counted():
    assert words("Order", facts(CAT, "the dog ran")).startswith("5 of A's rows and 2 of B's have no counterpart.")
    assert words("Order", facts(CAT, "")).startswith("B has no tokens. A has 6 rows;")
    assert words("Order", facts("", "")) == "A and B have no tokens: no rows."
    for name, (a, b) in CASES.items():
        if name != "both are empty":
            assert words("Order", facts(a, b)).endswith("No row says where its token stands.")


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
    assert words("Positions", found).endswith(said)
    longer = max((found.comparison.a, found.comparison.b), key=lambda each: len(each.tokens))
    rows = longer.positional_embeddings
    assert torch.equal(torch.from_numpy(rows.copy()), POSITIONS[: len(rows)])


def check_sum(found: Facts) -> None:
    said = words("Sum", found)
    quoted = re.findall(r"at position (\d+) it is (−?)(\d+\.\d+) ([+−]) (\d+\.\d+) ([=≈]) (−?)(\d+\.\d+)", said)
    if found.first is None:
        assert not quoted
        return
    assert 1 <= len(quoted) <= 2
    assert len({at for at, *_ in quoted}) == len(quoted)
    nth = ["first", "second", "third", "fourth"].index(re.search(r"The (\w+) number of", said)[1])
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


def test_the_map_says_what_share_it_shows(found):
    said = words("Map", found)
    if found.first is None:
        assert said == "A and B have no tokens: no points."
        return
    rows = []
    for text in texts_of(found):
        ids = ids_of(text, spaced=is_spaced(found))[:SHOWN]
        rows += [TOKENS[ids], POSITIONS[: len(ids)], TOKENS[ids] + POSITIONS[: len(ids)]]
    centred = torch.cat(rows).double()
    centred -= centred.mean(dim=0)
    singular = torch.linalg.svdvals(centred) ** 2
    assert f"{float(singular[:2].sum() / singular.sum()):.0%} of the variance" in said
    assert ("in A and in B" in said) == all(texts_of(found))


def attention(x: torch.Tensor, layer: Layer, causal: bool) -> torch.Tensor:
    """PyTorch's own, (T, D) to (T, D), in float64."""
    parts = (x @ torch.tensor(matrix).double() for matrix in (layer.query, layer.key, layer.value))
    heads = [part.view(len(x), N_HEADS, -1).transpose(0, 1) for part in parts]  # (H, T, d)
    return torch.nn.functional.scaled_dot_product_attention(*heads, is_causal=causal).transpose(0, 1).flatten(1)


def test_outputs_that_are_the_same_are_counted(found):
    """By an attention of its own in float64: same if closer than any difference that a position makes."""
    said = words("Attention", found)
    if found.attended is None:
        a, b = (set(ids_of(text, spaced=is_spaced(found))[:SHOWN]) for text in texts_of(found))
        assert not a & b
        return
    layer = make_layer("none", 256, N_HEADS, next_seed(123))
    ids = [ids_of(text, spaced=is_spaced(found))[:SHOWN] for text in texts_of(found)]
    vectors = [TOKENS[each].double() for each in ids]
    places = [POSITIONS[: len(each)].double() for each in ids]
    shared = np.equal.outer(*map(np.array, ids))
    n = int(shared.sum())
    counts = []
    for added, causal in ((False, False), (False, True), (True, False)):
        out = [attention(v + p * added, layer, causal) for v, p in zip(vectors, places, strict=True)]
        near = (out[0][:, None] - out[1][None]).abs().amax(dim=-1).numpy() < 1e-9
        counts.append(int((near & shared).sum()))
    got = re.findall(r"(\d+) of (\d+)", said)
    assert got == [(str(count), str(n)) for count in counts]
    leaks = counts[1] < counts[0] == n
    assert title("Attention", found) == ("A mask lets order in" if leaks else "What attention makes of it")


def test_scores_of_the_shifted_sentence(found):
    """Learned scores move with their rows; RoPE's do not, up to rounding."""
    if found.sentence is None:
        assert words("Distance", found) == "A and B have no tokens: no scores."
        return
    layer, ids = found.sentence.layer("learned"), found.sentence.tokens.ids
    query, key = (torch.from_numpy(np.array(part)).double().squeeze() for part in (layer.query, layer.key))
    scores = []
    for first in (0, LATER):
        x = (TOKENS[ids] + POSITIONS[first : first + len(ids)]).double()
        scores.append((x @ query) @ (x @ key).T / query.shape[1] ** 0.5)
    change = float((scores[1] - scores[0]).abs().max())
    assert found.learned.change == pytest.approx(change, rel=1e-3)
    assert f"change its attention scores by up to {found.learned.change:.3g}," in words("Distance", found)
    assert not found.learned.stays
    assert found.rope.stays
    assert found.rope.change < 1e-4


def test_the_batch_is_made_of_both_sentences(found):
    ids = [ids_of(text, spaced=is_spaced(found)) for text in texts_of(found) if text]
    if not ids:
        assert words("Batch", found) == "A and B have no tokens: no batch."
        return
    length = min(WINDOW, *map(len, ids))
    n = len(ids)
    assert f"{n} × {length} IDs become {n} × {length} × 256 numbers" in words("Batch", found)
    assert f"stay {length} × 256" in words("Batch", found)
    token = TOKENS[torch.tensor([each[:length] for each in ids])]  # (B, T, D)
    total = token + POSITIONS[:length]  # (B, T, D) + (T, D)
    assert torch.equal(torch.from_numpy(found.batch.input_embeddings), total)
    assert ("The first" in words("Batch", found)) == (length < max(map(len, ids)))


def test_the_training_is_the_bundled_run():
    said, run = words("Training", facts("", "")), facts("", "").run
    assert f"in {len(run.losses)} steps its loss fell from {run.held_out[0]:.2f} to {run.held_out[-1]:.2f}." in said
    counted = []
    for table in (run.tokens[0], run.tokens[-1]):
        unit = table / np.linalg.norm(table, axis=1, keepdims=True)
        cosines = unit @ unit.T - 2 * np.eye(len(unit))
        classes = np.array(facts("", "").words.classes)
        has_other = np.array([(classes == name).sum() > 1 for name in classes])
        counted.append(int(((classes[cosines.argmax(axis=1)] == classes) & has_other).sum()))
    assert f": {counted[0]} of {has_other.sum()} before, {counted[1]} after." in said


def test_small_numbers_have_a_power_of_ten():
    assert _number(3.6e-7) == "4·10⁻⁷"
    assert [_number(value) for value in (0.0, 0.0123456, 22.64)] == ["0", "0.0123", "22.6"]


def test_facts_are_those_of_the_library():
    found = facts(CAT, MAT)
    assert found.comparison.pairs == ev.compare(ev.embed(CAT, ev.Spec()), ev.embed(MAT, ev.Spec())).pairs


@pytest.mark.parametrize("source", ["gpt2", "distilgpt2"])
def test_a_model_that_adds_positions_alone_goes_on_the_tour(hub_server, tmp_path, source):
    checkpoint = CHECKPOINTS[source]
    hub_server.files[checkpoint.repo] = write_model(tmp_path / "file.safetensors", source)
    found = facts(CAT, MAT, spec_of(source))
    said = {step.name.lower(): step.words(found) for step in STEPS}
    assert all(len(" ".join(parts).split()) <= MAX_WORDS for parts in said.values())
    assert said["tokens"][1].startswith(f"{checkpoint.title}'s tokenizer cuts A into 6 tokens")
    assert f"{checkpoint.title}'s table has 50,257 rows of 768 numbers" in said["table"][1]
    assert f"{checkpoint.title} has learned them." in said["positions"][1]
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
    note = NAMED["Sum"].drawn(found).note
    assert ("the same for every token" in note, "norms each sum" in note) == ((family != "opt",) * 2)
    assert all(len(" ".join(step.words(found)).split()) <= MAX_WORDS for step in STEPS)
    n_rows = re.search(r"table has ([\d,]+) rows", words("Table", found))[1]
    assert int(n_rows.replace(",", "")) == VOCAB_SIZE > counted.tokens.vocab_size
    assert ("We put a space" in words("Tokens", found)) == (family != "bert")  # WordPiece leaves spaces out


@pytest.mark.parametrize("family", ["qwen3", "gemma2", "electra", "bert"])
def test_a_model_that_the_tour_cannot_follow_leaves_it_as_it_is(hub_server, tmp_path, family):
    on_shelf(family, tmp_path / "model", CAT)
    hub_server.files["owner/name"] = tmp_path / "model"
    assert spec_of("owner/name") == spec_of("random") == spec_of("no such source") == ev.Spec()
