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
from pages.compare.pairs_words import findings
from pages.tour.steps import STEPS
from pages.tour.story import Story
from tests.pages.site import visit, visit_view
from tests.payload import unpack
from tests.views import EXAMPLES

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
    "once", "entry", "until", "lit", "asked", "bars", "page", "query_string", "insidetextanchor", "constrain", "tones",
}  # fmt: skip
# Of these parts of what Vocabulary shows, the names are tokens: all that are drawn, and those of a list.
_OF_TOKENS = ({"kinds", "lengths", "names"}, {"id", "own", "name"})
_WORD = re.compile(r"[A-Za-z]{2,}")
# Markup, names of icons, code, what a scheme of colours is called, tokens (which stand in isolates), IDs of elements.
MARKUP = re.compile(
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
    return _WORD.findall(MARKUP.sub(" ", text))


def written(**query: str) -> dict[str, str]:
    """An address's parameters: titles of options are written as the page shows them."""
    return {name: translated(value) for name, value in query.items()}


OWN_TEXT = {"pasted": "the cat sat on the mat " * 9, "sample": "own"}
# Pages that open on a text of many English words, and what is read there in its place.
IN_FEW_WORDS = {"batches": OWN_TEXT, "tokenizers": {"text": "The cat the mat 🐈"}}
# What examples do not show: other words than the ready ones, and mistakes.
OTHERS = (
    ("", {"a": "", "b": ""}),
    ("", {"a": "The cat", "b": "the dog dog"}),
    ("", {"a": "the cat sat", "b": "the cat sat", "reader": "small-gpt-rope"}),
    ("", {"view": "pairs", "first": "all"}),
    ("", {"view": "pairs", "a": "The cat", "b": "the dog dog", "prefix_space": "false", "position": "none"}),
    ("", {"view": "pairs", "a": "", "b": "a cat", "seed": "-1", "position": "rope"}),
    ("", {"view": "pairs", "context_length": "4"}),
    ("", {"tokenizer": "words", "view": "map", "position_scale": "0.0"}),
    ("lookup", {"ids": "2, 3, 2, 99"}),
    ("lookup", {"view": "one-hot", "ids": "2, 3, 2, -1"}),
    ("lookup", {"ids": "cat4"}),
    ("batches", {"batch_size": "x", "view": "padding", "sample": "file"}),
    ("positions", {"view": "table", "along": "position"}),
    ("positions", {"view": "table", "output_dim": "7"}),
    ("positions", {"view": "table", "source": "trained", "kind": "learned"}),
    *(("relative", {"view": view, "context_length": "8"}) for view in ("shift", "distance")),
    ("relative", {"sentence": ""}),
    ("relative", {"part": "second"}),
    *(("models", asked) for asked in ({"scheme": "none"}, {"scheme": "alibi"}, {"named": "dog"})),
    ("next_word", {"present": "1"}),
)


def pages() -> Iterator[tuple[str, AppTest]]:
    """All examples of all views, and other states of them."""
    for name, (view, n) in EXAMPLES.items():
        has_own = {"pasted", "text"} & view.examples[n].keys()
        yield name, visit_view(view, n, **({} if has_own else IN_FEW_WORDS.get(view.page, {})))
    for page, asked in OTHERS:
        yield f"{page or 'compare'} {asked}", visit(page, **written(**asked))


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
        for card in findings(Copies(found)):
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
