"""Projection mode (`?present=1`), for a hall that looks at a screen from afar, and controls that a link hides."""

import re

import streamlit as st

from embedviz.base.settings import place

_WITHOUT_CONTROLS = place("embedviz/ui/assets/page/controls.css").read_text(encoding="utf-8")
_PROJECTION = place("embedviz/ui/assets/page/present.css").read_text(encoding="utf-8")

_ALL = "all"  # all controls of a page at once
_NAME = re.compile(r"[a-z_0-9]+")


def is_on() -> bool:
    """True if the page is meant for a projector."""
    return st.query_params.get("present") == "1"


def is_at_station() -> bool:
    """True at a lesson's station in a hall, where the station's line asks and answers, and nothing else says either."""
    return is_on() and bool(st.query_params.get("lesson"))


def hidden() -> list[str]:
    """The names in `?hide=`, in order. What can be no key is left out: no visitor's text gets into the style sheet."""
    named = {name.strip() for part in st.query_params.get_all("hide") for name in part.split(",")}
    return sorted(filter(_NAME.fullmatch, named))


def style() -> str:
    """Return what is added to the site's style sheet, which is nothing unless the address asks for it."""
    projection, names = is_on(), hidden()
    sheets = [_PROJECTION] if projection else []
    if projection or _ALL in names:
        sheets.append(_WITHOUT_CONTROLS)
    return "".join([*sheets, *([_hiding(names)] if names else [])])


def _hiding(names: list[str]) -> str:
    """Hide parts of the site, and controls with the columns in which they stand alone. The menu alone has no key."""
    those = f":is({', '.join('.ev-pages' if name == 'pages' else f'.st-key-{name}' for name in names)})"
    alone = (
        f'[data-testid="stColumn"]:has(> [data-testid="stVerticalBlock"] > :is({those}, :has(> {those})):only-child)'
    )
    return f"{those}, {alone} {{ display: none !important; }}"
