"""The page "Next word", run without a browser."""

import pytest

from embedviz.training.bundled import WHO, bundled
from embedviz.training.next_word import forward
from tests.pages.site import shown, visit

A, B = "dog bites man , who bites ?", "man bites dog , who bites ?"
MODELS = {"learned": "who", "rope": "who_rope", "none": "who_no_positions", "none-2": "who_no_positions_2_layers"}


def chances(at) -> list[dict[str, float]]:
    """The bars after A, and those after B."""
    return [
        {plain(name): float(x) for name, x in zip(trace["text"], trace["x"], strict=True)}
        for trace in shown(at, "next_word")["data"]
    ]


def plain(text: str) -> str:
    """A text as its reader sees it."""
    return text.replace("\\", "").replace("\u2068", "").replace("\u2069", "")


def titles(at) -> list[str]:
    return [plain(card["title"]) for card in shown(at, "about_next_word")["cards"]]


def outcome(at) -> str:
    return plain(at.caption[-1].value)


@pytest.mark.parametrize("model", MODELS)
def test_the_bars_are_what_the_run_says(model):
    run = bundled(WHO[MODELS[model]])
    at = visit("next_word", gpt=model)
    assert not at.exception
    for text, found in zip((A, B), chances(at), strict=True):
        expected = forward(run, text).next_word
        *words, others = found
        assert words[:2] == ["dog", "man"]
        assert [found[word] for word in words] == pytest.approx(
            [expected[run.vocabulary.index(word)] for word in words]
        )
        assert found[others] == pytest.approx(1 - sum(found[word] for word in words), abs=1e-6)


def test_it_opens_before_the_event():
    at = visit("next_word")
    a, b = chances(at)
    assert a["dog"] > 0.95
    assert b["man"] > 0.95
    assert outcome(at) == "The same words in two orders. The likeliest word is dog after A and man after B."
    assert titles(at)[0] == "388 of 388 right"
    assert not at.button


def test_a_change_is_shown_after_the_question():
    at = visit("next_word")
    before = chances(at)
    at.segmented_control(key="placed").set_value("exchanged").run()
    assert [plain(button.label) for button in at.button] == ["dog", "man", "neither of them"]
    assert chances(at) == before
    at.button(key="guess_1").click().run()
    assert not at.exception
    assert not at.button
    assert at.query_params["asked"] in ("exchanged", ["exchanged"])
    a, b = chances(at)
    assert a["man"] == pytest.approx(before[1]["man"], abs=1e-4)
    assert b["dog"] == pytest.approx(before[0]["dog"], abs=1e-4)
    assert titles(at)[:2] == ["You said: man", "388 of 388 turn round"]
