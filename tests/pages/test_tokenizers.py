"""The page "Tokenizers", run as Streamlit runs it, and every sentence it says."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest
from tiktoken.model import encoding_name_for_model

import embedviz as ev
from embedviz.text import samples
from embedviz.text.segmentation import segment
from embedviz.text.tokens import TOKENIZERS, build_vocabulary
from embedviz.text.visible import visible
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.messages import literal
from pages.tokenizers.segments import MAX_SHOWN
from pages.tokenizers.settings import TEXTS
from pages.tokenizers.words import about_pair, about_segmentation
from tests.pages.site import findings, headlines, payloads, visit

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
FRONTED = "on the mat the cat sat"
ANOTHER = {"cut": "text"}
BYTE_PAIR = TOKENIZERS[1:]


def open_page(**query) -> AppTest:
    at = visit("tokenizers", **query)
    assert not at.exception
    return at


def shown(at: AppTest) -> dict:
    return next(payload for payload in payloads(at) if "rows" in payload)


def rows(at: AppTest) -> dict[str, dict]:
    return {row["name"]: row for row in shown(at)["rows"]}


def cards(at: AppTest) -> dict[str, str]:
    """What was found."""
    return {card["title"]: card["text"] for card in findings(at, "about_tokenizers")}


def plain(card: Card) -> str:
    return card.text.replace("\u2068", "").replace("\u2069", "")


def said_of_pair(a: str, b: str, names=TOKENIZERS, prefix_space: bool = True) -> dict[str, str]:
    vocabulary = build_vocabulary([a, b], lower_case=False)
    both = [segment(text, names, prefix_space, vocabulary=vocabulary) for text in (a, b)]
    return {card.title: plain(card) for card in about_pair(*both)}


def said(text: str, names=TOKENIZERS, prefix_space: bool = False) -> dict[str, str]:
    return {card.title: plain(card) for card in about_segmentation(segment(text, names, prefix_space))}


def test_the_first_of_other_texts_is_cut_in_four_ways():
    at = open_page(**ANOTHER)
    found = rows(at)
    assert list(found) == list(TOKENIZERS)
    assert found["gpt2"]["tokens"]["ids"] == ev.tokenize(shown(at)["text"], "gpt2", prefix_space=False).ids
    assert len({tuple(row["tokens"]["texts"]) for row in found.values()}) == 4
    assert list(cards(at)) == [
        "Fewest tokens, “words” aside: o200k_base, 12",
        "Only some tokenizers make 12 of 16 cuts",
        "\u2068猫\u2069 is cut into bytes",
    ]


def test_a_short_text_has_its_rows_and_its_cards():
    at = open_page(text=CAT)
    found = rows(at)
    assert found["gpt2"]["tokens"]["ids"] == [1169, 3797, 3332, 319, 262, 2603]
    assert found["gpt2"]["tokens"]["texts"] == ["the", "␣cat", "␣sat", "␣on", "␣the", "␣mat"]
    assert found["gpt2"]["numbers"] == "6 tokens · 22 bytes · 3.67 per token"
    assert found["words"]["numbers"] == "6 tokens · 17 bytes · 2.83 per token"
    assert found["words"]["read_by"] == ""
    assert found["o200k_base"]["read_by"] == "GPT-4o to GPT-5, o-series, gpt-oss"
    for model, name in {
        "gpt-4o": "o200k_base",
        "gpt-5": "o200k_base",
        "o3": "o200k_base",
        "gpt-4": "cl100k_base",
    }.items():
        assert encoding_name_for_model(model) == name
    assert found["cl100k_base"]["read_by"] == "GPT-4"
    assert list(cards(at)) == ["6 tokens each", "Only some tokenizers make 5 of 10 cuts", "One word, two IDs"]


def test_the_url_sets_everything():
    at = open_page(text="The the", tokenizers=["gpt2", "o200k_base"], leading_space="true")
    assert {name: row["tokens"]["ids"] for name, row in rows(at).items()} == {
        name: ev.tokenize("The the", name, prefix_space=True).ids for name in ("gpt2", "o200k_base")
    }


def test_marks_stand_where_some_cut_and_others_do_not():
    at = open_page(text=CAT)
    pieces = shown(at)["pieces"]
    assert [text for text, differs in zip(pieces["texts"], pieces["differs"], strict=True) if differs] == [
        "cat", "sat", "on", "the", "mat",
    ]  # fmt: skip
    assert [row["tokens"]["starts"].count(True) for row in rows(at).values()] == [5, 0, 0, 0]


@pytest.mark.parametrize("text", [CAT, "end.\n\nnew", "don't e.g. 3,000"])
def test_no_place_is_marked_twice_in_a_row(text):
    for row in rows(open_page(text=text)).values():
        tokens = row["tokens"]
        marked = [start for (start, _), is_marked in zip(tokens["spans"], tokens["starts"], strict=True) if is_marked]
        marked += [end for (_, end), is_marked in zip(tokens["spans"], tokens["ends"], strict=True) if is_marked]
        assert len(marked) == len(set(marked))


def test_a_token_before_a_gap_is_marked_where_it_ends():
    tokens = rows(open_page(text="end.\n\nnew"))["words"]["tokens"]
    assert tokens["texts"] == ["end", ".", "new"]
    assert tokens["ends"] == [False, True, False]


def test_parts_of_a_character_are_told_apart():
    tokens = rows(open_page(text="🐈"))["gpt2"]["tokens"]
    assert tokens["texts"] == [r"\xf0\x9f", r"\x90", r"\x88"]
    assert tokens["partial"] == [True] * 3
    assert tokens["spans"] == [[0, 1]] * 3


def test_line_ends_stay_line_ends_behind_their_marks():
    assert shown(open_page(text="a\nb", tokenizers="gpt2"))["pieces"]["texts"] == ["a", "⏎\n", "b"]


@pytest.mark.parametrize("name", TEXTS)
def test_ready_texts_are_shown(name):
    at = open_page(**ANOTHER)
    at.selectbox(key="ready_text").set_value(name).run()
    assert not at.exception
    assert shown(at)["text"] == TEXTS[name]
    assert at.selectbox(key="ready_text").placeholder == name


def test_without_a_tokenizer_the_page_asks_for_one():
    at = open_page()
    at.button_group(key="tokenizers").set_value([]).run()
    assert not at.exception
    assert [info.value for info in at.info] == ["Choose at least one tokenizer."]


def test_an_empty_text_asks_for_one():
    at = open_page(**ANOTHER)
    at.text_area(key="text").set_value("").run()
    assert not at.exception
    assert "The text is empty" in at.info[0].value
    assert cards(at) == {}


@pytest.mark.parametrize("how", ["url", "typed"])
def test_a_long_text_is_cut_and_the_page_says_so(how):
    text = "猫a" * 50_000
    if how == "url":
        at = open_page(text=text)
    else:
        at = open_page(**ANOTHER)
        at.text_area(key="text").set_value(text).run()
    assert not at.exception
    assert at.warning[0].value == "100,000 characters are too many; the first 2,000 are used."
    assert shown(at)["text"] == text[:2000]
    for row in rows(at).values():
        assert len(row["tokens"]["ids"]) <= MAX_SHOWN
    assert rows(at)["gpt2"]["note"] == "The first 512 are shown."


@pytest.mark.parametrize(
    "text",
    [
        "\x00", "   ", "\n", "\u202eabc\u2066", "<img src=x onerror=alert(1)>", "**b** :red[x] $x$", "<|endoftext|>",
        "e\u0301", "שלום the", "'\"\\", "{x}",
    ],
)  # fmt: skip
def test_hostile_texts_are_shown_literally(text):
    at = open_page(text=text)
    # A mark that a tokenizer cuts off its letter stands on a circle of its own.
    assert "".join(shown(at)["pieces"]["texts"]).replace("⏎\n", "⏎").replace("◌", "") == visible(text)
    assert [each.value for each in at.markdown] == ["One text, several ways to cut it"]
    (headline,) = headlines(at).values()
    assert at.title[0].value == literal(headline)
    assert not at.error


@pytest.mark.parametrize(
    "query",
    [
        {"tokenizers": "bert"},
        {"leading_space": "perhaps"},
        {"ready_text": "None"},
        {"cut": "both"},
        {"prefix_space": "perhaps"},
    ],
)
def test_bad_settings_fall_back(query):
    assert list(rows(open_page(**query))) == list(TOKENIZERS)


# Both sentences -----------------------------------------------------------------------------------------


def both(at: AppTest) -> list[dict[str, dict]]:
    """The rows of A and those of B."""
    return [{row["name"]: row for row in payload["rows"]} for payload in payloads(at) if "rows" in payload]


def test_it_opens_on_both_sentences_side_by_side_whose_ids_are_the_same():
    at = open_page()
    assert (at.text_input(key="a").value, at.text_input(key="b").value) == (CAT, MAT)
    assert at.toggle(key="prefix_space").value is True
    assert [payload["text"] for payload in payloads(at) if "rows" in payload] == [CAT, MAT]
    assert [payload["field"] for payload in payloads(at) if "rows" in payload] == ["Sentence A", "Sentence B"]
    vocabulary = ("cat", "mat", "on", "sat", "the")
    for found, text in zip(both(at), (CAT, MAT), strict=True):
        assert list(found) == list(TOKENIZERS)
        for name, row in found.items():
            expected = encoding(name, text, vocabulary)
            assert row["tokens"]["ids"] == expected
    assert cards(at) == {
        "The same IDs in both sentences, in another order": (
            "Tokens of A and of B: words 6 and 6, gpt2 6 and 6, cl100k_base 6 and 6, o200k_base 6 and 6."
        )
    }


def encoding(name: str, text: str, vocabulary: tuple[str, ...], prefix: str = " ") -> list[int]:
    """The IDs of a text of plain words, by tiktoken itself, or by the place of each word in the vocabulary."""
    if name == "words":
        return [vocabulary.index(word) for word in text.split()]
    return samples.encoding(name).encode(prefix + text)


@pytest.mark.parametrize("prefix_space", ["true", "false"])
def test_without_a_space_before_the_first_word_another_order_has_other_ids(prefix_space):
    at = open_page(b=FRONTED, prefix_space=prefix_space)
    vocabulary = ("cat", "mat", "on", "sat", "the")
    prefix = " " if prefix_space == "true" else ""
    a, b = ({name: row["tokens"]["ids"] for name, row in found.items()} for found in both(at))
    for name in TOKENIZERS:
        assert a[name] == encoding(name, CAT, vocabulary, prefix)
        assert b[name] == encoding(name, FRONTED, vocabulary, prefix)
    others = [name for name in TOKENIZERS if sorted(a[name]) != sorted(b[name])]
    (title,) = cards(at)
    if prefix_space == "true":
        assert others == []
        assert title == "The same IDs in both sentences, in another order"
        return
    assert others == [*BYTE_PAIR]
    assert title == "Not the same IDs in both sentences: gpt2, cl100k_base and o200k_base"
    said = cards(at)[title].replace("\u2068", "").replace("\u2069", "")
    for name in BYTE_PAIR:  # both words that stand first in a sentence
        for word in ("on", "the"):
            first, later = (samples.encoding(name).encode(text)[0] for text in (word, f" {word}"))
            assert f"{name} {word} ({first}) and ␣{word} ({later})" in said
    assert said.endswith(": the space before a word is part of its token. Try “Add prefix space”.")
    at.toggle(key="prefix_space").set_value(True).run()
    assert list(cards(at)) == ["The same IDs in both sentences, in another order"]


def test_a_tokenizer_is_named_among_the_different_only_if_its_ids_are():
    for names in (["words"], ["words", "gpt2"], ["o200k_base", "words"]):
        different = [name for name in names if name != "words"]
        (title,) = said_of_pair(CAT, FRONTED, names, prefix_space=False)
        assert title == (
            f"Not the same IDs in both sentences: {', '.join(different)}"
            if different
            else "The same IDs in both sentences, in another order"
        )


def test_the_same_sentence_twice_has_the_same_ids_twice():
    counts = "words 6 and 6, gpt2 6 and 6, cl100k_base 6 and 6, o200k_base 6 and 6"
    assert said_of_pair(CAT, CAT) == {"The same IDs twice": f"Tokens of A and of B: {counts}."}


def test_a_capital_is_a_reason_that_no_space_mends():
    found = said_of_pair("The cat", "cat the", ["gpt2"])
    assert found == {
        "Not the same IDs in both sentences: gpt2": (
            "Tokens of A and of B: gpt2 2 and 2. gpt2 ␣the (262) and ␣The (383): a capital makes another token."
        )
    }


def test_bytes_are_counted_over_both_sentences():
    a, b = "a 🐈 and 猫", "猫 and a"
    needed = {}
    for name in BYTE_PAIR:
        cut = [ev.tokenize(text, name) for text in (a, b)]
        needed[name] = sum(
            any(tokens.text[n] in "🐈猫" for n in range(*span)) for tokens in cut for span in tokens.spans
        )
    ordered = ", ".join(f"{name} {n}" for name, n in sorted(needed.items(), key=lambda each: each[1]))
    assert said_of_pair(a, b)["\u2068🐈\u2069 and \u2068猫\u2069 are cut into bytes"].endswith(
        f"Tokens needed: {ordered}."
    )


@given(st.text(max_size=20), st.text(max_size=20), st.booleans())
@example("the cat", "cat the", False)
@example("a", "a", True)
@example(" ", "\u3000", True)
def test_what_is_said_of_both_sentences_follows_from_their_ids(a, b, prefix_space):
    titles = [*said_of_pair(a, b, BYTE_PAIR, prefix_space)]
    if not a or not b:
        assert titles == []
        return
    ids = {name: [ev.tokenize(text, name, prefix_space).ids for text in (a, b)] for name in BYTE_PAIR}
    others = [name for name, (one, other) in ids.items() if sorted(one) != sorted(other)]
    if others:
        assert titles[0].startswith("Not the same IDs in both sentences: ")
        assert [name for name in BYTE_PAIR if name in titles[0]] == others
    else:
        is_twice = all(one == other for one, other in ids.values())
        order = "The same IDs in both sentences, in another order"
        assert titles[0] == ("The same IDs twice" if is_twice else order)


def test_an_empty_sentence_is_asked_for_by_its_name():
    at = open_page(a="")
    assert [info.value for info in at.info] == ["Sentence A is empty: type a few words."]
    assert cards(at) == {}
    assert both(at)[1]["gpt2"]["tokens"]["ids"] == ev.tokenize(MAT, "gpt2").ids
    at = open_page(a="", b="")
    assert [info.value for info in at.info] == [f"Sentence {name} is empty: type a few words." for name in "AB"]


def test_an_address_with_a_text_means_it_and_the_pair_is_a_switch_away():
    at = open_page(text="The the", leading_space="true", prefix_space="false")
    assert at.button_group(key="cut").value == "text"
    assert shown(at)["text"] == "The the"
    assert rows(at)["gpt2"]["tokens"]["ids"] == ev.tokenize("The the", "gpt2", prefix_space=True).ids
    at.button_group(key="cut").set_value("pair").run()
    assert not at.exception
    assert [found["gpt2"]["tokens"]["ids"] for found in both(at)] == [
        ev.tokenize(text, "gpt2", prefix_space=False).ids for text in (CAT, MAT)
    ]
    assert open_page(text="The the", cut="pair").button_group(key="cut").value == "pair"
    assert open_page(leading_space="true").button_group(key="cut").value == "pair"


# The sentences ------------------------------------------------------------------------------------------


def test_counts_compared():
    text = TEXTS["Code and numbers"]
    numbers = {name: len(ev.tokenize(text, name, prefix_space=False).ids) for name in TOKENIZERS}
    assert numbers == {"words": 14, "gpt2": 23, "cl100k_base": 21, "o200k_base": 21}
    found = said(text)
    counted = found[
        "Fewest tokens, “words” aside: cl100k_base and o200k_base, 21"
    ]  # "words" wins any such count unfairly
    assert counted.startswith("Most: gpt2, 23.")
    assert "IDs in the vocabularies: words 14, gpt2 50,257, cl100k_base 100,277, o200k_base 200,019." in counted
    assert "14 tokens are no fair comparison" in counted
    assert "Fewest tokens: cl100k_base and o200k_base, 21" in said(text, BYTE_PAIR)
    assert said("the", ["gpt2"])["1 token"] == "IDs in the vocabularies: gpt2 50,257."
    assert "14 tokens" in said(text, ["words"])
    assert "gpt2: 23 tokens" in said(text, ["words", "gpt2"])


def test_what_is_called_ids_are_ids_and_some_of_them_stand_for_no_token():
    """100,277 and 200,019 are ranges of IDs; whoever counts the tokens in them finds fewer."""
    tokens = {"gpt2": 50_257, "cl100k_base": 100_261, "o200k_base": 200_000}
    for name, n in tokens.items():
        encoding = samples.encoding(name)
        assert len(encoding.token_byte_values()) + len(encoding.special_tokens_set) == n <= encoding.n_vocab
        assert f"{encoding.n_vocab:,} IDs" in site_help()
    assert "some IDs stand for no token" in site_help()


def site_help() -> str:
    """What the field for the tokenizer says on the first page that has one."""
    return visit(view="pairs").selectbox(key="tokenizer").help


@given(st.text(max_size=30), st.lists(st.sampled_from(TOKENIZERS), min_size=2, unique=True), st.booleans())
@example("🐈", ["gpt2", "o200k_base"], False)
@example(" ", ["words", "gpt2"], True)
def test_the_fewest_are_the_fewest_and_the_cuts_are_counted(text, names, prefix_space):
    found = segment(text, names, prefix_space)
    titles = [card.title for card in about_segmentation(found)]
    if not found.text:
        assert titles == []
        return
    numbers = {name: len(ev.tokenize(text, name, prefix_space)) for name in names if name != "words"}
    low = min(numbers.values())
    if len(numbers) == 1:
        assert titles[0].startswith(f"{next(iter(numbers))}: {low} token")
    elif len(set(numbers.values())) == 1:
        assert titles[0] == f"{low} {'token' if low == 1 else 'tokens'} each"
    else:
        begin = "Fewest tokens, “words” aside: " if "words" in names else "Fewest tokens: "
        fewest = titles[0].removeprefix(begin).rsplit(", ", 1)[0].replace(" and ", ", ").split(", ")
        assert fewest == [name for name in names if numbers.get(name) == low]
    n_all = len(set.union(*(set(cut.boundaries) for cut in found.cuts)))
    assert titles[1] == (
        f"Only some tokenizers make {len(found.differing)} of {n_all} {'cut' if n_all == 1 else 'cuts'}"
        if found.differing
        else "The same cuts"
    )


def test_cuts_compared():
    assert said(CAT)["Only some tokenizers make 5 of 10 cuts"] == (
        "A blue line marks 5 places between characters where some of them cut and others do not."
    )
    assert said("ab", BYTE_PAIR)["The same cuts"] == "All of these tokenizers cut between characters at 0 places."
    assert (
        said("a 🐈", ["gpt2", "o200k_base"])["The same cuts"]
        == "All of these tokenizers cut between characters at 1 place."
    )


def test_what_is_cut_into_bytes_and_which_tokenizer_needs_fewest_tokens_for_it():
    text = "a 🐈 and 猫 and 猫"
    needed = {}
    for name in BYTE_PAIR:
        tokens = ev.tokenize(text, name, prefix_space=False)
        needed[name] = sum(any(text[n] in "🐈猫" for n in range(*span)) for span in tokens.spans)
    ordered = ", ".join(f"{name} {n}" for name, n in sorted(needed.items(), key=lambda each: each[1]))
    (title,) = (title for title in said(text) if "bytes" in title)
    assert title == "\u2068🐈\u2069 and \u2068猫\u2069 are cut into bytes"
    assert said(text)[title].endswith(f"Tokens needed: {ordered}.")
    assert not any("bytes" in title for title in said(CAT))


def test_one_word_under_two_ids():
    assert said(CAT)["One word, two IDs"] == (
        "gpt2 the (1169) and ␣the (262); cl100k_base the (1820) and ␣the (279); "
        "o200k_base the (3086) and ␣the (290): the space before a word is part of its token. Try “Add prefix space”."
    )
    assert "One word, two IDs" not in said(CAT, prefix_space=True)
    assert said("The the", ["words"])["One word, two IDs"] == (
        "words The (0) and the (1): a capital makes another token."
    )
    assert "One word, several IDs" in said("the The the", ["gpt2"])
