"""The page "Lookup", run as Streamlit runs it."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors.lookup import pytorch_error
from embedviz.vectors.spec import Spec
from pages.lookup import one_hot
from pages.lookup.one_hot import ONE_HOT
from pages.lookup.rows import ROWS, figure
from pages.lookup.settings import WORDS, Asked, looked_up
from tests.pages.site import findings, headlines, messages, payloads, programs, shown, visit

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
IDS = {"looked_up": "ids"}


def open_page(**query) -> AppTest:
    at = visit("lookup", **query)
    assert not at.exception
    return at


def titles(at: AppTest) -> list[str]:
    below = [card["title"] for payload in payloads(at) for card in payload.get("cards", [])]
    return [*headlines(at).values(), *filter(None, below)]


def panels(at: AppTest) -> list[np.ndarray]:
    """The rows of each panel, without the room between two sentences."""
    found = [trace["z"] for payload in payloads(at) for trace in payload.get("data", []) if "z" in trace]
    return [rows[~np.isnan(rows).all(axis=1)] for rows in found]


def ids_of_the_page(*ids: int) -> Asked:
    """These IDs, or those of the page, for the table of the page."""
    return Asked(ids or (2, 3, 5, 1), len(WORDS), 3, 123)


def drawn(*ids: int) -> list[dict]:
    """What the view "Rows" draws of these IDs."""
    return figure(looked_up(ids_of_the_page(*ids))).data


def test_default_ids_pick_their_rows():
    at = open_page(**IDS)
    table, output = panels(at)
    assert table.shape == (6, 3)
    assert output.tolist() == table[[2, 3, 5, 1]].tolist()
    assert "ID 5 picks row 5, which is number 6 from the top" in titles(at)
    assert shown(at, "rows")["alt"].endswith(f"the first begins with {output[0, 0]:.4f}.")
    assert output[0, 0] != table[0, 0]


def test_words_do_what_their_ids_do():
    words, ids = open_page(ids="2, 3, 5, 1"), open_page(ids="2, 3, 5, 1")
    assert panels(words)[1].tolist() == panels(ids)[1].tolist()


def test_a_repeated_id_is_pointed_at():
    cards = ROWS.findings(looked_up(ids_of_the_page(5, 1, 5)))
    assert "ID 5: one row, 2 times" in [card.title for card in cards]


def test_one_hot_product_equals_the_rows():
    at = open_page(view="One-hot", **IDS)
    one_hot, table, product = panels(at)
    assert one_hot.shape == (4, 6)
    assert (one_hot @ table).tolist() == product.tolist()


def test_what_a_product_would_take_is_counted():
    same, less = ONE_HOT.findings(looked_up(ids_of_the_page()))
    assert same.title == "Both ways give the same rows"
    assert less.title == "This product takes 72 multiplications, a lookup none"  # 4 IDs x 6 rows x 3 dimensions
    assert f"takes {4 * 50257 * 768:,} multiplications" in less.text


def test_lines_lead_from_each_row_to_its_copies():
    _table, *lines, output = drawn(5, 1, 5)
    assert [line["y"].tolist() for line in lines] == [
        pytest.approx(ends) for ends in ([5.5 / 6, 0.5 / 3], [1.5 / 6, 1.5 / 3], [5.5 / 6, 2.5 / 3])
    ]
    first, other, again = (line["line"]["color"] for line in lines)
    assert first == again != other
    assert len(output["z"]) == 3


def test_lines_touch_the_cells_that_they_lead_to_and_a_row_is_named_in_the_colour_of_its_line():
    layout = figure(looked_up(ids_of_the_page(5, 1, 5))).layout
    assert [panel["joins"] for panel in layout["meta"]["panels"]] == [False, True, False]
    assert (layout["yaxis"]["side"], layout["yaxis3"]["side"]) == ("left", "right")
    assert layout["yaxis"]["ticktext"] == [
        "0 \u2068brown\u2069",
        '<span style="color:var(--token-1)">1 \u2068dog\u2069</span>',
        *(f"{n} \u2068{word}\u2069" for n, word in ((2, "fox"), (3, "jumps"), (4, "lazy"))),
        '<span style="color:var(--token-0)">5 \u2068over\u2069</span>',
    ]
    assert layout["yaxis3"]["ticktext"] == [layout["yaxis"]["ticktext"][id_] for id_ in (5, 1, 5)]
    assert [line["line"]["color"] for line in drawn(5, 1, 5)[1:-1]] == [f"var(--token-{n})" for n in (0, 1, 0)]


def test_numbers_in_cells_have_the_minus_sign_of_print():
    table, *_ = drawn(2, 3, 5, 1)
    assert table["text"][5] == ["−2.84", "−0.78", "−1.41"]


def test_the_1_that_the_headline_speaks_of_its_row_of_the_table_and_that_of_the_product_have_frames_of_one_colour():
    result = looked_up(ids_of_the_page(5, 1, 5))
    (claim,) = ONE_HOT.claims(result)
    assert claim.title == "The 1 in column 5 picks row 5 of the table"
    frames = one_hot.figure(result).layout["shapes"]
    assert [(frame["xref"], frame["yref"]) for frame in frames] == [("x", "y"), ("x2", "y2"), ("x3", "y3")]
    assert [[frame[end] for end in ("x0", "x1", "y0", "y1")] for frame in frames] == [
        pytest.approx(ends)
        for ends in ([4.53, 5.47, -0.47, 0.47], [-0.47, 2.47, 4.53, 5.47], [-0.47, 2.47, -0.47, 0.47])
    ]
    assert [frame["line"]["color"] for frame in frames] == ["var(--ink)"] * 3


def test_zeros_are_pale():
    ones, *_others = one_hot.figure(looked_up(ids_of_the_page(1))).data
    pale = '<span style="color:var(--faint)">0</span>'
    assert ones["text"] == [[pale, "1", pale, pale, pale, pale]]


def test_only_what_is_drawn_is_said_to_be_looked_up():
    at = open_page()
    assert at.button_group(key="looked_up").options == ["Both sentences", "IDs of your own"]
    at.button_group(key="view").set_value("one-hot").run()
    assert at.button_group(key="looked_up").options == ["Sentence A", "IDs of your own"]
    at.button_group(key="looked_up").set_value("ids").run()
    at.button_group(key="view").set_value("rows").run()
    assert at.button_group(key="looked_up").value == "ids"
    assert at.text_input(key="ids").value == "2, 3, 5, 1"


@pytest.mark.parametrize("view", ["Rows", "One-hot"])
@pytest.mark.parametrize(
    ("ids", "missing", "right"),
    [
        ("9,3,40", 9, "ID 9 needs a vocab_size of 10 or more."),
        ("5,6", 6, "ID 6 needs a vocab_size of 7 or more."),
        ("2,-1,99", -1, "A negative ID does not count from the end, as it does in Python’s lists."),
    ],
)
def test_the_first_id_without_a_row_is_named_with_pytorchs_words_and_what_would_be_right(view, ids, missing, right):
    error = pytorch_error(6, 3, [int(id_) for id_ in ids.split(",")])
    assert messages(open_page(view=view, ids=ids)) == [
        f"There is no row {missing}: a table of 6 rows has the IDs 0 to 5. PyTorch says: {error}. {right} "
        "Still shown: 2, 3, 5, 1."
    ]


def test_the_size_that_a_message_asks_for_has_the_row():
    at = open_page(ids="5, 9")
    at.number_input(key="table_rows").set_value(10).run()
    assert messages(at) == []
    table, output = panels(at)
    assert output.tolist() == table[[5, 9]].tolist()


def test_a_table_that_lost_rows_keeps_the_ids_that_it_still_has():
    at = open_page(ids="5, 1")
    at.number_input(key="table_rows").set_value(4).run()
    assert "ID 5 needs a vocab_size of 6 or more. Still shown: 1." in messages(at)[0]
    table, output = panels(at)
    assert output.tolist() == table[[1]].tolist()


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("-1", "IDs 0 to 5"),
        ("6", "IDs 0 to 5"),
        ("2, 3.5", "not a whole number"),
        ("cow", "Not in the vocabulary"),
        ("", "at least one"),
    ],
)
def test_bad_ids_leave_the_last_good_ones(ids, message):
    at = open_page(ids="4, 4")
    at.text_input(key="ids").set_value(ids).run()
    assert message in at.error[0].value.replace("\\", "")
    table, output = panels(at)
    assert output.tolist() == table[[4, 4]].tolist()


@pytest.mark.parametrize(
    "query", [{"table_rows": "0"}, {"table_rows": "x"}, {"table_dims": "999"}, {"view": "Nothing"}]
)
def test_bad_settings_fall_back(query):
    assert panels(open_page(**IDS, **query))[0].shape == (6, 3)


@pytest.mark.parametrize("query", [{"looked_up": "all"}, {"view": "Nothing"}, {"seed": "x"}, {"source": ""}])
def test_bad_settings_of_both_sentences_fall_back(query):
    assert [each.tolist() for each in panels(open_page(**query))] == [each.tolist() for each in panels(open_page())]


@pytest.mark.parametrize("query", [{}, IDS])
@pytest.mark.parametrize("view", ["Rows", "One-hot"])
def test_every_view_has_its_program(view, query):
    (program,) = programs(open_page(view=view, **query))
    assert program.startswith("import torch\n")
    compile(program, view, "exec")


@pytest.mark.parametrize(("key", "limit"), [("table_rows", "Take 1 to 64; 6"), ("table_dims", "Take 1 to 16; 3")])
def test_a_number_out_of_range_gets_a_message(key, limit):
    at = open_page(**{key: "1000"})
    assert f"1,000 is out of range. {limit} stays in use." in messages(at)[0]
    assert panels(at)[0].shape == (6, 3)


def test_one_row_is_one_row():
    at = open_page(ids="0", table_rows="1")
    assert "1 ID in, 1 row out" in titles(at)
    (said,) = messages(open_page(ids="1", table_rows="1"))
    assert said.startswith("There is no row 1: a table of 1 row has the ID 0 alone. ")
    assert said.endswith(" Still shown: 0.")


# Both sentences -----------------------------------------------------------------------------------------


def small_rows(text: str) -> np.ndarray:
    """The first eight numbers of the words' rows in the table that the small GPT has learned."""
    run = bundled(BUNDLED["learned"])
    return run.tokens[-1][[run.vocabulary.index(word) for word in text.split()]][:, :8]


def test_it_opens_on_both_sentences_whose_rows_are_those_of_the_small_gpts_table():
    at = open_page()
    assert (at.text_input(key="a").value, at.text_input(key="b").value) == (CAT, MAT)
    assert messages(at) == []
    picked, output = panels(at)
    assert output.tobytes() == small_rows(f"{CAT} {MAT}").tobytes()
    assert picked.tobytes() == small_rows(" ".join(sorted({*CAT.split()}))).tobytes()  # a word's place is its ID
    (card,) = findings(at, "about_rows")
    assert card["title"] == "Both sentences pick the same rows, in another order"
    assert card["text"].startswith("The table has 31 rows of 32 numbers, of which the first 8 are drawn.")
    assert card["text"].endswith("The trained vectors of a small GPT.")
    assert card["tone"] == "same"


def test_each_row_of_a_sentence_has_its_id_its_word_and_a_line_from_the_table():
    figure = shown(open_page(), "sentence_rows")
    table, *lines, output = figure["data"]
    run = bundled(BUNDLED["learned"])
    ids = [run.vocabulary.index(word) for word in f"{CAT} {MAT}".split()]
    assert figure["alt"] == (
        "The rows 9, 21, 22, 23, 28 of the table. Of these A has 28, 9, 23, 22, 28, 21, one after the other, and B 28, "
        "21, 23, 22, 28, 9."
    )
    assert sorted({*ids}) == [9, 21, 22, 23, 28]
    picked = sorted({*ids})
    for place, (line, id_) in enumerate(zip(lines, ids, strict=True)):
        at_row = place + (place > 5)  # B begins a row later than A ends
        assert line["y"].tolist() == pytest.approx([(picked.index(id_) + 0.5) / 5, (at_row + 0.5) / 13])
    colours = [line["line"]["color"] for line in lines]
    assert all((colours[i] == colours[j]) == (ids[i] == ids[j]) for i, j in np.ndindex(12, 12))
    assert (len(table["z"]), len(output["z"])) == (5, 13)


@pytest.mark.parametrize(("n_words", "room"), [(7, 1), (8, 2), (16, 2)])
def test_there_is_room_between_both_sentences_in_which_the_name_of_the_second_one_stands(n_words, room):
    text = " ".join(["the"] * n_words)
    figure = shown(open_page(a=text, b=text), "sentence_rows")
    layout, (table, *_lines, output) = figure["layout"], figure["data"]
    empty = range(n_words, n_words + room)
    assert [n for n, row in enumerate(output["z"]) if np.isnan(row).all()] == [*empty]
    assert [n for n, id_ in enumerate(output["meta"]["ids"]) if id_ is None] == [*empty]
    assert len(output["z"]) == 2 * n_words + room
    assert not np.isnan(table["z"]).any()
    *headings, name = layout["annotations"]
    assert [each["text"] for each in headings[::2]] == ["picked rows of the table", "output: Sentence A"]
    assert (name["text"], name["yref"], name["y"]) == ("Sentence B", "y3", n_words + room - 0.5)
    assert layout["yaxis3"]["range"] == [2 * n_words + room - 0.5, -0.5]
    assert not {*layout["yaxis3"]["tickvals"]} & {*empty}


def test_one_sentence_alone_is_one_block():
    figure = shown(open_page(a="", b=MAT, source="trained"), "sentence_rows")
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["picked rows of the table", "", "output"]
    assert len(figure["data"][-1]["z"]) == 6


@pytest.mark.parametrize(
    ("a", "b", "title", "tone"),
    [
        (CAT, CAT, "Both sentences pick the same rows in the same order", "same"),
        (CAT, "the cat sat", "Only one of the sentences picks the rows of on, mat", "different"),
        ("the cat sat", "the cat lay", "Only one of the sentences picks the rows of sat, lay", "different"),
        ("the cat", "cat the dog", "Only one of the sentences picks the row of dog", "different"),
        (CAT, "cat cat sat on the mat", "Both sentences pick the same rows, but not equally often", "different"),
        ("on the mat the cat sat", CAT, "Both sentences pick the same rows, in another order", "same"),
    ],
)
def test_it_is_said_whether_both_sentences_pick_the_same_rows(a, b, title, tone):
    at = open_page(a=a, b=b)
    (card,) = findings(at, "about_rows")
    assert (card["title"].replace("\u2068", "").replace("\u2069", ""), card["tone"]) == (title, tone)
    assert panels(at)[1].tobytes() == small_rows(f"{a} {b}").tobytes()


@pytest.mark.parametrize("query", [{}, {"seed": "7"}])
@pytest.mark.parametrize("texts", [(CAT, MAT), ("my brother hates the dog", "the dog hates my brother")])
def test_random_rows_are_those_of_the_library_at_the_seed_of_the_page(texts, query):
    picked, output = panels(open_page(a=texts[0], b=texts[1], source="random", **query))
    spec = Spec(seed=int(query.get("seed", 123)))
    a, b = (ev.embed(text, spec) for text in texts)
    rows = np.concatenate([a.token_embeddings, b.token_embeddings])[:, :8]
    assert output.tobytes() == rows.tobytes()
    ids = [*a.tokens.ids, *b.tokens.ids]
    assert picked.tobytes() == np.array([rows[ids.index(id_)] for id_ in sorted({*ids})]).tobytes()


def test_without_a_model_that_knows_the_words_the_table_is_random():
    at = open_page(a="my brother hates the dog", b="the dog hates my brother")
    (card,) = findings(at, "about_rows")
    assert card["title"] == "Both sentences pick the same rows, in another order"
    assert card["text"].startswith("The table has 50,257 rows of 256 numbers, of which the first 8 are drawn.")
    assert "Random, untrained vectors" in card["text"]


@pytest.mark.parametrize("view", ["rows", "one-hot"])
@pytest.mark.parametrize("query", [{"ids": "1"}, {"table_rows": "7"}, {"table_dims": "2"}])
def test_an_address_that_says_ids_means_them(view, query):
    at = open_page(view=view, **query)
    assert at.button_group(key="looked_up").value == "ids"
    assert at.text_input(key="ids").value == query.get("ids", "2, 3, 5, 1")
    at.button_group(key="looked_up").set_value("pair").run()
    assert (at.text_input(key="a").value, at.text_input(key="b").value) == (CAT, MAT)


def test_two_empty_sentences_pick_no_rows_and_one_picks_all_of_them():
    at = open_page(a="", b="")
    assert messages(at) == [f"Sentence {name} is empty: type a few words." for name in "AB"]
    assert panels(at) == []
    at = open_page(a="", b=MAT, source="trained")
    assert messages(at) == ["Sentence A is empty: type a few words."]
    assert panels(at)[1].tobytes() == small_rows(MAT).tobytes()


def test_one_hot_has_a_small_table_with_the_words_of_both_sentences():
    at = open_page(view="one-hot", b="the dog sat on the cat")
    words = ["cat", "dog", "mat", "on", "sat", "the"]
    one_hot, table, product = panels(at)
    assert one_hot.tolist() == [[float(word == other) for other in words] for word in CAT.split()]
    assert (one_hot @ table).tolist() == product.tolist()
    assert table.shape == (6, 3)
    assert list(shown(at, "one_hot")["layout"]["yaxis2"]["ticktext"]) == [
        f"{n} \u2068{word}\u2069" for n, word in enumerate(words)
    ]
    assert any(each.value.startswith("A small table of random numbers") for each in at.caption)
    assert not any(
        each.value.startswith("A small table of random numbers") for each in open_page(view="one-hot", **IDS).caption
    )
