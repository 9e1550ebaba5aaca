"""The address is everything that a visitor sees, written down: what belongs to which page, and how options are called.

`assets/page/address.js` writes the address, and Streamlit reads it: `streamlit_inside/address.py` says what is other
there.
"""

import re
from collections.abc import Mapping
from functools import cache
from urllib.parse import parse_qs, urlencode

from embedviz.base.i18n import language, translated
from embedviz.base.pages import PAGES, Page
from embedviz.base.settings import configured
from embedviz.ui.inputs.options import OPTIONS

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
PLACES = ("present", "view", "source", "lesson", "station", "answered", "challenge")
AFTER_A_LINK = ")]>.,;:'\"»”"

_MOST = 1000  # parameters; of an address with more of them, Streamlit reads none
_ESCAPED = re.compile(r"&(?:amp(?:;|%3B))+", re.IGNORECASE)


def unescaped(query: str) -> str:
    """The query of a link that says `&amp;` for `&`, as HTML does. An `&` within a text is `%26`, and stays."""
    return _ESCAPED.sub("&", query)


def for_streamlit(page: Page, query: str) -> str:
    """The query of an address, in which each option is what its control shows, since Streamlit knows options this way.

    So the query is read in the language that is spoken. An address may also hold the English text of an option, or the
    text that a translation shows. A link in a text may have taken along what stood after it.
    """
    query = unescaped(query)
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
    for key, options in (OPTIONS | {"view": page.views}).items():
        shown = {name: translated(text) for name, text in options.items()}
        found[key] = (
            {text: shown[name] for name, text in options.items()} | {text: text for text in shown.values()} | shown
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
