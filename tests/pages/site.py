"""Pages run as Streamlit runs them, without a browser."""

import re
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest

from embedviz.base.pages import page_at
from embedviz.base.settings import place
from embedviz.server.streamlit_inside.alone import visitor_of
from embedviz.training.train import TrainingSettings
from embedviz.ui import AnyView
from embedviz.ui.inputs.training_runs import settings_hash
from tests.payload import unpack
from tests.views import query

SITE = place("embedviz/ui/site.py")


def visit(page: str = "", **query: str | list[str]) -> AppTest:
    """Open a page, the first one if none is named, at an address with these query parameters."""
    return before_visit(page, **query).run()


def visit_view(view: AnyView, example: int = 0, **more: str) -> AppTest:
    """Open an example of a view. more: what else the address says."""
    return visit(page_at(view.page).address, **query(view, example) | more)


def before_visit(page: str = "", **query: str | list[str]) -> AppTest:
    """The same before the page has run, for who brings a state of the session along."""
    return visitor_of(page, query)


def shown(at: AppTest, key: str) -> dict | None:
    """What the component under this key got, or None if it is not on the page."""
    keys = (f"-{key}", f"-plot_{key}", f"-cards_{key}")
    found = [c.proto for c in at.get("bidi_component") if c.proto.id.endswith(keys)]
    return unpack(found[0].bytes) if found else None


def headlines(at: AppTest, *, of_slides: bool = False) -> dict[str, str]:
    """What the headline claims, as its reader sees it, by stages; {} where it is the page's title.

    of_slides: the headlines that slides have of their own instead, by the slides' names.
    """
    claims = {}
    for above, node in _below(at._tree):
        stage = re.search(r"-claim_of_(\w+)$" if of_slides else r"-claim_(before|after|always)$", above)
        if stage and node.type == "title":
            claims[stage[1]] = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", node.value)
    return claims


def findings(at: AppTest, key: str) -> list[dict]:
    """What is said: the headlines, and the cards under this key; one whose title is a headline has it again.

    A headline that has no card below comes first, as a card without a text.
    """
    cards = [dict(card) for card in (shown(at, key) or {"cards": []})["cards"]]
    left = headlines(at)
    for card in cards:
        if not card["title"]:
            card["title"] = left.pop(card["stage"] or "always")
    stages = {"always": ""}
    return [{"title": said, "text": "", "stage": stages.get(stage, stage)} for stage, said in left.items()] + cards


def _below(node: object, above: str = "") -> Iterator[tuple[str, object]]:
    """Each element with the ID of the nearest container around it that has one."""
    for child in node.children.values():
        if hasattr(child, "children"):
            yield from _below(child, getattr(getattr(child, "proto", None), "id", "") or above)
        else:
            yield above, child


def programs(at: AppTest) -> list[str]:
    """Every program on the page: as long as its fold is closed it is plain text."""
    return [element.value for element in (*at.code, *at.text)]


def trained(*others: dict) -> dict[str, str]:
    """What the address says once "Train" was pressed: for the usual settings, or for those that differ so from them."""
    return {"trained": settings_hash([TrainingSettings(**other) for other in others or ({},)])}


def payloads(at: AppTest) -> list[dict]:
    """What each component got, in the order of the page."""
    return [unpack(element.proto.bytes) for element in at.get("bidi_component") if element.proto.bytes]


def messages(at: AppTest) -> list[str]:
    """Every message on the page, as its reader sees it."""
    return [element.value.replace("\\", "") for element in (*at.error, *at.warning, *at.info)]
