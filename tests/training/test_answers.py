"""Order alone decides the answer: what the app says of the bundled runs "who", in numbers and to the last digit."""

import copy

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.text import grammar
from embedviz.training.answers import CHANGES, FIRST, OTHER, PROMPTS, RIGHT, SECOND, answers, heads, placement
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward, gpt
from embedviz.training.placement import Placement
from embedviz.training.run import beginning
from embedviz.training.train import TrainingSettings

N = 388
ORDERED = ("who", "who_rope")  # one layer, with positions
DOG_BITES, MAN_BITES = "dog bites man , who bites ?", "man bites dog , who bites ?"
EXACT = 5e-7  # the largest difference that float32 makes
ROUNDED = 2e-6  # the same where more sums are in another order


def run_of(name: str):
    return bundled(BUNDLED[name])


def twin(prompt: tuple[str, ...]) -> tuple[str, ...]:
    """The same question about the same words, of which the nouns are exchanged."""
    words = list(prompt)
    words[FIRST], words[SECOND] = words[SECOND], words[FIRST]
    return tuple(words)


TWINS = [PROMPTS.index(twin(prompt)) for prompt in PROMPTS]


def test_the_questions_are_those_that_no_run_has_seen():
    assert len(PROMPTS) == len(set(PROMPTS)) == N
    for prompt, right, other in zip(PROMPTS, RIGHT, OTHER, strict=True):
        assert {right, other} == {prompt[0], prompt[2]}
        assert right == (prompt[2] if "is" in prompt else prompt[0])
        assert len(prompt) == (8 if "is" in prompt else 7)
    assert ("dog", "bites", "man", ",", "who", "bites", "?") in PROMPTS


@pytest.mark.parametrize("name", [name for name in BUNDLED if name.startswith("who")])
@pytest.mark.parametrize("change", [each for each in CHANGES if each != "shuffled"])
def test_all_answers_are_those_that_each_question_gets_alone(name, change):
    run, found = run_of(name), answers(run_of(name), change)
    assert found.chances.shape == (N, 27)
    for n in range(0, N, 37):
        alone = forward(run, " ".join(PROMPTS[n]), placement(change, len(PROMPTS[n]))).next_word
        assert found.chances[n] == pytest.approx(alone, abs=2e-6)
        assert found.right[n] == found.chances[n, run.vocabulary.index(RIGHT[n])]
        assert found.other[n] == found.chances[n, run.vocabulary.index(OTHER[n])]
    said = [run.vocabulary[id_] for id_ in found.chances.argmax(axis=1)]
    assert found.n_right == sum(map(str.__eq__, said, RIGHT))
    assert found.n_other == sum(map(str.__eq__, said, OTHER))


@pytest.mark.parametrize("name", ORDERED)
def test_with_positions_every_answer_is_right(name):
    found = answers(run_of(name))
    assert found.n_right == N
    assert found.right.min() > 0.5
    assert found.right.mean() > 0.95


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


@pytest.mark.parametrize("name", [*ORDERED, "who_no_positions"])
def test_without_positions_both_orders_get_the_same_answer(name):
    """So the answer is wrong for one of them, and not more than half of the answers can be right."""
    found = answers(run_of(name), "off")
    assert np.abs(found.chances - found.chances[TWINS]).max() <= ROUNDED
    assert 0 < found.n_right <= N / 2


@pytest.mark.parametrize("name", ORDERED)
def test_the_question_mark_alone_says_which_question_it_is(name):
    """All words stay, only the "?" goes to the position that it has in the other question."""
    found = answers(run_of(name), "moved")
    assert found.n_other == N if name == "who" else found.n_other > 0.9 * N


def test_positions_that_are_not_there_cannot_be_moved():
    run = run_of("who_no_positions")
    for change in ("off", "exchanged", "moved"):
        assert np.array_equal(answers(run, change).chances, answers(run).chances)


def test_a_causal_mask_lets_order_in_from_two_layers_on():
    """One layer cannot be right more than half of the time, and two layers without positions nearly always are."""
    one, two = (answers(run_of(f"who_no_positions{more}")) for more in ("", "_2_layers"))
    assert one.n_right == one.n_other <= N / 2
    assert two.n_right > 0.98 * N
    # The list is all that they have: in another order they are lost.
    assert answers(run_of("who_no_positions_2_layers"), "shuffled").n_right < N / 2


def test_chance_is_one_half_only_for_nouns_that_were_seen_together():
    """A model without order has also learned that the others never meet, and then says a third noun."""
    pairs = {frozenset((item[0], item[2])) for item in grammar.WHO_LEARNED}
    met = np.array([frozenset((prompt[0], prompt[2])) in pairs for prompt in PROMPTS])
    one = answers(run_of("who_no_positions"))
    right = one.right == one.chances.max(axis=1)
    assert right[~met].mean() < right[met].mean() <= 0.5
    assert right[met].mean() > 0.4


@pytest.mark.parametrize("name", ORDERED)
def test_half_of_the_way_the_nouns_cannot_be_told_apart(name):
    """Half of the way both have the same vector; from there on each sentence is the other one on its way back."""
    run = run_of(name)
    half = Placement(exchanged=(FIRST, SECOND), share=0.5)
    one, other = (forward(run, text, half).next_word for text in (DOG_BITES, MAN_BITES))
    assert np.abs(one - other).max() <= ROUNDED
    placements = [Placement(exchanged=(FIRST, SECOND), share=share) for share in np.linspace(0, 1, 9).tolist()]
    dog, back = (
        np.array([forward(run, text, each).next_word for each in placements]) for text in (DOG_BITES, MAN_BITES)
    )
    assert np.abs(dog - back[::-1]).max() <= ROUNDED
    assert dog[0, run.vocabulary.index("dog")] > 0.9
    assert dog[-1, run.vocabulary.index("man")] > 0.9


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


@pytest.mark.parametrize("name", ["who_rope", "who_no_positions_2_layers"])
def test_how_each_head_looks_and_what_the_model_is_without_it(name):
    run, found = run_of(name), heads(run_of(name))
    n_layers = run.settings.n_layers
    assert found.right.shape == found.other.shape == found.n_right.shape == (n_layers, 4)
    looks = [forward(run, " ".join(prompt)).attentions[:, :, -1] for prompt in PROMPTS]
    right = [look[..., SECOND if len(prompt) == 8 else FIRST] for look, prompt in zip(looks, PROMPTS, strict=True)]
    other = [look[..., FIRST if len(prompt) == 8 else SECOND] for look, prompt in zip(looks, PROMPTS, strict=True)]
    assert found.right == pytest.approx(np.mean(right, axis=0), abs=1e-5)
    assert found.other == pytest.approx(np.mean(other, axis=0), abs=1e-5)
    layer, head = found.carrier
    assert found.n_right[layer, head] == found.n_right.min() == by_loops(run, layer, head)


@pytest.mark.parametrize("name", ORDERED)
def test_one_head_carries_the_answer(name):
    found = heads(run_of(name))
    assert found.right[found.carrier] == found.right.max() > 0.7
    assert found.other[found.carrier] < 0.1
    assert found.n_right[found.carrier] < N / 4
    assert np.sort(found.n_right[0])[1] > 0.9 * N  # any other head can be missed


def test_a_model_that_has_learned_nothing_knows_no_answer():
    assert answers(beginning(BUNDLED["who"])).n_right < N / 4


def test_questions_do_not_fit_into_a_model_with_fewer_positions():
    with pytest.raises(ev.EmbedvizError, match="no more than 7"):
        answers(beginning(TrainingSettings(kind="who", context_length=7)))
