"""What of an address belongs to whom. What a visitor sees is a value, and the address is that value written down.

`assets/page/address.js` writes it, Streamlit reads it.
"""

from embedviz.base import options
from embedviz.base.pages import PAGES
from embedviz.base.settings import configured

# These mean the same on every page and go along to each; all others belong to the page on which they stand.
TRAVELS = (
    *("a", "b", "tokenizer", "prefix_space", "lower_case", "source", "output_dim", "seed", "context_length"),
    *("position", "position_scale", "scale_embeddings", "present", "hide", "lang"),
)
# Another value of one of these is another place for the button Back; of all others it is the same place, changed.
PLACES = ("present", "step", *sorted({page.view for page in PAGES if page.view}))


def for_scripts() -> dict[str, object]:
    """What `address.js` needs to know. pages: by their addresses, whether they show the two sentences.

    options: of each control the names by what it shows, which is what Streamlit writes.
    """
    return {
        "travels": TRAVELS,
        "places": PLACES,
        "options": options.names(),
        "pages": {page.address: "a" in page.controls.split() for page in PAGES},
        "most": configured().address_kib * 1024,
    }
