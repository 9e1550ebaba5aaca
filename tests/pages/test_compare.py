"""The page "Compare", run without a browser: good addresses, hostile addresses, edits."""

import re
from functools import cache

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.attention.two_sentences import attention_cases
from embedviz.positions import SCHEMES
from embedviz.text.samples import pairs, usual_pair
from embedviz.text.visible import visible
from tests.pages import site
from tests.pages.site import findings, headlines, messages, programs, shown

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
CAT_IDS, MAT_IDS = [262, 3797, 3332, 319, 262, 2603], [262, 2603, 3332, 319, 262, 3797]
COUNTED = [
    "6 of 6 token vectors of A are in B too, bit for bit",
    "With positions, 2 of 6 vectors of A are no longer in B",
]
SAID = [
    *COUNTED,
    "1 of 6 token vectors of A is in B too, bit for bit",
    "With positions, 1 of 6 vectors of A is no longer in B",
    "With positions added, 1 of 6 is still in B, bit for bit",
    "With positions added, 6 of 6 are still in B, bit for bit",
    "No token of A has the ID of a token of B",
]
FRONTED = "on the mat the cat sat"
DEFAULTS = {
    "a": CAT,
    "b": MAT,
    "tokenizer": "gpt2",
    "position": "learned",
    "position_scale": 1.0,
    "prefix_space": True,
    "lower_case": False,
    "source": "random",
    "output_dim": 256,
    "seed": 123,
    "context_length": 1024,
    "scale_embeddings": False,
}


def visit(**query: str | list[str]) -> AppTest:
    """The page with its lines between tokens."""
    return site.visit(**{"view": "pairs"} | query)


def ids(at: AppTest, name: str) -> list[int]:
    return [chip["id"] for chip in chips(at, name)]


def chips(at: AppTest, name: str) -> list[dict]:
    return shown(at, "order")["sentences"]["AB".index(name)]


def settings(at: AppTest) -> dict[str, object]:
    """What the controls show."""
    return {name: at.session_state[name] for name in DEFAULTS}


def test_the_default_page():
    at = visit()
    assert not at.exception
    assert messages(at) == []
    assert settings(at) == DEFAULTS
    assert (ids(at, "A"), ids(at, "B")) == (CAT_IDS, MAT_IDS)
    order = shown(at, "order")
    assert order["pairs"] == [[0, 0, 1], [1, 5, 0], [2, 2, 1], [3, 3, 1], [4, 4, 1], [5, 1, 0]]
    said = [*COUNTED, "The average still hides the order"]
    assert said == [card["title"] for card in findings(at, "about_pairs")]
    assert {*said} <= {card["title"] for card in findings(visit(view="map"), "about_map")}
    assert at.selectbox(key="pair").placeholder == usual_pair().name


def test_the_program_is_on_the_page_whatever_the_view():
    for view in ("pairs", "map"):
        (program,) = programs(visit(view=view))
        assert program.count("torch.nn.Embedding") == 2


def test_one_view_at_a_time_is_drawn():
    drawn = {"pairs": "strips", "map": "map", "orders": "orders", "nonsense": "whole", "numbers": "whole"}
    for view, key in drawn.items():
        at = visit(view=view)
        assert {name for name in ("whole", "strips", "map", "orders") if shown(at, name)} == {key}
    assert shown(site.visit(), "whole")


def test_a_link_to_three_axes_from_before_the_map_was_a_view_leads_to_the_map():
    assert shown(site.visit(axes="3-D"), "map")


@pytest.mark.parametrize(("first", "n"), [("", 32), ("16", 16), ("64", 64), ("all", 256), ("many", 32)])
def test_the_strips_are_the_first_numbers_of_token_and_position(first, n):
    at = visit(view="pairs", **({"first": first} if first else {}))
    strips = shown(at, "strips")
    a, b = ev.embed(CAT, ev.Spec()), ev.embed(MAT, ev.Spec())
    assert len(strips["pairs"]) == 6
    for pair in strips["pairs"]:
        (i, j), row = pair["places"], strips["tokens"][pair["token"]]
        for embedded, place in ((a, i), (b, j)):
            assert np.array_equal(row, embedded.token_embeddings[place, :n])
            assert np.array_equal(row + strips["positions"][place], embedded.input_embeddings[place, :n])
        assert pair["names"][:2] == [f"A{i}", f"B{j}"]
        apart = np.linalg.norm(a.input_embeddings[i].astype(float) - b.input_embeddings[j])
        assert pair["distance"] == pytest.approx(apart)
    which = "All 256 numbers" if n == 256 else f"First {n} of 256 numbers"
    assert strips["head"].startswith(f"{which}: A’s token, B’s copy, and A − B. Distances are over all 256")


def test_without_a_shared_token_there_are_no_strips():
    at = visit(view="pairs", a="dog", b="cat")
    assert not at.exception
    assert shown(at, "strips") is None
    assert [card["title"] for card in findings(at, "about_pairs")] == ["No token of A has the ID of a token of B"]


def test_every_drawing_says_what_it_shows():
    at = visit()
    assert "Scatter plot of 12 tokens in 2 principal components" in shown(visit(view="map"), "map")["alt"]
    assert shown(at, "order")["alt"] == (
        "6 lines lead from tokens of A to their copies in B: A0–B0, A1–B5, A2–B2, A3–B3, A4–B4 and A5–B1. "
        "Lines cross 7 times."
    )
    assert shown(visit(view="pairs"), "strips")["label"] == (
        "Pairs of copies: before positions are added, the difference is 0 in each of 6. After, they are 0 to 22.3 "
        "apart. Unrelated tokens are 32 apart."
    )


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("a", "dog bites man", "dog bites man"),
        ("b", "man bites dog", "man bites dog"),
        ("tokenizer", "cl100k_base", "cl100k_base"),
        ("position", "sinusoidal", "sinusoidal"),
        ("position", "rope", "rope"),
        ("position_scale", "0.35", 0.35),
        ("prefix_space", "false", False),
        ("lower_case", "true", True),
        ("output_dim", "3", 3),
        ("seed", "4294967295", 4294967295),
        ("context_length", "6", 6),
        ("scale_embeddings", "true", True),
    ],
)
def test_the_address_sets_each_control(name, value, expected):
    at = visit(**{name: value})
    assert not at.exception
    assert messages(at) == []
    assert settings(at) == DEFAULTS | {name: expected}


def test_an_address_restores_the_whole_screen():
    at = visit(
        a="the Dog, the dog", b="The dog; dog", tokenizer="words", lower_case="true", position="sinusoidal",
        position_scale="2.5", output_dim="8", seed="7", scale_embeddings="true", view="pairs",
    )  # fmt: skip
    spec = ev.Spec(
        tokenizer="words", lower_case=True, position="sinusoidal", position_scale=2.5, output_dim=8, seed=7,
        scale_embeddings=True, vocabulary=(",", ";", "dog", "the"),
    )  # fmt: skip
    a, b = ev.embed("the Dog, the dog", spec), ev.embed("The dog; dog", spec)
    assert not at.exception
    assert (ids(at, "A"), ids(at, "B")) == (a.tokens.ids, b.tokens.ids) == ([3, 2, 0, 3, 2], [3, 2, 1, 2])
    assert np.array_equal(shown(at, "strips")["positions"], a.positional_embeddings)
    assert np.array_equal(shown(at, "strips")["tokens"], a.token_embeddings[[0, 1]])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tokenizer", "bert"),
        ("tokenizer", "GPT2"),
        ("tokenizer", ""),
        ("tokenizer", "../../etc/passwd"),
        ("position", "rotary"),
        ("position_scale", "nan"),
        ("position_scale", "inf"),
        ("position_scale", "1e400"),
        ("position_scale", "-1"),
        ("position_scale", "5"),
        ("position_scale", "x"),
        ("output_dim", "x"),
        ("output_dim", ""),
        ("output_dim", "nan"),
        ("output_dim", "inf"),
        ("output_dim", "9" * 400),
        ("seed", "1e400"),
        ("seed", "-inf"),
        ("context_length", "Infinity"),
        ("prefix_space", "maybe"),
        ("lower_case", "2"),
        ("pair", "Dog bites man"),
        ("unknown", "<script>"),
    ],
)
def test_a_bad_value_falls_back_to_the_default(name, value):
    at = visit(**{name: value})
    assert not at.exception
    assert messages(at) == []
    assert settings(at) == DEFAULTS
    assert (ids(at, "A"), ids(at, "B")) == (CAT_IDS, MAT_IDS)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("output_dim", "0", "Dimensions (output_dim): 0 is out of range. Take 1 to 8,192; 256 stays in use."),
        ("output_dim", "-1", "-1 is out of range"),
        ("output_dim", "8193", "8,193 is out of range"),
        ("output_dim", "1e9", "1,000,000,000 is out of range"),
        ("seed", "-1", "Seed: -1 is out of range. Take 0 to 4,294,967,295; 123 stays in use."),
        ("seed", "4294967296", "4,294,967,296 is out of range"),
        ("context_length", "0", "context_length: 0 is out of range. Take 1 to 8,192; 1,024 stays in use."),
        ("context_length", "8193", "8,193 is out of range"),
    ],
)
def test_a_number_out_of_range_gets_a_message_and_the_default_is_used(name, value, message):
    at, usual = visit(**{name: value}), visit()
    assert not at.exception
    assert len(messages(at)) == 1
    assert message in messages(at)[0]
    assert at.number_input(key=name).value == int(float(value))
    for key in ("strips", "map"):
        assert repr(shown(at, key)) == repr(shown(usual, key))


def test_a_number_out_of_range_in_the_address_is_said_outside_more_too_and_once():
    at = visit(output_dim="9999")
    assert [toast.value for toast in at.toast] == messages(at)
    at.number_input(key="output_dim").set_value(8888).run()
    assert "8,888 is out of range" in messages(at)[0]
    assert not at.toast


def test_after_a_number_out_of_range_the_last_good_one_stays():
    at = visit(output_dim="8", view="pairs")
    at.number_input(key="output_dim").set_value(9999).run()
    assert "8 stays in use" in messages(at)[0]
    assert shown(at, "strips")["tokens"].shape[1] == 8
    at.number_input(key="output_dim").set_value(16).run()
    assert messages(at) == []
    assert shown(at, "strips")["tokens"].shape[1] == 16


def test_a_parameter_given_twice_is_no_error():
    at = visit(a=["dog", "cat"], output_dim=["8", "9"], tokenizer=["words", "gpt2"])
    assert not at.exception
    assert settings(at)["output_dim"] in (8, 9, 256)


def test_past_the_last_position():
    at = visit(context_length="3")
    assert not at.exception
    assert messages(at) == [
        "6 tokens need 6 positions, but the learned table ends at context_length 3. "
        "Raise context_length to 6 or more, or shorten the sentence."
    ]
    assert (ids(at, "A"), ids(at, "B")) == (CAT_IDS, MAT_IDS)
    assert headlines(at) == {}
    assert shown(at, "strips") is None
    assert shown(visit(context_length="3", view="map"), "map") is None


def test_an_odd_width_for_sinusoidal_positions():
    at = visit(position="sinusoidal", output_dim="255")
    assert not at.exception
    assert messages(at) == [
        "Sinusoidal positions need an even output_dim, a sine and a cosine each; 255 is odd. Try 256."
    ]


def test_a_table_that_would_be_too_large():
    at = visit(tokenizer="o200k_base", output_dim="1600")
    assert not at.exception
    assert messages(at) == [
        "A table of 200,019 rows and 1,600 dimensions takes 1,221 MiB; the limit is 512. Try output_dim 671."
    ]
    assert (len(ids(at, "A")), len(ids(at, "B"))) == (6, 6)


def test_after_a_message_the_page_comes_back():
    at = visit(position="sinusoidal", output_dim="255", view="pairs")
    at.number_input(key="output_dim").set_value(256).run()
    assert messages(at) == []
    assert shown(at, "strips")["tokens"].shape == (5, 32)


def test_a_text_that_is_too_long_is_cut():
    at = visit(a="the " * 25_000)
    assert not at.exception
    assert messages(at) == [
        "100,000 characters are too many; the first 2,000 are used.",
        "501 tokens are too many to show; the first 256 are used.",
    ]
    assert ids(at, "A") == [262] * 256
    assert ids(at, "B") == MAT_IDS


def test_typing_too_much_is_cut_in_the_field_too():
    at = visit()
    at.text_input(key="a").set_value("x" * 2500).run()
    assert not at.exception
    assert at.text_input(key="a").value == "x" * 2000
    assert messages(at)[0] == "2,500 characters are too many; the first 2,000 are used."
    at.text_input(key="a").set_value("the cat").run()
    assert messages(at) == []


def test_a_text_that_was_cut_is_not_said_of_the_next():
    at = visit()
    at.text_input(key="a").set_value("x" * 2500).run()
    at = at.switch_page("../../pages/lookup/page.py").run().switch_page("../../pages/compare/page.py").run()
    at.text_input(key="a").set_value("the cat").run()
    assert messages(at) == []


def test_more_tokens_than_are_shown():
    at = visit(b=" ".join(["the"] * 300))
    assert not at.exception
    assert messages(at) == ["300 tokens are too many to show; the first 256 are used."]
    assert (ids(at, "A"), ids(at, "B")) == (CAT_IDS, [262] * 256)
    drawn = shown(visit(b=" ".join(["the"] * 300), view="map"), "map")["data"]
    inputs = [trace for trace in drawn if trace.get("name") == "B: input"]
    assert len(inputs[0]["x"]) == 256


@pytest.mark.parametrize(("name", "other", "other_ids"), [("A", "B", MAT_IDS), ("B", "A", CAT_IDS)])
@pytest.mark.parametrize("text", ["", "\n"])
def test_one_empty_sentence(name, other, other_ids, text):
    at = visit(**{name.lower(): text, "tokenizer": "gpt2" if not text else "words"})
    assert not at.exception
    assert messages(at) == []
    assert shown(at, "order")["empty"]["AB".index(name)] == f"Sentence {name} is empty: type a few words."
    assert ids(at, name) == []
    assert len(ids(at, other)) == 6
    assert text or ids(at, other) == other_ids


def test_two_empty_sentences():
    at = visit(a="", b="")
    assert not at.exception
    assert messages(at) == []
    assert shown(at, "order")["empty"] == [f"Sentence {name} is empty: type a few words." for name in "AB"]
    assert shown(at, "order")["sentences"] == [[], []]
    assert shown(at, "map") is None


HOSTILE = {
    "control characters": "\x00\x01\x1b[31m\x7f\u2028",
    "bidi": "\u202eevil\u2066 \u05e9\u05dc\u05d5\u05dd",
    "html": "<script>alert(1)</script><img src=x onerror=alert(1)>&lt;",
    "markdown": "**b** [a](javascript:x) ![i](//x) :red[y] :material/home: # h `c`",
    "latex": "$\\frac{1}{2}$ $$x$$ %{x} {y}",
    "emoji": "👨\u200d👩\u200d👧 猫 e\u0301 \ufffd",
    "special tokens": "<|endoftext|><|endofprompt|>",
    "quotes": "'\"\\\"\"\"'''",
}


@cache
def usual(tokenizer: str = "gpt2") -> AppTest:
    """The page with its own sentences, which nobody edits."""
    return visit(tokenizer=tokenizer, output_dim="16")


@pytest.mark.parametrize("tokenizer", ["words", "gpt2", "o200k_base"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_shown_and_the_other_sentence_stays(text, tokenizer):
    at = visit(a=text, tokenizer=tokenizer, output_dim="16")
    assert not at.exception
    is_cut = any(ev.tokenize(text, tokenizer).partial)
    assert ["into its bytes, which are tokens" in each for each in messages(at)] == [True] * is_cut
    assert at.text_input(key="a").value == text
    assert [chip["text"] for chip in chips(at, "B")] == [chip["text"] for chip in chips(usual(tokenizer), "B")]
    expected = ev.tokenize(text, tokenizer).texts
    assert [chip["text"] for chip in chips(at, "A")] == [visible(token) for token in expected]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_never_reaches_markdown(text):
    written = visit(a=text, output_dim="16")
    for kind in ("markdown", "caption", "html"):
        assert [e.proto for e in written.get(kind)] == [e.proto for e in usual().get(kind)]
    assert len(headlines(written)) == len(written.title)
    for said in headlines(written).values():
        assert any(re.fullmatch(re.sub(r"\d+", r"\\d+", each), said) for each in SAID)


@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.name)
def test_a_ready_pair_sets_both_sentences(pair):
    at = visit(a="something", b="else")
    assert at.selectbox(key="pair").placeholder == "Your own"
    at.selectbox(key="pair").set_value(pair.name).run()
    assert not at.exception
    assert settings(at) == DEFAULTS | {"a": pair.a, "b": pair.b, "prefix_space": pair.prefix_space}
    assert ids(at, "A") == ev.tokenize(pair.a, prefix_space=pair.prefix_space).ids
    assert at.selectbox(key="pair").placeholder == pair.name
    assert at.selectbox(key="pair").value is None


def test_an_edit_leaves_the_ready_pair():
    at = visit()
    at.text_input(key="b").set_value("the mat").run()
    assert at.selectbox(key="pair").placeholder == "Your own"
    assert ids(at, "B") == [262, 2603]


@pytest.mark.parametrize(("a", "b"), [(CAT, MAT), ("dog bites man", "man bites dog"), ("dog", "cat")])
def test_the_map_names_a_position_that_stands_at_two_tokens_and_adds_one_vector_to_both(a, b):
    said = headlines(visit(view="map", a=a, b=b))["after"].replace("\u2068", "").replace("\u2069", "")
    n, one, other = re.fullmatch(r"Position (\d+) adds the same arrow to (.+) and to (.+)", said).groups()
    of_a, of_b = ev.embed(a, ev.Spec()), ev.embed(b, ev.Spec())
    assert [one, other] == [each.tokens.texts[int(n)].replace(" ", "␣") for each in (of_a, of_b)]
    assert one != other
    assert np.array_equal(of_a.positional_embeddings[int(n)], of_b.positional_embeddings[int(n)])


def test_where_no_position_stands_at_two_tokens_the_map_speaks_of_every_token():
    assert headlines(visit(view="map", a=CAT, b=CAT))["after"] == "A position adds the same arrow to every token"


def test_the_slider_rests_where_nothing_would_move():
    assert not shown(visit(view="pairs"), "amount")["idle"]
    assert shown(visit(view="pairs", a="dog", b="cat"), "amount")["idle"]
    assert not shown(visit(view="map", a="dog", b="cat"), "amount")["idle"]
    assert shown(visit(view="map", a=""), "amount")["idle"]


@pytest.mark.parametrize("lang", ["zh-CN", "ja", "ko"])
def test_whoever_reads_a_language_that_gpt2_cuts_into_bytes_begins_with_a_pair_that_is_cut_into_whole_characters(lang):
    at = site.visit(lang=lang, view="pairs")
    query = {key: value[0] if isinstance(value, list) else value for key, value in at.query_params.items()}
    own = next(pair for pair in pairs(lang) if pair.language == lang)
    assert (at.text_input(key="a").value, at.text_input(key="b").value) == (own.a, own.b)
    assert not any(chip["part"] for name in "AB" for chip in chips(at, name))
    assert sorted(ids(at, "A")) == sorted(ids(at, "B")) != ids(at, "A")
    assert at.selectbox(key="pair").placeholder == own.name
    said = {key: query[key] for key in ("a", "b", "tokenizer", "prefix_space", "output_dim")}
    assert said == {
        "a": own.a, "b": own.b, "tokenizer": "o200k_base", "output_dim": "64",
        "prefix_space": str(own.prefix_space).lower(),
    }  # fmt: skip
    at.text_input(key="a").set_value(CAT).run()
    assert at.text_input(key="a").value == CAT


@pytest.mark.parametrize("query", [{"lang": "de"}, {"lang": "zh-CN", "seed": "7"}, {"lang": "ja", "a": CAT, "b": MAT}])
def test_other_visitors_and_links_keep_the_usual_pair(query):
    assert site.visit(**query).text_input(key="a").value == CAT


def test_bytes_of_one_character_stand_together_and_a_tokenizer_that_knows_it_is_offered():
    at = visit(a="猫 cat", b="cat", prefix_space="false")
    assert [(chip["text"], chip["joined"]) for chip in chips(at, "A")] == [
        (r"\xe7", False), (r"\x8c", True), (r"\xab", True), ("␣cat", False)
    ]  # fmt: skip
    said = "gpt2 cuts 猫 into its bytes, which are tokens. Chips that touch are one character."
    assert [each.replace("\u2068", "").replace("\u2069", "") for each in messages(at)] == [said]
    at.button(key="cut_better").click().run()
    assert at.selectbox(key="tokenizer").value == "o200k_base"
    assert [chip["text"] for chip in chips(at, "A")] == ["猫", "␣cat"]
    assert messages(at) == []


def test_an_odd_cut_of_two_characters_joins_only_what_belongs_together():
    tokens = ev.tokenize("猫 坐", prefix_space=False)
    joined = [chip["joined"] for chip in chips(visit(a="猫 坐", prefix_space="false"), "A")]
    for n, is_joined in enumerate(joined):
        before = set(range(*tokens.spans[n - 1])) if n else set()
        assert is_joined == bool(tokens.partial[n] and before & set(range(*tokens.spans[n])))
    assert joined[:4] == [False, True, True, False]


@pytest.mark.parametrize(
    "name", [name for name, scheme in SCHEMES.items() if scheme.kind in ("rotate", "bias", "relative")]
)
def test_a_scheme_that_adds_nothing_is_shown_as_such(name):
    at = visit(position=name, view="map")
    assert not at.exception
    assert messages(at) == []
    counted, nothing, *_others = findings(at, "about_map")
    assert counted["title"] == COUNTED[0]
    assert nothing["title"] == "Nothing was added"
    assert f"{SCHEMES[name].title} adds nothing to the vectors" in nothing["text"]
    assert shown(at, "amount") is None  # it would move nothing
    inputs = next(trace for trace in shown(at, "map")["data"] if trace.get("name") == "A: input")
    assert all(np.array_equal(inputs[axis], inputs["meta"]["start"][axis]) for axis in "xy")


def test_the_page_claims_of_the_vectors_alone_that_only_positions_set_copies_apart():
    """Not of models: there a causal mask does so too, without any position."""
    at = visit()
    said = [each.value for each in at.caption] + [card["text"] for card in shown(at, "why")["cards"]]
    assert not any(re.search(r"\bonly\b", each, re.IGNORECASE) for each in said)
    a, b = (ev.embed(text, ev.Spec(position="none")) for text in (CAT, FRONTED))
    masked = attention_cases(ev.compare(a, b), 4, causal=True).masked
    assert (masked.n_same, masked.n_shared) == (0, 8)


def test_a_letter_that_crosses_the_answer_to_a_pick_stays():
    at = visit()
    name = pairs()[3].name
    at.selectbox(key="pair").set_value(name).run()
    at.text_input(key="b").set_value("cat the")
    at.selectbox(key="pair").set_value(name).run()  # what the browser still has
    assert [at.text_input(key=key).value for key in "ab"] == [pairs()[3].a, "cat the"]
    assert at.selectbox(key="pair").placeholder == "Your own"
    at.selectbox(key="pair").set_value(name).run()
    assert at.text_input(key="b").value == pairs()[3].b
