"""All views of the site and their examples, from which every list of views in a test is made."""

from importlib import import_module
from urllib.parse import urlencode

from embedviz.base.pages import PAGES, page_at
from embedviz.ui import AnyView

# By page and name, in the order of the menu.
VIEWS: dict[tuple[str, str], AnyView] = {
    (view.page, view.name): view for page in PAGES for view in import_module(f"pages.{page.name}.page").VIEWS
}


def name_of(view: AnyView, example: int = 0) -> str:
    """What an example of a view is called in the name of a test: the page, the view, and what the address says more."""
    said = (f"{key}={text[:20]}" for key, text in view.examples[example].items())
    return " ".join(filter(None, [view.page, view.name, *said]))


def query(view: AnyView, example: int = 0) -> dict[str, str]:
    """What the address of an example says after its "?"."""
    is_first = view.name == next(iter(page_at(view.page).views), "")
    return ({} if is_first else {"view": view.name}) | dict(view.examples[example])


def address(view: AnyView, example: int = 0, **more: str) -> str:
    """The path of an example, and what it says."""
    said = urlencode(query(view, example) | more)
    return f"/{page_at(view.page).address}" + f"?{said}" * bool(said)


EXAMPLES = {name_of(view, n): (view, n) for view in VIEWS.values() for n in range(len(view.examples))}
FIRST = {name_of(view): view for view in VIEWS.values()}  # by the names of their first examples
