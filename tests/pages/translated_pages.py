"""Run every page in the language of EMBEDVIZ_LANGUAGE and find every text on them with ASCII words."""

import json
import re
from collections.abc import Iterator

from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from embedviz import compare, embed
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import translated
from embedviz.positions import SCHEMES
from embedviz.programs.notebook import notebook
from embedviz.ui.whole_way.pair import Asked
from embedviz.vectors.copies import Copies
from embedviz.vectors.spec import Spec
from pages.compare.proof import counts, findings
from pages.tour.steps import STEPS
from pages.tour.story import Story
from tests.pages.site import trained, visit
from tests.payload import unpack

# Fields of Streamlit's messages, and parts of what components get, that nobody reads.
_UNSEEN = {
    "id", "form_id", "icon", "url", "page_script_hash", "fragment_id", "query_param_key", "element_id", "css", "js",
    "html_content", "css_content", "js_content", "component_name", "type", "key", "mime", "file_name", "user_key",
    "format", "step_format", "language", "css_style", "shortcut", "live", "autocomplete", "script_hash", "page_name",
    "style", "width", "layer", "allowed_extensions", "extensions", "file_type", "trigger_value_names",
    "plotly", "xaxis", "yaxis", "mode", "textposition", "coloraxis", "colorscale", "family", "dash", "shape", "symbol",
    "fill", "fillcolor", "line", "anchor", "side", "xref", "yref", "xanchor", "yanchor", "bgcolor", "gridcolor",
    "zerolinecolor", "paper_bgcolor", "plot_bgcolor", "hoverinfo", "texttemplate", "orientation", "scaleanchor",
    "ticks", "tickmode", "categoryorder", "legendgroup", "dragmode", "color", "digest", "height", "colour", "tone",
    "stage", "codes", "lengths", "name_of_texts", "arrowhead", "slider", "run", "aspectmode", "projection", "autorange",
    "camera", "bordercolor", "overlaying", "align", "barmode", "address", "query",
    "once", "entry", "until", "lit", "asked", "bars", "page", "insidetextanchor", "constrain", "tones",
}  # fmt: skip
# Of these parts of what Vocabulary shows, the names are tokens: all that are drawn, and those of a list.
_OF_TOKENS = ({"kinds", "lengths", "names"}, {"id", "own", "name"})
_WORD = re.compile(r"[A-Za-z]{2,}")
# Markup, names of icons, code, what a scheme of colours is called, tokens (which stand in isolates), IDs of elements.
_MARKUP = re.compile(
    r"<style>.*</style>|<[^>]*>|%\{[^}]*\}|&\w+;|:material/\w+:|```.*?```|var\(--[\w-]+\)|\u2068[^\u2069]*\u2069"
    r"|^[0-9a-f]{32}$",
    re.DOTALL,
)


def strings(value: object, name: str = "") -> Iterator[str]:
    """Every text in a message or payload that a visitor may see or hear."""
    if name in _UNSEEN:
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, Message):
        for field, inner in value.ListFields():
            yield from strings(inner, field.name)
    elif isinstance(value, dict) or hasattr(value, "items"):
        are_tokens = any(keys <= {*value} for keys in _OF_TOKENS)
        for key, inner in value.items():
            if not (are_tokens and key in ("name", "names")):
                yield from strings(inner, str(key))
    elif isinstance(value, (list, tuple)) or hasattr(value, "_values") or type(value).__name__.startswith("Repeated"):
        for inner in value:
            yield from strings(inner, name)


def seen(at: AppTest) -> Iterator[str]:
    """Every text of a page that has run."""
    for element in _elements(at._tree):
        if element.type in ("code", "text"):  # open, or in its closed fold
            continue  # a program stays as it is
        proto = element.proto
        if element.type == "bidi_component":
            if proto.bytes:
                yield from strings(unpack(proto.bytes))
            yield from _html(proto)
        elif isinstance(proto, Message):
            yield from strings(proto)


def _html(proto: Message) -> Iterator[str]:
    html = getattr(proto, "html_content", "")
    yield from re.findall(r'(?:aria-label|title|aria-description)="([^"]*)"', html)
    yield re.sub(r"<[^>]*>", " ", html)


def _elements(node: object) -> Iterator:
    for child in node.children.values():
        if hasattr(child, "children"):
            if isinstance(getattr(child, "proto", None), Message):
                yield child
            yield from _elements(child)
        else:
            yield child


def words(text: str) -> list[str]:
    """The ASCII words of a text, without markup."""
    return _WORD.findall(_MARKUP.sub(" ", text))


def written(**query: str) -> dict[str, str]:
    """An address's parameters: options are written as the page shows them."""
    return {name: translated(value) for name, value in query.items()}


def positions_of_today() -> Iterator[tuple[str, AppTest]]:
    """The views of the pages RoPE and Models."""
    yield "rope, turn", visit("rope")
    yield "rope, short", visit("rope", base="500", used="64", **written(view="Longer than trained"))
    for scaling in ("None", "Linear", "Dynamic NTK", "YaRN", "Llama 3", "Proportional"):
        yield f"rope, {scaling}", visit("rope", **written(view="Longer than trained", scaling=scaling))
    yield "rope, odd", visit("rope", head_dim="7", **written(view="Longer than trained"))
    for query in ({}, {"scheme": "none"}, {"scheme": "alibi"}, {"named": "dog"}):
        yield f"models {query}", visit("models", **query)


def pages() -> Iterator[tuple[str, AppTest]]:
    """The main views of all pages, and some mistakes."""
    yield "compare", visit()
    yield "compare, the whole way of other words", visit(a="The cat", b="the dog dog")
    yield "compare, the whole way of one sentence", visit(a="the cat sat", b="the cat sat", reader="small-gpt-rope")
    yield "compare, the whole way of nothing", visit(a="", b="")
    for view in ("Pairs", "Map"):
        yield f"compare {view}", visit(**written(view=view, first="all", by="By token"))
    yield (
        "compare, other words",
        visit(view="pairs", a="The cat", b="the dog dog", prefix_space="false", position="none"),
    )
    yield "compare, one empty", visit(view="pairs", a="", b="a cat", seed="-1", position="rope")
    yield "compare, too long for the table", visit(view="pairs", context_length="4")
    yield "compare, words, map", visit(tokenizer="words", view="map", position_scale="0.0")
    for view, ids in (("Rows", "2, 3, 2, 99"), ("One-hot", "2, 3, 2, -1")):
        yield f"lookup {view}", visit("lookup", ids=ids, **written(view=view))
    yield "lookup, no IDs", visit("lookup", ids="cat4")
    yield "tokenizers", visit("tokenizers", text="The cat the mat 🐈")
    yield "tokenizers, none", visit("tokenizers", text="", tokenizers="gpt2")
    own = {"pasted": "the cat sat on the mat " * 9, "sample": "Paste my own"}
    for part, stride in (("Windows", "2"), ("Padding", "4")):
        yield f"batches {part}", visit("batches", stride=stride, **written(view=part, **own))
    yield "batches, gaps", visit("batches", stride="5", batch_size="2", **written(**own))
    yield "batches, none", visit("batches", batch_size="64", **written(**own))
    yield "batches, file", visit("batches", batch_size="x", **written(sample="Upload a file", view="Padding"))
    for view in ("Adding", "Table", "Pairs", "Past the end"):
        yield f"positions {view}", visit("positions", **written(view=view))
    yield "positions, a row", visit("positions", along="position", **written(view="Table"))
    for numbers in ("4", "pca"):
        yield f"positions, adding {numbers}", visit("positions", view="adding", held_numbers=numbers)
    yield "positions, odd", visit("positions", output_dim="7", **written(view="Table"))
    yield "positions trained", visit("positions", source="trained", kind="learned", **written(view="Table"))
    for view in ("Shift test", "By distance"):
        yield f"relative {view}", visit("relative", context_length="8", **written(view=view))
    yield "relative, empty", visit("relative", sentence="")
    yield "relative, weights", visit("relative", part="weights")
    yield "relative, layer 2", visit("relative", part="second")
    yield "relative, how far", visit("relative", view="far")
    yield "relative, how far, losses", visit("relative", view="far", measured="loss")
    yield from positions_of_today()
    for change in ("off", "trained", "shifted", "swapped"):
        yield f"layers, {change}", visit("layers", change=change, reader="small-gpt-rope", measure="distance")
    yield "layers, no positions", visit("layers", reader="small-gpt-none")
    for given in ("false", "true"):
        yield f"layers, memory {given}", visit("layers", view="memory", given=given)
    yield "layers, meaning", visit("layers", view="meaning")
    yield "attention", visit("attention", causal="true")
    yield "attention, heads", visit("attention", n_heads="7")
    yield from next_words()
    for looks in ("before", "own"):
        yield f"attention, head {looks}", visit("attention", view="head", looks=looks, on=str(looks == "own").lower())
    for part in ("Words", "Positions"):
        yield f"training {part}", visit("training", **written(view=part))
        yield f"training {part}, trained", visit("training", **trained(), **written(view=part))
    yield "training, own", visit("training", own="the cat", corpus="own")
    yield "vocabulary", visit("vocabulary")
    yield "vocabulary, not on the map", visit("vocabulary", token="(")
    yield "vocabulary, trained", visit("vocabulary", source="trained")
    yield "vocabulary, a part of tokens", visit("vocabulary", source="trained", token="a")
    yield "vocabulary, wrong", visit("vocabulary", source="trained", token="(")
    yield (
        "vocabulary, axis",
        visit("vocabulary", source="trained", token="cat dog", alone="true", **written(map="Axis")),
    )
    yield "vocabulary, bad settings", visit("vocabulary", source="trained", colour="x", map="x")
    yield "tour", visit("tour")
    yield "tour, question", visit("tour", view="same")


def next_words() -> Iterator[tuple[str, AppTest]]:
    """The page Next word: every change of the positions, of every small model."""
    for change in ("As trained", "Positions off", "Exchange the nouns’ positions", "Shuffle the list, keep positions"):
        for gpt in ("Learned positions, 1 layer", "No positions, 1 layer", "No positions, 2 layers"):
            asked = {"asked": "off.exchanged.shuffled"} | ({"way": "0.5"} if gpt.startswith("No") else {})
            yield f"next word, {change}, {gpt}", visit("next_word", **asked, **written(placed=change, gpt=gpt))
    yield "next word, part of the way", visit("next_word", placed="exchanged", asked="exchanged", way="0.5")
    for form in ("rest", "active", "passive"):
        yield f"next word, moved {form}", visit("next_word", placed="moved", asked="moved", asked_for=form)
    yield "next word, asked", visit("next_word", placed="moved")
    yield "next word, projection", visit("next_word", present="1")
    yield "next word, one noun", visit("next_word", noun="mat")
    yield "next word, no model", visit("next_word", sentences="own")


def tour_texts() -> Iterator[str]:
    """Every step, question and picture, of sentences of several kinds."""
    for a, b in (
        ("the cat sat on the mat", "on the mat the cat sat"),
        ("cat", "dog"),
        ("the cat", "the cat"),
        ("only I love you", "I love only you"),
    ):
        story = Story(Asked((a, b)))
        for step in STEPS:
            yield from (translated(step.name), *step.words(story), step.note(story))
            if asked := step.asked(story):
                yield from strings(vars(asked))


def errors() -> Iterator[str]:
    """What the library says of values that do not fit."""
    for values in ({"seed": -1}, {"position": "no"}, {"output_dim": 3, "position": "sinusoidal"}, {"lower_case": 1}):
        try:
            Spec(**values)
        except EmbedvizError as error:
            yield str(error)


def schemes() -> Iterator[str]:
    """What Compare says of each scheme."""
    for position in SCHEMES:
        spec = Spec(position=position, output_dim=8)
        found = compare(embed("the cat", spec), embed("cat the", spec))
        for card in (*counts(Copies(found)), *findings(found)):
            yield from (card.title, card.text)


def cells() -> Iterator[str]:
    """The words of a notebook."""
    made = json.loads(notebook("import torch\n\nx = 1\nprint(x)\n", translated("A whole vocabulary")))
    yield from ("".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == "markdown")


def texts_on_pages() -> dict[str, list[str]]:
    """What was found, by the place."""
    found = {"tour, all": [*tour_texts()], "errors": [*errors()], "schemes": [*schemes()], "notebook": [*cells()]}
    for where, at in pages():
        assert not at.exception, f"{where}: {at.exception[0].stack_trace}"
        found[where] = [*seen(at)]
    return {where: sorted(set(texts)) for where, texts in found.items()}
