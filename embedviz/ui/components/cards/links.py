"""Links from a component to a view of this site, which `page/address.js` follows with the visitor's settings."""

from embedviz.base.pages import Page, page_at
from embedviz.ui.components.component import ASSETS_PATH

Link = dict[str, str]


def link(text: str, at: str, query: str = "") -> Link:
    """A link to the view at this path, such as "relative/distance". query: what else the address says there.

    A parameter without a value is taken out of the address: so is that of a page's first view, as nothing asks for it.
    """
    name, _slash, view = at.partition("/")
    page = page_at(name)
    shown = f"view={'' if view == next(iter(page.views), '') else view}"
    return {"text": text, "address": page.address, "query": f"{shown}&{query}" if query else shown}


def picture_of(page: Page, view: str) -> str:
    """The address of a view's picture, below that of the site. `make picture` draws these pictures."""
    return f"{ASSETS_PATH[1:]}/embedviz/ui/assets/cards/{page.name}/{view or 'page'}.png"
