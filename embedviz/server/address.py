"""Which settings in an address belong to which page. The address is everything that a visitor sees, written down.

`assets/page/address.js` writes the address, and Streamlit reads it.
"""

from urllib.parse import parse_qs, urlencode

from embedviz.base import options
from embedviz.base.pages import PAGES
from embedviz.base.settings import configured

# These settings mean the same on every page and are taken to each page. Every other one belongs to its own page.
TRAVELS = (
    *("a", "b", "tokenizer", "prefix_space", "lower_case", "source", "output_dim", "seed", "context_length"),
    *("position", "position_scale", "scale_embeddings", "special_tokens", "present", "hide", "lang"),
)
# A page that writes one of these itself, if the address does not say it, also keeps it for when the visitor comes back.
# What a page has written so is taken nowhere else, since nobody has chosen it.
KEEPS = {"vocabulary": ("source",)}
# When one of these changes, the browser's history gets a new entry. All others change the entry that is there.
PLACES = ("present", "step", *sorted({page.view for page in PAGES if page.view}))

_MOST = 1000  # parameters; of an address with more of them, Streamlit reads none


def for_streamlit(query: str) -> str:
    """The query of an address, in which each option is what its control shows, since Streamlit knows options this way.

    So it is read in the language that is spoken.
    """
    if query.count("&") >= _MOST:
        return query
    return urlencode(options.understood(parse_qs(options.unescaped(query), keep_blank_values=True)), doseq=True)


def for_scripts() -> dict[str, object]:
    """What `address.js` needs to know. pages: by their addresses, whether they show the two sentences.

    options: of each control the names by what it shows, which is what Streamlit writes.
    """
    return {
        "travels": TRAVELS,
        "keeps": KEEPS,
        "places": PLACES,
        "options": options.names(),
        "pages": {page.address: "a" in page.controls.split() for page in PAGES},
        "most": configured().address_kib * 1024,
    }
