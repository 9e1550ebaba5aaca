"""The small GPT in the browser: every number as PyTorch has it, and every sentence as the app says it."""

import re

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from embedviz.base.errors import EmbedvizError
from embedviz.text import grammar
from embedviz.text.questions import patterns, right_word
from embedviz.text.tokens import words_in
from embedviz.training import next_word
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.placement import Placement
from embedviz.ui.whole_way.browser import gpt_of, own_way
from embedviz.ui.whole_way.pair import Asked, whole_way_of
from embedviz.ui.whole_way.words import headline, models_nearby, whole_picture
from pages.compare.whole import swapped
from tests.scripts.node import Ask

GPT, COMPUTED = (f"embedviz/ui/components/way/{name}.js" for name in ("gpt", "computed"))
RUNS = {"small-gpt": "learned", "small-gpt-rope": "rope", "small-gpt-none-2": "none_2_layers"}
CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
TEXTS = st.lists(st.sampled_from(grammar.VOCABULARY), min_size=1, max_size=11).map(" ".join)
ITEMS = st.sampled_from([*grammar.LEARNED, *grammar.HELD_OUT])
SENTENCES = ITEMS.map(lambda item: " ".join(item[: item.index(",")]))
PROMPTS = ITEMS.map(lambda item: " ".join(item[:-2]))
PAIRS = st.one_of(
    st.tuples(TEXTS, TEXTS),
    st.tuples(SENTENCES, SENTENCES),
    st.tuples(PROMPTS, PROMPTS),
    SENTENCES.flatmap(lambda text: st.tuples(st.just(text), st.permutations(text.split()).map(" ".join))),
)
EXACT = {"rtol": 0, "atol": 1e-5}


@given(st.sampled_from(list(RUNS.values())), TEXTS, st.sampled_from([0.0, 0.5, 1.0]), st.none() | st.floats(0, 1))
@example("learned", "the cat sat on the mat , who sat ?", 1.0, None)
@settings(max_examples=120, deadline=None)
def test_every_number_of_a_pass_is_that_of_pytorch(ask: Ask, name, text, scale, exchanged):
    run = bundled(BUNDLED[name])
    n = len(text.split())
    placement = Placement(scale, exchanged=None if exchanged is None else (0, n - 1), share=exchanged or 0)
    right = next_word.forward(run, text, placement)
    places = placement.places(n, run.settings.context_length)
    found = ask(GPT, "forward", gpt_of(run), right.tokens.ids, places)
    np.testing.assert_allclose(found["states"], right.hidden_states, **EXACT)
    np.testing.assert_allclose(found["attentions"], right.attentions, **EXACT)
    np.testing.assert_allclose(found["chances"], right.next_word, **EXACT)


@given(st.floats(-10, 10))
def test_the_error_function_is_that_of_scipy(ask: Ask, x):
    from scipy.special import erf  # noqa: PLC0415

    assert ask(GPT, "erf", x) == pytest.approx(float(erf(x)), abs=1e-15)


def compared(found: object, right: object, at: str = "") -> None:
    """Assert that what the browser computed is what Python sends, number by number and sentence by sentence."""
    if isinstance(right, dict):
        for key, part in right.items():
            compared(found[key], part, f"{at}.{key}")
    elif isinstance(right, np.ndarray) or (isinstance(right, list) and right and isinstance(right[0], float)):
        np.testing.assert_allclose(found, right, rtol=1e-4, atol=1e-4, err_msg=at)
    elif isinstance(right, (list, tuple)):
        assert len(found) == len(right), at
        for n, part in enumerate(right):
            compared(found[n], part, f"{at}[{n}]")
    else:
        assert found == (pytest.approx(right, abs=1e-4) if isinstance(right, float) else right), at


@given(st.sampled_from(list(RUNS)), PAIRS)
@example("small-gpt", (CAT, MAT))
@example("small-gpt", (CAT, CAT))
@example("small-gpt", ("cat", "dog"))
@example("small-gpt-rope", ("on the mat the cat sat", CAT))
@example("small-gpt-none-2", ("the dog bites the man", "the man bites the dog"))
@settings(max_examples=120, deadline=None)
def test_the_picture_of_any_two_sentences_is_that_of_the_app(ask: Ask, reader, texts):
    assume(
        all(len(set(text.split())) > 1 or len(text.split()) == 1 for text in texts)
    )  # rounding parts one word's copies
    way = whole_way_of(Asked(texts, reader))
    own = own_way((CAT, MAT))  # of the page's own pair, from which all sentences come
    found = ask(COMPUTED, "wayOf", gpt_of(way.reader.small), own | own["runs"][reader], reader, texts)
    right = whole_picture(way)
    assert found["data"]["models"] == list(map(list, models_nearby(way)))
    states = [{key: each[key] for key in each.keys() - {"alike", "unrelated"}} for each in right["states"]]
    unread = {"sentences", *(() if way.reader.scheme == "learned" else ("positions",))}
    compared(found["data"], {key: right[key] for key in right.keys() - unread} | {"states": states})
    said = [headline(trace, is_on=share > 0) for share, trace in way.traces.items()]
    assert found["claims"] == [said[0], said[-1]]
    assert found["read"] == [each.tokens.texts for each in (way.full.a, way.full.b)]


@pytest.mark.parametrize("text", ["", " ", "the zebra sat The", "cat " * 12, "cat cat", "on -- the mat!"])
def test_what_the_gpt_cannot_read_is_refused_as_the_app_refuses_it(ask: Ask, text):
    run = bundled(BUNDLED["learned"])
    try:
        next_word.forward(run, text)
        said = ""
    except EmbedvizError as error:
        said = str(error)
    assert ask(COMPUTED, "refusal", gpt_of(run), own_way((CAT, MAT)), text) == said


@given(SENTENCES, st.lists(st.integers(0, 9), min_size=2, max_size=2))
@example("the  cat sat", [2, 1])
@settings(max_examples=50, deadline=None)
def test_two_words_change_places_as_in_the_app(ask: Ask, text, places):
    spans = [span for _word, span in words_in(text, False)]
    right = swapped(text, *(spans[n] for n in places)) if all(n < len(spans) for n in places) else text
    assert ask(COMPUTED, "swapped", gpt_of(bundled(BUNDLED["learned"])), text, places) == right


@given(st.one_of(ITEMS, st.lists(st.sampled_from(grammar.VOCABULARY), max_size=12)).map(list), st.data())
@settings(max_examples=500)
def test_the_patterns_of_questions_know_each_item_and_nothing_else(words, data):
    if words and data.draw(st.booleans()):
        words[data.draw(st.integers(0, len(words) - 1))] = data.draw(st.sampled_from(grammar.VOCABULARY))
    words = words[:-2] if words[-1:] == ["."] else words
    found = [
        (matched, answer)
        for pattern, answer in patterns()
        if (matched := re.search(pattern.replace("(?<", "(?P<"), " ".join(words))) and matched["n"] != matched["m"]
    ]
    assert [matched[answer] for matched, answer in found] == [word for word in [right_word(words)] if word]
