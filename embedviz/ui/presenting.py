"""Projection mode (`?present=1`), for a hall that looks at a screen from afar, and controls that a link hides."""

import streamlit as st

from embedviz.base import options
from embedviz.base.pages import PAGES
from embedviz.base.settings import ROOT

_WITHOUT_CONTROLS = (ROOT / "embedviz/ui/assets/page/controls.css").read_text(encoding="utf-8")
_PROJECTION = (ROOT / "embedviz/ui/assets/page/present.css").read_text(encoding="utf-8")

# What `?hide=` may name, apart from the key of a control: parts of the site, and all controls of a page at once.
_PARTS = {"pages": ".ev-pages", "share": ".st-key-share", "glossary": ".st-key-glossary"}
_ALL = "all"
RENAMED = options.RENAMED | {"more": "settings"}  # names by which older links know a control
CONTROLS = frozenset(name for page in PAGES for name in page.controls.split())


def is_on() -> bool:
    """True if the page is meant for a projector."""
    return st.query_params.get("present") == "1"


def start() -> None:
    """Turn the mode on. Meant for callbacks."""
    st.query_params["present"] = "1"


def leave() -> None:
    """Turn the mode off. Meant for callbacks."""
    st.query_params.pop("present", None)


def hidden() -> list[str]:
    """Return the known names in `?hide=`, in order.

    Unknown names are left out, so that a visitor's text never gets into the style sheet.
    """
    named = {name.strip() for part in st.query_params.get_all("hide") for name in part.split(",")}
    named |= {RENAMED[name] for name in named & RENAMED.keys()}
    return sorted(named & (CONTROLS | _PARTS.keys() | {_ALL}))


def style() -> str:
    """Return what is added to the site's style sheet, which is nothing unless the address asks for it."""
    projection, names = is_on(), hidden()
    sheets = [_PROJECTION] if projection else []
    if projection or _ALL in names:
        sheets.append(_WITHOUT_CONTROLS)
    return "".join([*sheets, *(_hiding(name) for name in names if name != _ALL)])


def _hiding(name: str) -> str:
    """Hide a part of the site, or a control and the column in which it stands alone."""
    one = _PARTS.get(name, f".st-key-{name}")
    alone = f'[data-testid="stColumn"]:has(> [data-testid="stVerticalBlock"] > :is({one}, :has(> {one})):only-child)'
    return f"{one}, {alone} {{ display: none !important; }}"
