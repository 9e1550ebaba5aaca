"""The page "Relative", run as Streamlit runs it."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.attention.attention import attend
from embedviz.attention.layer import make_layer
from embedviz.attention.one_head import Sentence, scores, shift_test
from embedviz.attention.phrase import changes, phrase
from embedviz.base import data_files
from embedviz.base.i18n import translated
from embedviz.base.pages import page_at
from embedviz.models.architectures import ARCHITECTURES
from embedviz.positions import SCHEMES, alibi, sinusoidal, t5
from embedviz.positions.rope_pairs import near_and_far
from embedviz.positions.scheme import GPT2
from embedviz.teaching.lessons import lessons
from embedviz.text.grammar import HELD_OUT, LEARNED
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.far import LENGTHS, LINES, SEEDS, T5_BUCKETS, T5_MAX_DISTANCE, TRAINED, Far, measured
from embedviz.training.next_word import gpt
from embedviz.vectors.embedding import tokenize_for
from pages.relative import far_words, words
from pages.relative.far import FarResult, figure
from pages.relative.schemes import which_one
from tests import naive
from tests.pages.site import findings, messages, programs, shown
from tests.pages.site import visit as open_page

CAT = "the cat sat on the mat"
VIEWS = list(page_at("relative").views)
CHANGED = "Later in a text, the phrase changes under both schemes"
FADES = "With distance, ALiBi lowers scores by rule, and RoPE need not"


def visit(**query) -> AppTest:
    at = open_page("relative", **query)
    assert not at.exception
    return at


def default(text: str = CAT, head: int = 0) -> Sentence:
    return Sentence(tokenize_for(text, ev.Spec()), ev.Spec(), head)


def cards(at: AppTest, key: str) -> dict[str, str]:
    return {card["title"]: card["text"] for card in findings(at, key)}


# Shift test -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["random", "trained"])
def test_two_schemes_at_the_start_and_later(source):
    at = visit(head="3", later="100", one="sinusoidal", another="transformer-xl", source=source)
    spec = ev.Spec(source=source)
    s = Sentence(tokenize_for(CAT, spec), spec, 2)
    drawn = [trace["z"] for trace in shown(at, "shift")["data"]]
    expected = [scores(s, name, first) for name in ("sinusoidal", "transformer_xl") for first in (0, 100)]
    for found, matrix in zip(drawn, expected, strict=True):
        assert np.array_equal(found, matrix)
    layout = shown(at, "shift")["layout"]
    assert layout["coloraxis"]["cmax"] == -layout["coloraxis"]["cmin"] >= max(np.abs(each).max() for each in drawn)
    assert [note["text"] for note in layout["annotations"] if note["text"] in "=≠"] == ["≠", "="]


def test_it_opens_on_a_scheme_that_changes_beside_one_that_stays():
    drawn = shown(visit(), "shift")
    first, later, start, end = (trace["z"] for trace in drawn["data"])
    assert np.abs(first - later).max() > 1
    assert np.abs(start - end).max() < 1e-5
    assert drawn["layout"]["annotations"][0]["text"] == "<b>Learned</b>"


def test_the_phrase_slides_from_the_start_to_its_place_when_the_page_comes():
    drawn = shown(visit(later="4"), "shift")
    assert drawn["layout"]["meta"]["names"] == [f"{n} later" for n in range(5)]
    for n, name in ((1, "learned"), (3, "rope")):
        frames = drawn["data"][n]["meta"]["frames"]["z"]
        for place, frame in enumerate(frames):
            assert np.array_equal(frame.reshape(6, 6), scores(default(), name, place))
    long = shown(visit(sentence="cat " * 20), "shift")["layout"]["meta"]
    assert "plays" not in long
    assert "plays" not in shown(visit(later="0"), "shift")["layout"]["meta"]


def test_the_seed_fills_the_matrices_of_trained_vectors_too():
    drawn = [shown(visit(source="trained", seed=seed), "shift")["data"][0]["z"] for seed in ("1", "2")]
    assert not np.array_equal(*drawn)


def test_a_word_that_the_trained_model_does_not_know_is_named():
    at = visit(source="trained", sentence="the zebra sat")
    assert "Not in the vocabulary: zebra" in at.error[0].value.replace("\\", "")


def test_gpt2s_own_vectors_meet_the_head(hub_server):
    spec = ev.Spec(source="gpt2")
    s = Sentence(tokenize_for(CAT, spec), spec, 0)
    drawn = shown(visit(source="gpt2"), "shift")["data"]
    assert np.array_equal(drawn[1]["z"], scores(s, "learned", 32))


def test_a_table_that_ended_says_so():
    at = visit(context_length="40", later="128")
    assert "The learned table ends at 40" in cards(at, "about_shift")
    assert np.isnan(shown(at, "shift")["data"][1]["z"]).all()
    assert "the table ended" in [note["text"] for note in shown(at, "shift")["layout"]["annotations"]]
    assert "Learned: no row" in shown(at, "shift")["alt"]


def test_a_scheme_more_needs_its_record_alone(monkeypatch):
    monkeypatch.setitem(SCHEMES, "more", replace(SCHEMES["alibi"], name="more", title="One more"))
    at = visit()
    assert (
        "One more"
        in cards(at, "about_shift")[f"{sum(not each.added for each in SCHEMES.values())} schemes keep their scores"]
    )
    assert "One more" in at.selectbox(key="one").options
    assert shown(visit(view="far"), "schemes")["rows"][-1][0] == "One more"


def test_heads_that_do_not_fit_are_a_message():
    for size, better in (("20", 16), ("56", 48)):
        assert f"Take a multiple of 16, such as {better}." in visit(output_dim=size).error[0].value.replace("\\", "")


def test_an_empty_sentence_is_a_message():
    assert "The sentence is empty" in visit(sentence="").info[0].value


def test_a_long_sentence_is_cut_and_the_page_says_so():
    at = visit(sentence=" ".join(["cat"] * 100))
    assert "the first 64 are used" in at.warning[0].value
    assert shown(at, "shift")["data"][0]["z"].shape == (64, 64)


def test_user_text_is_escaped_in_figures():
    drawn = shown(visit(sentence="<b>x"), "shift")["data"][0]
    assert any("&lt;" in name for name in drawn["x"])
    assert not any("<b>" in name for name in drawn["x"])


@pytest.mark.parametrize("part", ["weights", "second"])
def test_weights_and_a_second_layer_have_the_text_before_the_phrase_in_sight(part):
    at = visit(part=part, later="10", one="rope", another="none", head="2")
    drawn = shown(at, "shift")
    expected = [getattr(phrase(default(head=1), name, first), part) for name in ("rope", "none") for first in (0, 10)]
    for trace, matrix in zip(drawn["data"], expected, strict=True):
        assert np.array_equal(trace["z"], matrix)
    assert [note["text"] for note in drawn["layout"]["annotations"] if note["text"] in "=≠"] == ["≠", "≠"]
    assert "plays" not in drawn["layout"]["meta"]
    said = {"weights": "Neither scheme keeps its weights", "second": "Neither scheme keeps its scores in layer 2"}[part]
    assert [*cards(at, "about_shift")] == [CHANGED, said]  # and nothing of the scores, which are not in the picture
    assert "10 more are in sight" in cards(at, "about_shift")[said]
    for query in ({}, {"part": part, "later": "0"}, {"part": part, "context_length": "40", "later": "128"}):
        assert not any("Neither" in title for title in cards(visit(**query), "about_shift"))


def test_what_stays_is_counted_for_both_schemes():
    at = visit(later="7")
    table = shown(at, "kept")
    assert [row[0] for row in table["rows"]] == ["Learned", "RoPE"]
    for row, name in zip(table["rows"], ("learned", "rope"), strict=True):
        scores, *others = changes(default(), name, 7).values()
        assert row[2:5] == [f"{change:.3g}" for change in others]
        assert row[1] == f"{shift_test(default(), (7,))[name][0]:.3g}"  # as the card says it
        assert float(row[1]) == pytest.approx(scores, rel=1e-2, abs=1e-5)
    assert [row[5] for row in table["rows"]] == ["computed anew", "stay, turned already"]
    assert len(shown(visit(one="alibi", another="alibi"), "kept")["rows"]) == 1
    assert shown(visit(context_length="40", later="128"), "kept")["rows"][0][1:5] == ["no row"] * 4


@pytest.mark.parametrize(("part", "is_signed"), [("scores", True), ("weights", False), ("second", True)])
def test_only_what_can_be_negative_has_a_scale_around_zero(part, is_signed):
    axis = shown(visit(part=part), "shift")["layout"]["coloraxis"]
    assert axis["cmin"] == (-axis["cmax"] if is_signed else 0)


def test_a_table_that_ended_has_no_weights():
    drawn = shown(visit(context_length="40", later="128", part="weights"), "shift")["data"]
    assert not np.isnan(drawn[0]["z"]).any()
    assert np.isnan(drawn[1]["z"]).all()


@pytest.mark.parametrize("name", [name for name in SCHEMES if name != "none"])
def test_cached_keys_are_as_the_table_says(name):
    """The keys of a text whose window has slid, with places from its own start again: what was cached, or others."""
    kind, layer = SCHEMES[name].kind, make_layer(name, 256, 8, 1)
    vectors = default().token_embeddings
    added = [default().added(name, np.arange(n, n + 5)) if kind == "add" else None for n in (1, 0)]
    keys = [attend(vectors[1:], layer, added=each, places=np.arange(n, n + 5)).keys
            for each, n in zip(added, (1, 0), strict=True)]  # fmt: skip
    scored = [attend(vectors[1:], layer, added=each, places=np.arange(n, n + 5)).scores
              for each, n in zip(added, (1, 0), strict=True)]  # fmt: skip
    assert np.array_equal(*keys) == (kind in ("bias", "relative"))  # RoPE's are turned by the place that they had
    assert np.allclose(*scored, atol=1e-5) == (kind != "add")
    assert words.CACHED[kind] == {
        "add": "computed anew", "rotate": "stay, turned already", "bias": "stay, biases added anew",
        "relative": "stay, vectors of distances anew",
    }[kind]  # fmt: skip


# By distance ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("reach", [8, 128, 256])
def test_by_distance_draws_slopes_beside_the_band_of_random_pairs(reach):
    at = visit(view="distance", reach=str(reach))
    found, data = near_and_far(reach), shown(at, "distance")["data"]
    lines = {trace["name"]: trace["y"] for trace in data}
    for n in range(8):
        assert np.array_equal(lines[f"head {n + 1}"], np.float32(-alibi.slopes(8)[n] * np.arange(reach + 1)))
    assert {(trace["x"][0], trace["x"][-1]) for trace in data} == {(0, reach)}  # no key after the query is seen
    assert np.array_equal(lines["mean of random pairs"], found.mean)
    assert np.array_equal(lines["mean + spread"] - found.mean, (found.mean + found.spread) - found.mean)
    assert np.array_equal(lines["mean − spread"], found.mean - found.spread)
    (band,) = (trace for trace in data if trace.get("fill") == "tonexty")
    assert data[data.index(band) - 1]["name"] == "mean − spread"


def test_what_is_said_of_distances_follows_from_the_numbers():
    said, found = cards(visit(view="distance"), "about_distance"), near_and_far(128)
    assert "adds −0.5 to a score in the first head, and −0.00391 in the last one" in said[FADES]
    rope = [
        float(each.replace("−", "-").replace(",", ""))
        for each in re.findall(r"−?\d[\d,.]*\d", said["RoPE need not fade"])
    ]
    ends = [found.mean.min(), found.mean.max(), found.spread.min(), found.spread.max(), found.ones[0], found.ones[128]]
    assert rope == [1000, *(pytest.approx(float(end), abs=0.0051) for end in ends)]
    assert said["RoPE need not fade"].endswith("Queries and keys of a trained model are neither random nor ones.")


def test_the_queries_of_a_trained_model_are_neither_random_nor_ones():
    """As the view By distance says: those of a small GPT with RoPE lie along one direction, more than random ones."""
    trained = gpt(next(run for run in map(bundled, BUNDLED.values()) if run.settings.positions == "rope"))
    with torch.no_grad():
        queries = trained.blocks[0].heads(trained.token_embedding.weight[None], None)[0][0]  # (H, V, d)
    random = torch.randn(queries.shape, generator=torch.Generator().manual_seed(0))
    largest = [(torch.linalg.svdvals(each) ** 2)[:, 0] / each.square().sum(dim=(1, 2)) for each in (random, queries)]
    assert largest[0].max() < 0.45 < largest[1].min()
    assert largest[1].mean() > 0.55
    ones = torch.nn.functional.cosine_similarity(queries, torch.ones(queries.shape[-1]), dim=-1)
    assert ones.abs().max() < 0.95


def test_no_curve_of_random_tables_stands_in_for_a_trained_one():
    at = visit(view="distance")
    assert messages(at) == []  # a clause says why there is no T5, and no error fills the page
    assert any("T5’s learned biases are left out" in each.value for each in at.caption)
    assert {trace["xaxis"] for trace in shown(at, "distance")["data"]} == {"x", "x2"}
    names = " ".join(trace["name"] for trace in shown(at, "distance")["data"])
    assert "T5" not in names
    assert "Shaw" not in names


# How far --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", ["right", "loss"])
def test_every_model_has_a_line_as_it_was_measured(of):
    at, found = visit(view="far", measured=of), measured()
    drawn = shown(at, "far")
    lines = [(line, seed) for line in far_words.ORDER for seed in range(len(SEEDS))]
    for trace, (line, seed) in zip(drawn["data"], lines, strict=True):
        assert np.array_equal(trace["y"], getattr(found[line], of)[seed], equal_nan=True)
        assert trace["x"].tolist() == list(LENGTHS)
        assert trace["yaxis"][1:] == str(far_words.ORDER.index(line) + 1).replace("1", "", line == far_words.ORDER[0])
    assert sorted(far_words.ORDER) == sorted(LINES)
    notes = [note["text"] for note in drawn["layout"]["annotations"]]
    assert [note for note in notes if "ends" in note] == ["table ends"]
    upright = [shape for shape in drawn["layout"]["shapes"] if shape["yref"].endswith("domain")]
    assert {shape["x0"] for shape in upright} == {TRAINED}
    assert len(upright) == len(LINES)
    guesses = [shape["y0"] for shape in drawn["layout"]["shapes"] if shape["xref"].endswith("domain")]
    expected = [0.5, 0.1] if of == "right" else [surprise(2), surprise(10)]
    assert guesses == pytest.approx(expected * len(LINES))
    named = {note["y"]: note["text"] for note in drawn["layout"]["annotations"] if note["text"].endswith("nouns")}
    assert named == {guesses[0]: "1 of 2 nouns", guesses[1]: "1 of 10 nouns"}
    thick = {trace["yaxis"] for trace in drawn["data"] if trace["line"]["width"] == 4}
    assert thick == {f"y{far_words.ORDER.index('alibi') + 1}"}
    worth = ("0.5", "0.1") if of == "right" else ("0.69", "2.3")
    said = "Dashed is what a guess is worth: 1 of 2 nouns: {}, 1 of 10 nouns: {}.".format(*worth)
    assert far_words.far_alt(found, of).endswith(said)
    top = max(drawn["layout"]["yaxis"]["range"])
    assert top >= max(np.nanmax(getattr(each, of)) for each in found.values())


def surprise(n: int) -> float:
    """The loss of a guess among n words, by torch."""
    return float(torch.nn.functional.cross_entropy(torch.zeros(1, n), torch.tensor([0])))


def kept() -> dict[str, list[list[float]]]:
    """The shares of right answers as the file has them: by line a list for each seed."""
    return {line: found["right"] for line, found in json.loads(data_files.read("far.json")).items()}


def test_every_scheme_has_learned_the_task_in_each_of_five_seeds():
    for seeds in kept().values():
        assert len(seeds) == 5
        assert all(seed[LENGTHS.index(32)] >= 0.95 for seed in seeds)
    at = visit(view="far")
    assert "not learned" not in str([shown(at, key) for key in ("far", "about_far")]).lower()


def test_what_is_said_of_the_measurement_follows_from_it():
    said, shares = cards(visit(view="far"), "about_far"), kept()
    twice = LENGTHS.index(64)
    ((title, text), *_others) = said.items()
    stayed = [far_words.title(line) for line in far_words.ORDER if min(each[-1] or 0 for each in shares[line]) >= 0.95]
    named = f"only {stayed[0]} is" if len(stayed) == 1 else f"{', '.join(stayed)} are"
    assert title == f"Trained on 32 tokens, {named} still right at 256"
    assert text.startswith("Right means at least 95 of 100 answers, in each of 5 seeds. ")
    for line in far_words.ORDER[1:]:
        low, high = (f"{100 * pick(each[twice] for each in shares[line]):.0f}" for pick in (min, max))
        assert f"{far_words.title(line)}: {low}{f' to {high}' if low != high else ''}" in text
    judged = said[next(title for title in said if title.endswith("beat Sinusoidal"))]
    assert judged.startswith("Textbooks say that relative positions generalise better to other lengths. ")
    better, _not, others = judged.partition(" It is not with ")
    for line in far_words.ORDER[3:]:
        wins = all(a[twice] > b[twice] for a in shares[line] for b in shares["sinusoidal"])
        assert re.search(rf"\b{re.escape(far_words.title(line))}(,| and|\.)", better if wins else others)


def test_the_lesson_says_what_was_measured():
    shares = {line: np.array(seeds)[:, LENGTHS.index(64)] for line, seeds in kept().items() if line != "learned"}
    (station,) = (each for each in lessons()["longer-than-trained"].stations if each.view == "/relative?view=far")
    for line in ("alibi", "t5", "rope", "rope_ntk", "rope_linear"):
        low, high = (round(100 * pick(shares[line])) for pick in (min, max))
        said = f"{low} to {high}" if low < high else low
        assert re.search(rf"{re.escape(far_words.title(line))}( has)? {said}\b", station.answer)


def test_the_end_of_a_text_holds_the_answer_and_that_is_said():
    """As many tokens as the longest question has, and no more, say which noun is right."""
    answers = {item[:-2]: item[-2] for item in LEARNED + HELD_OUT}
    assert len(answers) == len(LEARNED) + len(HELD_OUT)  # no question has two answers
    n = max(map(len, answers))
    said = " ".join(each.value for each in visit(view="far").caption)
    assert n == 10
    assert "An answer needs no more than the last 10 tokens, so the text before them is a distraction." in said


def drawn_shares(learned: bool) -> st.SearchStrategy[list[float]]:
    """Of a seed at all lengths: at the trained one a share that counts as learned, or one that doesn't."""
    shares = st.lists(st.floats(0, 1, width=32), min_size=len(LENGTHS), max_size=len(LENGTHS))
    at = st.floats(0.953125, 1, width=32) if learned else st.floats(0, 0.9375, width=32)
    return st.tuples(shares, at).map(lambda found: [*found[0][:2], found[1], *found[0][3:]])


@st.composite
def measurements(draw: st.DrawFn) -> tuple[dict[str, Far], set[str]]:
    """A measurement in which some schemes have not learned the task in some seed, and which they are."""
    found, failed = {}, draw(st.sets(st.sampled_from(LINES)))
    for line in LINES:
        good = [True] * 4 + [line not in failed]
        right = np.array([draw(drawn_shares(each)) for each in draw(st.permutations(good))], np.float32)
        found[line] = Far(right, right)
    return found, failed


@given(found=measurements())
def test_a_scheme_that_one_seed_has_not_learned_takes_no_part_in_any_headline(found):
    shares, failed = found
    said = {card.title: card.text for card in far_words.about_far(shares)}
    named = next(iter(said)).removeprefix("Right at 32 tokens and at 256: ").split(", ")
    assert not {far_words.title(line) for line in failed} & {*named}
    compared = [line for line in ("t5", "alibi", "rope") if line not in failed]
    judged = [title for title in said if title.endswith("beat Sinusoidal")]
    n = sum(min(shares[line].right[:, 4]) > max(shares["sinusoidal"].right[:, 4]) for line in compared)
    assert judged == ([] if "sinusoidal" in failed else [f"{n} of {len(compared)} relative schemes beat Sinusoidal"])
    left_out = re.findall(r"Not learned, so dotted and left out: (.*?): ", next(iter(said.values())))
    assert sorted(left_out) == sorted(far_words.title(line) for line in failed)


def test_a_scheme_that_one_seed_has_not_learned_says_so_and_its_line_is_dotted():
    right = measured()["alibi"].right.copy()
    right[3, LENGTHS.index(TRAINED)] = 0.94
    drawn = figure(FarResult(measured() | {"alibi": Far(right, right)}, "right"))
    assert "ALiBi (not learned)" in [note["text"] for note in drawn.layout["annotations"]]
    dotted = [n for n, trace in enumerate(drawn.data) if trace["line"]["dash"] == "dot"]
    assert dotted == [5 * far_words.ORDER.index("alibi") + 3]


def test_a_kind_of_scheme_has_one_colour_wherever_it_is_drawn():
    notes = shown(visit(view="far"), "far")["layout"]["annotations"]
    headings = {re.sub("</?b>", "", note["text"]): note for note in notes}
    drawn = {name: headings[name]["font"]["color"] for name in map(far_words.title, LINES)}
    strips = {trace["name"]: trace["marker"]["color"] for trace in shown(open_page("models"), "strips")["data"][1:-1]}
    assert drawn["RoPE"] == drawn["RoPE (NTK)"] == strips["RoPE"]
    assert len({drawn[name] for name in ("RoPE", "ALiBi", "Learned", "None")}) == 4
    assert drawn["Learned"] == drawn["Sinusoidal"]
    assert drawn["ALiBi"] == drawn["T5"]


@given(shares=st.lists(st.floats(0, 1, width=32), min_size=3, max_size=3))
def test_spans_are_those_of_the_seeds(shares):
    said = [float(each) for each in far_words.span(np.array(shares, np.float32)).split(" to ")]
    assert said[0] == pytest.approx(100 * min(shares), abs=0.51)
    assert said[-1] == pytest.approx(100 * max(shares), abs=0.51)


def test_what_guessing_is_worth_is_one_of_two_nouns_and_one_of_all():
    all_answers = {item[-2] for item in HELD_OUT}
    for item in HELD_OUT:
        asked_about = {word for word in item[: item.index(",")] if word in all_answers}
        assert item[-2] in asked_about
        assert (len(asked_about), len(all_answers)) == far_words.GUESSED


def test_the_last_range_of_t5_is_met_in_training():
    late = [d for d in range(40) if t5.bucket(np.array([-d]), False, T5_BUCKETS, T5_MAX_DISTANCE)[0] == T5_BUCKETS - 1]
    assert late[0] == far_words.T5_LAST < TRAINED


# The table of schemes -------------------------------------------------------------------------------


def test_every_scheme_leads_to_a_view():
    found = shown(visit(view="far"), "schemes")
    assert [row[0] for row in found["rows"]] == [s.title for s in SCHEMES.values()]
    assert all(len(row) == len(found["columns"]) - 1 == len(found["rows"][0]) for row in found["rows"])
    for scheme, links in zip(SCHEMES.values(), found["links"], strict=True):
        (link,) = links
        page, view = scheme.seen_in.split("/")
        views = page_at(page).views
        first = next(iter(views))
        assert (link["address"], link["query"]) == (page, "view=" if view == first else f"view={view}")
        assert link["text"] == (
            views[view] if page == "relative" else f"{page_at(page).title}: {translated(views[view])}"
        )
        at = open_page(page, view=view)
        assert not at.exception
        assert at.segmented_control(key="view").value == view


def test_what_the_table_says_of_long_texts_is_so():
    found = shown(visit(view="far"), "schemes")
    past = {name: row[2] for name, row in zip(SCHEMES, found["rows"], strict=True)}
    looked_up = {
        "shaw": lambda distance: naive.clip(-distance, 16),
        "t5": lambda distance: naive.t5_bucket(-distance, False),
        "deberta": lambda distance: naive.delta(distance, 0),
    }
    for name, said in past.items():
        ends = "error" if SCHEMES[name].has_end else "last row" if name in looked_up else "new values"
        assert said == ("nothing told" if name == "none" else ends)
    for row_of in looked_up.values():
        assert row_of(600) == row_of(60_000) != row_of(1)
    assert [tones[2] for tones in found["tones"]] == ["different" * (said == "error") for said in past.values()]


def test_a_hall_has_the_picture_without_the_table():
    assert "schemes" not in str([at.key for at in visit(view="far", present="1").get("bidi_component")])


def test_costs_are_those_of_a_model_of_gpt2s_sizes():
    rows = {row[0]: row for row in shown(visit(view="far"), "schemes")["rows"]}
    gpt2 = transformers.GPT2Config()
    assert (gpt2.n_positions * gpt2.n_embd, gpt2.n_layer, gpt2.n_head) == (786432, GPT2.n_layers, GPT2.n_heads)
    assert rows["Learned"][3] == "786,432"
    assert rows["T5"][3] == f"{32 * gpt2.n_head}"
    assert rows["DeBERTa"][3] == f"{2 * 512 * gpt2.n_embd + gpt2.n_layer * 2 * gpt2.n_embd**2:,}"
    assert {rows[title][3] for title in ("RoPE", "ALiBi", "None", "Sinusoidal")} == {"0"}
    (caption,) = (each.value for each in visit(view="far").caption if "Learns: " in each.value)
    assert "Once for all layers: Learned, T5, DeBERTa." in caption


def test_copies_of_a_token_differ_at_the_input_only_if_a_place_is_added():
    for name in SCHEMES:
        vectors = ev.embed(CAT, ev.Spec(position=name)).input_embeddings
        assert np.array_equal(vectors[0], vectors[4]) == (SCHEMES[name].kind != "add")


def test_alibi_lowers_far_tokens_from_the_beginning():
    assert (np.diff(alibi.bias(20, 8)[:, -1, :]) > 0).all()  # the last query, keys ever nearer


def test_beyond_training_a_table_ends_and_sinusoids_go_on():
    with pytest.raises(ev.EmbedvizError, match="ends at context_length 4"):
        ev.embed(CAT, ev.Spec(position="learned", context_length=4))
    assert np.isfinite(sinusoidal.table(6, 8)).all()


def test_most_models_of_today_take_rope():
    assert which_one()[1].startswith("Most models of today take RoPE.")
    newest = max(model.year for model in ARCHITECTURES.values())
    takes = ["rope" in model.schemes for model in ARCHITECTURES.values() if model.year >= newest - 1]
    assert 2 * sum(takes) > len(takes) > 4


def test_llama_4_and_smollm3_leave_positions_out_of_every_fourth_layer():
    assert "Llama 4 and SmolLM3 leave positions out of every fourth layer" in which_one()[2]
    for config in (transformers.Llama4TextConfig(num_hidden_layers=8), transformers.SmolLM3Config(num_hidden_layers=8)):
        assert config.no_rope_layers == [1, 1, 1, 0, 1, 1, 1, 0]  # 1: this layer rotates


@pytest.mark.parametrize("causal", [True, False])
def test_without_positions_a_causal_mask_alone_lets_order_in(causal):
    """What each token gets, in two orders of the same tokens: alike without a mask, different with one."""
    spec = ev.Spec(position="none", tokenizer="gpt2")
    a, b = (ev.embed(text, spec) for text in ("dog bites man", "man bites dog"))
    layer = make_layer("none", spec.output_dim, 8, 0)
    outputs = [attend(each.token_embeddings, layer, causal=causal).outputs for each in (a, b)]
    moved = [b.tokens.ids.index(token) for token in a.tokens.ids]
    assert np.allclose(outputs[0], outputs[1][moved], atol=1e-5) == (not causal)


# All views ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_its_picture_and_its_program(view):
    at = visit(view=view)
    assert shown(at, view)
    assert "import torch" in programs(at)[0]
    assert len(at.get("bidi_component")) <= 5  # with the ones that share and say why it matters


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "query",
    [
        {"head": "0"}, {"head": "99"}, {"seed": "inf"}, {"output_dim": "x"}, {"reach": "0"}, {"later": "-1"},
        {"one": "rope2"}, {"another": "<b>"}, {"context_length": "1"}, {"tokenizer": "words"}, {"t5": "../.."},
        {"part": "keys"}, {"measured": "x"},
        {"sentence": "<script>alert(1)</script> **x** $y$ &lt;"},
    ],
    ids=str,
)  # fmt: skip
def test_hostile_addresses_fall_back(view, query):
    at = visit(view=view, **query)
    assert [element.value for element in at.error if "is out of range. Take" not in element.value] == []


def test_a_number_out_of_range_gets_a_message():
    assert "Head: 99 is out of range. Take 1 to 8; 1 stays in use." in visit(head="99").error[0].value
