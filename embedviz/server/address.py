"""The address is everything that a visitor sees, written down: what belongs to which page, and what older links mean.

`assets/page/address.js` writes the address, and Streamlit reads it: `streamlit_inside/address.py` says what is other
there. `messages.py` sends a browser that comes with an older address to that of today.
"""

import re
from collections.abc import Mapping
from functools import cache
from urllib.parse import parse_qs, parse_qsl, urlencode

from embedviz.base.i18n import language, translated
from embedviz.base.pages import PAGES, Page, page_at
from embedviz.base.settings import configured
from embedviz.models.architectures import ARCHITECTURES
from embedviz.ui.options import OPTIONS

# These settings mean the same on every page and are taken to each page. Every other one belongs to its own page.
TRAVELS = (
    *("a", "b", "tokenizer", "prefix_space", "lower_case", "source", "output_dim", "seed", "context_length"),
    *("position", "position_scale", "scale_embeddings", "special_tokens", "present", "hide", "lang"),
    *("lesson", "station"),
    "vote",  # the code of a hall's vote, for the lecturer who comes back to it
    *("embed", "embed_options"),  # Streamlit's own, for a page in a frame of another site
    "solved",  # challenges
)
# When one of these changes, the browser's history gets a new entry. All others change the entry that is there.
PLACES = ("present", "view", "source", "lesson", "station", "challenge")
# The names that parameters of a page have in older links, and that options of a control have there.
OLDER = {
    "compare": {"compare": "view"}, "tour": {"step": "view"}, "lookup": {"show": "view"}, "batches": {"part": "view"},
    "relative": {"relative": "view"}, "rope": {"rope": "view"}, "attention": {"attention": "view"},
    "next_word": {"causal_model": "reader"}, "models": {"models": "view"},
    "training": {"part": "view", "text": "corpus"}, "vocabulary": {"find": "token"},
}  # fmt: skip
# Views that are elsewhere now, by what older links to a page call them: the page, if it is another one, the view, and
# what else the link says there.
MOVED = {
    "relative": {
        **dict.fromkeys(("scores", "Scores"), "shift"),
        **dict.fromkeys(("t5", "T5's own"), "distance"),
        **dict.fromkeys(("lengths", "Longer texts"), "rope/longer"),
    },
    "rope": {
        **dict.fromkeys(("base", "Base"), "longer"),
        **dict.fromkeys(("layouts", "Halves or interleaved", "part", "A part of the dimensions"), "details"),
        **dict.fromkeys(("distance", "Near and far"), "relative/distance"),
    },
    "models": {
        **dict.fromkeys(("choose", "Absolute or relative"), "relative/schemes"),
        **dict.fromkeys(("ideas", "Newer ideas"), "table"),
    },
    "batches": dict.fromkeys(("shapes", "Shapes"), "windows"),
    "lookup": {
        **dict.fromkeys(("positions", "Positions"), "positions/adding"),
        **dict.fromkeys(("sizes", "Sizes"), "rows"),
    },
    "positions": dict.fromkeys(("similarity", "Similarity", "kinds", "Real models"), "models"),
    "attention": dict.fromkeys(("sinks", "Sinks"), "head"),
    "layers": dict.fromkeys(("heads", "Heads"), "attention/head?looks=own"),
    "training": dict.fromkeys(("order", "Order"), "relative/far"),
}
# Parameters that belong to one view, which a link to them opens if it names none.
OF_VIEW = {"models": {"model": "one", "with": "one"}}
OLDER_OPTIONS = {
    "model": {each.was: name for name, each in ARCHITECTURES.items() if each.was},
    "embed": {"1": "true"},  # base.js makes it so in the browser's address
    "along": {"Position": "position", "Dimension": "dimension"},
    "colour": {"merge rank (ID)": "id"},
    "sample": {"The Verdict (Edith Wharton)": "verdict", "Romeo and Juliet (William Shakespeare)": "romeo"},
}
AFTER_A_LINK = ")]>.,;:'\"»”"

_MOST = 1000  # parameters; of an address with more of them, Streamlit reads none
_ESCAPED = re.compile(r"&(?:amp(?:;|%3B))+", re.IGNORECASE)


def unescaped(query: str) -> str:
    """The query of a link that says `&amp;` for `&`, as HTML does. An `&` within a text is `%26`, and stays."""
    return _ESCAPED.sub("&", query)


def of_today(page: Page, query: str) -> tuple[Page, str]:
    """The page on which the view of an address is now, and the query with the names of today for those of older links.

    Where both names are, today's counts.
    """
    query, older = unescaped(query), OLDER.get(page.name, {})
    said = parse_qsl(query, keep_blank_values=True) if query.count("&") < _MOST else []
    names = {name for name, _text in said}
    renamed = [(older.get(name, name), text) for name, text in said if older.get(name) not in names]
    known = [
        (name, _hidden(text, older) if name == "hide" else _moved(page, text)[1] if name == "view" else text)
        for name, text in _with_view(page, renamed)
    ]
    view = next((text for name, text in renamed if name == "view"), "")
    today, _view, more = _moved(page, view)
    return today, query if known == said else urlencode(known + parse_qsl(more))


def _with_view(page: Page, said: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The parameters, and the view to which one of them belongs, if none is named."""
    names, of_view = {name for name, _text in said}, OF_VIEW.get(page.name, {})
    found = [] if "view" in names else [("view", view) for name, view in of_view.items() if name in names]
    return said + found[:1]


def _moved(page: Page, view: str) -> tuple[Page, str, str]:
    """The page of a view, its name there, and what else its address says."""
    where, _mark, more = MOVED.get(page.name, {}).get(view, "").partition("?")
    name, _slash, today = where.rpartition("/")
    return page_at(name) if name else page, today or view, more


def _hidden(names: str, older: Mapping[str, str]) -> str:
    """The names of controls in `?hide=`, which are those of their parameters."""
    return ",".join(
        older.get(name.strip(), "settings" if name.strip() == "more" else name) for name in names.split(",")
    )


def for_streamlit(page: Page, query: str) -> str:
    """The query of an address, in which each option is what its control shows, since Streamlit knows options this way.

    So the query is read in the language that is spoken. Old addresses hold the English text of an option, or the text
    that a translation showed. A link in a text may have taken along what stood after it.
    """
    _page, query = of_today(page, query)
    if query.count("&") >= _MOST:
        return query
    labels = _labels(page, language())
    return urlencode(
        {
            key: [known.get(value) or known.get(value.rstrip(AFTER_A_LINK), value) for value in values]
            for key, values in parse_qs(query, keep_blank_values=True).items()
            for known in [labels.get(key, {})]
        },
        doseq=True,
    )


@cache
def _labels(page: Page, _language: str) -> dict[str, dict[str, str]]:
    """What each control shows for an option, by its English text, by that label and, above these, by its name."""
    found = {}
    for key, options in ({key: {} for key in OLDER_OPTIONS} | OPTIONS | {"view": page.views}).items():
        shown = {name: translated(text) for name, text in options.items()}
        found[key] = (
            {text: shown.get(name, name) for text, name in OLDER_OPTIONS.get(key, {}).items()}
            | {text: shown[name] for name, text in options.items()}
            | {text: text for text in shown.values()}
            | shown
        )
    return found


def for_scripts() -> dict[str, object]:
    """What `address.js` needs to know. pages: by their addresses, whether they show the two sentences.

    keeps, opensAt: by these, too, what `Page` says. options, views: of each control, and
    of the switch of each page, the names by what it shows, which is what Streamlit writes.
    """
    return {
        "travels": TRAVELS,
        "keeps": {page.address: page.keeps for page in PAGES},
        "places": PLACES,
        "options": {key: _names(options) for key, options in OPTIONS.items()},
        "views": {page.address: _names(page.views) for page in PAGES},
        "pages": {page.address: page.has_sentences for page in PAGES},
        "opensAt": {page.address: page.opens_at for page in PAGES},
        "most": configured().address_kib * 1024,
    }


def _names(options: Mapping[str, str]) -> dict[str, str]:
    """The name of each option, by the label that its control shows."""
    return {translated(text): name for name, text in options.items()}
