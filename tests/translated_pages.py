"""Run every page in the language of EMBEDVIZ_LANGUAGE and print, as JSON, every ASCII word that a visitor sees.

A process of its own, since a server has one language from its start on. Prints {where: [text, ...]}.
"""

import json
import re
import sys
from collections.abc import Iterator

from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from embedviz import tour
from embedviz.errors import EmbedvizError
from embedviz.notebook import notebook
from embedviz.positions import SCHEMES
from embedviz.spec import TOKENIZERS, Spec
from embedviz.texts import translated
from tests.pages.site import visit

# Fields of Streamlit's messages, and parts of what components get, that nobody reads.
_UNSEEN = {
    "id", "form_id", "icon", "url", "page_script_hash", "fragment_id", "query_param_key", "element_id", "css", "js",
    "html_content", "css_content", "js_content", "component_name", "type", "key", "mime", "file_name", "user_key",
    "format", "step_format", "language", "css_style", "shortcut", "live", "autocomplete", "script_hash", "page_name",
    "style", "width", "allowed_extensions", "extensions", "file_type", "trigger_value_names",
    "plotly", "xaxis", "yaxis", "mode", "textposition", "coloraxis", "colorscale", "family", "dash", "shape", "symbol",
    "fill", "fillcolor", "line", "anchor", "side", "xref", "yref", "xanchor", "yanchor", "bgcolor", "gridcolor",
    "zerolinecolor", "paper_bgcolor", "plot_bgcolor", "hoverinfo", "texttemplate", "orientation", "scaleanchor",
    "ticks", "tickmode", "categoryorder", "legendgroup", "dragmode", "color", "digest", "height", "colour", "tone",
    "codes", "lengths", "name_of_texts", "arrowhead", "slider", "run", "aspectmode", "projection", "autorange",
    "camera", "bordercolor", "overlaying", "align",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z]{2,}")
_MARKUP = re.compile(r"<style>.*</style>|<[^>]*>|%\{[^}]*\}|&\w+;|:material/\w+:|```.*?```", re.DOTALL)


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
        for key, inner in value.items():
            yield from strings(inner, str(key))
    elif isinstance(value, (list, tuple)) or hasattr(value, "_values") or type(value).__name__.startswith("Repeated"):
        for inner in value:
            yield from strings(inner, name)


def seen(at: AppTest) -> Iterator[str]:
    """Every text of a page that has run."""
    from embedviz.ui.payload import unpack  # noqa: PLC0415 after the language is known

    for element in _elements(at._tree):
        if element.type == "code":
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


def pages() -> Iterator[tuple[str, AppTest]]:
    """The main views of all pages, and some mistakes."""
    yield "compare", visit()
    yield "compare, other words", visit(a="The cat", b="the dog dog", prefix_space="false")
    yield "compare, one token in common", visit(a="dog bites man", b="man bites dog")
    yield "compare, empty", visit(a="", b="a cat")
    yield "compare, too long for the table", visit(a="a b c d e f", context_length="4")
    yield "compare, out of range", visit(seed="-1", output_dim="7", position="sinusoidal")
    for scheme in SCHEMES:
        yield f"compare {scheme}", visit(position=scheme)
    for tokenizer in TOKENIZERS:
        yield f"compare {tokenizer}", visit(tokenizer=tokenizer)
    yield "compare trained", visit(source="trained")
    for view in ("Rows", "One-hot", "Mistakes", "Positions", "Sizes"):
        yield f"lookup {view}", visit("lookup", **written(show=view))
    yield "lookup past", visit("lookup", ids="99")
    yield "lookup past, mistakes", visit("lookup", ids="99", **written(show="Mistakes"))
    yield "lookup rubbish", visit("lookup", ids="1 2 zebra4")
    yield "lookup no ids", visit("lookup", ids=",")
    yield "lookup unknown word", visit("lookup", ids="zebra")
    yield "tokenizers", visit("tokenizers")
    yield "tokenizers, one", visit("tokenizers", tokenizers="gpt2", text="The end: the END 🐈")
    yield "tokenizers, empty", visit("tokenizers", text="")
    for part in ("Windows", "Shapes", "Padding"):
        yield f"batches {part}", visit("batches", **written(part=part))
    yield "batches, overlap", visit("batches", stride="2", max_length="6")
    yield "batches, gaps", visit("batches", stride="8", max_length="200", batch_size="2")
    yield "batches, none", visit("batches", batch_size="64", max_length="256", stride="256")
    yield "batches, own", visit("batches", pasted="a", **written(sample="Paste my own"))
    yield "batches, file", visit("batches", **written(sample="Upload a file"))
    for view in ("Table", "Pairs", "Similarity", "Side by side", "Past the end", "Adding"):
        yield f"positions {view}", visit("positions", **written(view=view))
    for kind in ("learned", "p/L"):
        yield f"positions {kind}", visit("positions", kind=kind)
        yield f"positions similarity {kind}", visit("positions", kind=kind, **written(view="Similarity"))
    yield "positions odd", visit("positions", output_dim="7")
    yield "positions trained", visit("positions", source="trained", **written(view="Side by side"))
    for view in ("Scores", "Shift test", "By distance", "Longer texts", "Which one"):
        yield f"relative {view}", visit("relative", **written(relative=view))
    yield "relative, empty", visit("relative", sentence="")
    yield "relative, ended", visit("relative", context_length="8", **written(relative="Shift test"))
    yield "relative, short", visit("relative", used="8", **written(relative="Longer texts"))
    yield "relative, odd", visit("relative", output_dim="20")
    yield "attention", visit("attention")
    yield "attention, mask", visit("attention", causal="true", position="none")
    yield "attention, heads", visit("attention", n_heads="7")
    yield "attention, nothing shared", visit("attention", a="cat", b="dog")
    for part in ("Words", "Positions", "Order"):
        yield f"training {part}", visit("training", **written(part=part))
    yield "training, untrained", visit("training", seed="99")
    yield "training, own", visit("training", own="too short", **written(text="My own"))
    for view in ("Neighbours", "With a position", "Search"):
        yield f"vocabulary {view}", visit("vocabulary", tokenizer="words", output_dim="64", **written(list=view))
    yield "vocabulary, hits", visit("vocabulary", output_dim="8", find="cat", **written(list="Search"))
    yield "vocabulary, bad", visit("vocabulary", output_dim="8", find="(", regex="true", **written(list="Search"))
    yield "vocabulary, axis", visit("vocabulary", output_dim="8", **written(map="Axis"))
    yield "vocabulary, t-SNE", visit("vocabulary", output_dim="8", map="t-SNE")
    yield "vocabulary, unknown", visit("vocabulary", output_dim="8", token="a b c")
    yield from _tour()


def _tour() -> Iterator[tuple[str, AppTest]]:
    for step, name in enumerate(tour.NAMES, 1):
        yield f"tour {name}, asked", visit("tour", step=str(step))
        at = visit("tour", step=str(step), present="1")
        at.session_state["tour_revealed"] = {name}
        yield f"tour {name}", at.run()
    for texts in ({"a": "", "b": ""}, {"a": "cat", "b": "dog"}, {"a": "a cat", "b": "a cat"}):
        for step, name in enumerate(tour.NAMES, 1):
            at = visit("tour", step=str(step), present="1", **texts)
            at.session_state["tour_revealed"] = {name}
            yield f"tour {name}, {texts}", at.run()


def _errors() -> Iterator[str]:
    for values in ({"seed": -1}, {"position": "no"}, {"output_dim": 3, "position": "sinusoidal"}, {"lower_case": 1}):
        try:
            Spec(**values)
        except EmbedvizError as error:
            yield str(error)


def main() -> None:
    """Print what was found."""
    found: dict[str, list[str]] = {}
    for where, at in pages():
        if at.exception:
            sys.exit(f"{where}: {at.exception[0].value}")
        for text in seen(at):
            if words(text):
                found.setdefault(where, []).append(text)
    found["errors"] = list(_errors())
    cells = json.loads(notebook("import torch\n\nx = 1\nprint(x)\n", translated("A whole vocabulary")))["cells"]
    found["notebook"] = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    print(json.dumps(found, ensure_ascii=False))


if __name__ == "__main__":
    main()
