"""Order alone decides the answer: what the app says of the bundled runs, in numbers and to the last digit."""

import copy
from collections import Counter

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.text import grammar
from embedviz.training.answers import CHANGES, FORM_OF, OTHER, PROMPTS, RIGHT, answers, heads, nouns_at, placement
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward, gpt, run_model
from embedviz.training.placement import Placement
from embedviz.training.run import beginning
from embedviz.training.train import TrainingSettings

N = 576
ORDERED = ("learned", "rope")  # one layer, with positions
A, B = "the cat sat on the mat , who sat ?", "the mat sat on the cat , who sat ?"
C = "on the mat the cat sat , who sat ?"
EXACT = 5e-7  # the largest difference that float32 makes
ROUNDED = 2e-6  # the same where more sums are in another order
# Where the two nouns of each form stand, and which of them is the answer.
NOUNS = {"rest": (1, 5), "fronted": (2, 4), "active": (1, 4), "passive": (1, 4)}
WHICH = {"rest": 0, "fronted": 1, "active": 0, "passive": 1}


def run_of(name: str):
    return bundled(BUNDLED[name])


def form_of(prompt: tuple[str, ...]) -> str:
    if prompt[0] != "the":
        return "fronted"
    if "is" in prompt:
        return "passive"
    return "active" if prompt[3] == "the" else "rest"


def twin(prompt: tuple[str, ...]) -> tuple[str, ...]:
    """The same question about the same words, of which the nouns are exchanged."""
    words, (i, j) = list(prompt), NOUNS[form_of(prompt)]
    words[i], words[j] = words[j], words[i]
    return tuple(words)


TWINS = [PROMPTS.index(twin(prompt)) for prompt in PROMPTS]


def test_the_questions_are_those_that_no_run_has_seen():
    assert len(PROMPTS) == len(set(PROMPTS)) == N
    assert Counter(map(form_of, PROMPTS)) == {"rest": 216, "fronted": 216, "active": 72, "passive": 72}
    for prompt, right, other, form in zip(PROMPTS, RIGHT, OTHER, FORM_OF.tolist(), strict=True):
        assert form == form_of(prompt)
        assert nouns_at(prompt) == list(NOUNS[form])
        assert right == prompt[NOUNS[form][WHICH[form]]]
        assert other == prompt[NOUNS[form][1 - WHICH[form]]]
        assert len(prompt) == (9 if form == "active" else 10)
        assert prompt[-1] == "?"
    learned = {item[:-2] for item in grammar.LEARNED}
    assert not learned & {*PROMPTS}
    for text in (A, B, C):
        assert tuple(text.split()) in PROMPTS
    assert [RIGHT[PROMPTS.index(tuple(text.split()))] for text in (A, B, C)] == ["cat", "mat", "cat"]


@pytest.mark.parametrize(
    ("prompt", "nouns", "positions"),
    [
        (A, (1, 5), (0, 1, 2, 3, 4, 5, 6, 7, 8, 8)),
        (C, (2, 4), (0, 1, 2, 3, 4, 5, 6, 7, 8, 8)),
        ("the dog bites the man , who bites ?", (1, 4), (0, 1, 2, 3, 4, 5, 6, 7, 9)),
        ("the dog bites the man , who is bitten ?", (1, 4), (0, 1, 2, 3, 4, 5, 6, 7, 8, 8)),
    ],
)
def test_what_a_change_does_to_a_question(prompt, nouns, positions):
    words = prompt.split()
    assert placement("exchanged", words) == Placement(exchanged=nouns)
    assert placement("moved", words) == Placement(positions=positions)
    assert placement("off", words) == Placement(scale=0.0)
    assert placement("on", words) == placement("shuffled", words) == Placement()


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("change", [each for each in CHANGES if each != "shuffled"])
def test_all_answers_are_those_that_each_question_gets_alone(name, change):
    run, found = run_of(name), answers(run_of(name), change)
    assert found.chances.shape == (N, 31)
    for n in range(0, N, 37):
        alone = forward(run, " ".join(PROMPTS[n]), placement(change, PROMPTS[n])).next_word
        assert found.chances[n] == pytest.approx(alone, abs=2e-6)
        assert found.right[n] == found.chances[n, run.vocabulary.index(RIGHT[n])]
        assert found.other[n] == found.chances[n, run.vocabulary.index(OTHER[n])]
    said = [run.vocabulary[id_] for id_ in found.chances.argmax(axis=1)]
    assert found.is_right.tolist() == list(map(str.__eq__, said, RIGHT))
    assert found.is_other.tolist() == list(map(str.__eq__, said, OTHER))
    assert (found.n_right, found.n_other) == (sum(found.is_right.tolist()), sum(found.is_other.tolist()))
    assert not any(each.flags.writeable for each in (found.chances, found.right, found.is_right, found.is_other))


@pytest.mark.parametrize("name", ORDERED)
def test_with_positions_every_answer_is_right(name):
    found = answers(run_of(name))
    assert found.n_right == N
    assert found.right.min() > 0.99
    assert found.right.mean() > 0.995


@pytest.mark.parametrize("name", ORDERED)
def test_two_words_that_exchange_their_positions_change_the_answer_always(name):
    """One layer: it is the same as to exchange the words."""
    as_trained, found = answers(run_of(name)), answers(run_of(name), "exchanged")
    assert found.n_other == N
    assert np.abs(found.chances - as_trained.chances[TWINS]).max() <= EXACT


@pytest.mark.parametrize("name", ORDERED)
def test_a_list_in_another_order_changes_nothing_if_each_word_keeps_its_position(name):
    as_trained, found = answers(run_of(name)), answers(run_of(name), "shuffled")
    assert found.n_right == N
    assert np.abs(found.chances - as_trained.chances).max() <= EXACT
    assert not np.array_equal(found.chances, as_trained.chances)  # it is another list indeed


def multisets() -> dict[tuple, list[int]]:
    """The questions by which words they have, and how many of each."""
    found: dict[tuple, list[int]] = {}
    for n, prompt in enumerate(PROMPTS):
        found.setdefault(tuple(sorted(prompt)), []).append(n)
    return found


@pytest.mark.parametrize("name", [*ORDERED, "none"])
def test_without_positions_all_orders_get_the_same_answer(name):
    """So the answer is wrong for one of two, and each answer that is right for one is the other noun for another.

    Of the questions with the same words, as many have one of the two nouns as the answer as have the other.
    """
    found = answers(run_of(name), "off")
    groups = multisets()
    assert Counter(map(len, groups.values())) == {4: 108, 2: 72}  # "who sat" in four orders, the others in two
    for rows in groups.values():
        assert np.abs(found.chances[rows] - found.chances[rows[0]]).max() <= ROUNDED
        assert Counter(RIGHT[n] for n in rows) == Counter(OTHER[n] for n in rows)
        assert found.is_right[rows].sum() == found.is_other[rows].sum()
    assert 0 < found.n_right == found.n_other <= N / 2
    assert np.array_equal(found.is_right, found.is_other[TWINS])


@pytest.mark.parametrize(
    ("name", "right", "other"),
    [
        ("learned", {"rest": 216, "fronted": 118}, {"fronted": 50, "active": 72, "passive": 72}),
        ("rope", {"rest": 93}, {"fronted": 216, "active": 65, "passive": 72}),
    ],
)
def test_the_question_mark_alone_says_which_question_it_is(name, right, other):
    """All words stay, only the "?" goes to the position that it has in other questions.

    "Who bites ?" and "who is bitten ?" change sides. What "who sat ?" does is for each run to find.
    """
    found = answers(run_of(name), "moved")
    assert Counter(FORM_OF[found.is_right].tolist()) == right
    assert Counter(FORM_OF[found.is_other].tolist()) == other


def test_positions_that_are_not_there_cannot_be_moved():
    for name in ("none", "none_2_layers"):
        run = run_of(name)
        for change in ("off", "exchanged", "moved"):
            assert np.array_equal(answers(run, change).chances, answers(run).chances)


def test_a_list_in_another_order_changes_nothing_for_one_layer_without_positions():
    as_trained, found = (answers(run_of("none"), change) for change in ("on", "shuffled"))
    assert np.abs(found.chances - as_trained.chances).max() <= ROUNDED
    assert not np.array_equal(found.chances, as_trained.chances)  # it is another list indeed


def test_a_causal_mask_lets_order_in_from_two_layers_on():
    """One layer cannot be right more than half of the time, and two layers without positions nearly always are."""
    one, two = (answers(run_of(f"none{more}")) for more in ("", "_2_layers"))
    assert one.n_right == one.n_other == 104 <= N / 2
    assert two.n_right == 572 > 0.98 * N
    # The list is all that they have: in another order they are lost.
    assert answers(run_of("none_2_layers"), "shuffled").n_right < N / 2


def test_chance_is_one_half_only_for_nouns_that_were_seen_together():
    """A model without order has also learned that the others never meet, and then says a third noun."""
    run, said = run_of("none"), Counter()
    for length in (9, 10):
        items = [item for item in grammar.LEARNED if len(item) == length + 2]
        ids = torch.tensor([[run.vocabulary.index(word) for word in item] for item in items])
        logits = run_model(gpt(run), ids[:, :length], torch.eye(11)[:length])[-1]
        for item, id_ in zip(items, logits.argmax(dim=-1).tolist(), strict=True):
            of_nouns = [word for word in item[:length] if word in grammar.NOUNS]
            word = run.vocabulary[id_]
            said["right" if word == item[-2] else "other" if word in of_nouns else "third"] += 1
    met, strangers = said["right"] / len(grammar.LEARNED), answers(run).n_right / N
    assert said["right"] == said["other"]
    assert strangers < met <= 0.5
    assert met > 0.45


@pytest.mark.parametrize("name", ORDERED)
def test_half_of_the_way_the_nouns_cannot_be_told_apart(name):
    """Half of the way both have the same vector; from there on each sentence is the other one on its way back."""
    run = run_of(name)
    half = Placement(exchanged=(1, 5), share=0.5)
    one, other = (forward(run, text, half).next_word for text in (A, B))
    assert np.abs(one - other).max() <= ROUNDED
    placements = [Placement(exchanged=(1, 5), share=share) for share in np.linspace(0, 1, 9).tolist()]
    there, back = (np.array([forward(run, text, each).next_word for each in placements]) for text in (A, B))
    assert np.abs(there - back[::-1]).max() <= ROUNDED
    assert there[0, run.vocabulary.index("cat")] > 0.9
    assert there[-1, run.vocabulary.index("mat")] > 0.9


@pytest.mark.parametrize("name", [*ORDERED, "none_2_layers"])
def test_another_order_with_the_same_meaning_gets_the_same_answer(name):
    """A, B and C are the same words. The model was never told that C means what A means."""
    run = run_of(name)
    said = [run.vocabulary[int(forward(run, text).next_word.argmax())] for text in (A, B, C)]
    assert said == ["cat", "mat", "cat"]


def by_loops(run, layer: int, head: int) -> int:
    """How many answers are right if the head adds nothing: its rows of the last matrix are 0."""
    model = copy.deepcopy(gpt(run))
    for column in range(head * 8, head * 8 + 8):
        model.blocks[layer].attended.weight[:, column] = 0
    n_right = 0
    for prompt, right in zip(PROMPTS, RIGHT, strict=True):
        ids = torch.tensor([[run.vocabulary.index(word) for word in prompt]])
        n_right += run.vocabulary[int(model(ids)[0, -1].argmax())] == right
    return n_right


@pytest.mark.parametrize("name", ["rope", "none_2_layers"])
def test_how_each_head_looks_and_what_the_model_is_without_it(name):
    run, found = run_of(name), heads(run_of(name))
    n_layers = run.settings.n_layers
    assert found.right.shape == found.other.shape == found.n_right.shape == (n_layers, 4)
    looks = [forward(run, " ".join(prompt)).attentions[:, :, -1] for prompt in PROMPTS]
    right, other = (
        np.mean(
            [each[..., prompt.index(noun)] for each, prompt, noun in zip(looks, PROMPTS, nouns, strict=True)], axis=0
        )
        for nouns in (RIGHT, OTHER)
    )
    assert found.right == pytest.approx(right, abs=1e-5)
    assert found.other == pytest.approx(other, abs=1e-5)
    layer, head = found.carrier
    assert found.n_right[layer, head] == found.n_right.min() == by_loops(run, layer, head)
    assert found.of_all == answers(run).n_right


@pytest.mark.parametrize(
    ("name", "carrier", "without"), [("learned", (0, 0), [64, 568, 576, 576]), ("rope", (0, 1), [360, 288, 576, 576])]
)
def test_which_heads_carry_the_answer(name, carrier, without):
    """With learned positions one head does. With RoPE two heads share it, and the other two can be missed."""
    found = heads(run_of(name))
    assert found.carrier == carrier
    assert found.n_right.tolist() == [without]
    assert found.right[found.carrier] == found.right.max()
    assert found.other[found.carrier] < 0.1
    assert found.right[found.carrier] > 10 * found.other[found.carrier]


def test_without_order_no_head_looks_more_at_the_right_noun():
    found = heads(run_of("none"))
    assert found.right == pytest.approx(found.other, abs=1e-6)


def test_a_model_that_has_learned_nothing_knows_no_answer():
    assert answers(beginning(BUNDLED["learned"])).n_right < N / 4


def test_questions_do_not_fit_into_a_model_with_fewer_positions():
    with pytest.raises(ev.EmbedvizError, match="no more than 8"):
        answers(beginning(TrainingSettings(context_length=8)))
