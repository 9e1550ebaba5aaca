"""What colours mean: one table, from which every picture, page and script takes them."""

import itertools
import re

import numpy as np
import pytest

from embedviz.base.settings import ROOT
from embedviz.figures import theme
from embedviz.figures.schemes.far import Reading, far
from embedviz.figures.schemes.layer_strips import Cell, Strip, layer_strips
from embedviz.positions import SCHEMES
from tests.figures.test_palette import MODES, THEME, VISIONS, as_seen, contrast

SOURCES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for room in ("embedviz", "pages")
    for path in sorted((ROOT / room).rglob("*"))
    if path.suffix in {".py", ".js", ".css", ".html"}
}
TOKENS_OWN = {"embedviz/figures/theme.py", "embedviz/ui/components/shared/theme.js"}
LISTS = {"token": "Categorical", "sequential": "Sequential", "diverging": "Diverging"}
COMPARED = [  # what stands in one picture
    [role for role in theme.COLOURS if role.startswith("kind-")],
    ["falls", "rises"],
    ["query", "key"],
    ["first-position", "second-position"],
    ["straight-line", "network"],
    ["known-angle", "new-angle"],
]


def colour(role: str, mode: str) -> str:
    """The colour of a role in a theme, as #rrggbb."""
    source, of_theme = theme.COLOURS[role], THEME[mode]
    if source == "ink":
        return of_theme["textColor"]
    name, number = source.split("-")
    return of_theme[f"chart{LISTS[name]}Colors"][int(number)]


def test_no_figure_page_or_script_takes_the_colour_of_a_token_for_something_else():
    assert [name for name, text in SOURCES.items() if "--token-" in text and name not in TOKENS_OWN] == []


@pytest.mark.parametrize("role", theme.COLOURS)
def test_every_meaning_is_drawn_somewhere(role):
    kind = re.sub(r"-\d$", "-", role)
    said = (f"var(--{kind}", f"roles[`--{kind}") if kind != role else (f"var(--{role})",)
    if role.startswith("kind-"):
        assert f"var(--{role})" == theme.KIND_COLOURS[role.removeprefix("kind-")]
        said = ("KIND_COLOURS[",)
    assert any(each in text for text in SOURCES.values() for each in said)


def test_every_meaning_that_is_drawn_stands_in_the_table():
    """A role that nobody knows would be painted in no colour, without an error."""
    basic = {"ink", "faint", "grid", "surface", "accent"}
    of_python = [text for name, text in SOURCES.items() if name.endswith(".py")]
    named = {role for text in of_python for role in re.findall(r"[\"']var\(--([a-z0-9-]+)\)[\"']", text)}
    assert named - basic - theme.COLOURS.keys() - {"sequential", "diverging"} == set()


def test_every_kind_of_scheme_has_a_colour_and_the_same_one_in_each_picture():
    kinds = {scheme.kind for scheme in SCHEMES.values()}
    assert kinds <= theme.KIND_COLOURS.keys()
    words = {kind: kind for kind in theme.KIND_COLOURS} | {"chunk": "{kind}", "sinks": "sinks"}
    cells = [Cell(n, kind, 1.0, "") for n, kind in enumerate(theme.KIND_COLOURS, 1)]
    right, learned = np.ones((1, 2), np.float32), np.ones(1, bool)
    readings = [Reading(kind, kind, right, learned, keeps=False) for kind in theme.KIND_COLOURS]
    strips = layer_strips([Strip("model", cells, "")], words)
    lines = far(readings, [32, 64], 32, axis="", short="", guesses={}, top=1.0)
    named = {trace["name"]: trace["marker"]["color"] for trace in strips.data if trace["name"] in theme.KIND_COLOURS}
    assert named == theme.KIND_COLOURS
    assert [trace["line"]["color"] for trace in lines.data] == [*theme.KIND_COLOURS.values()]


def test_every_document_in_which_scripts_draw_says_what_colours_mean():
    sheet = theme.role_sheet()
    pairs = re.search("--ev-roles: (.+);", sheet)[1].split(", ")
    assert dict(pair.split(" ") for pair in pairs) == theme.COLOURS
    for name in ("embedviz/server/html/head.py", "embedviz/ui/components/standalone.py"):
        assert "role_sheet()" in SOURCES[name]


@pytest.mark.parametrize("mode", MODES)
def test_what_has_a_meaning_is_seen_on_its_background(mode):
    shown = {role: colour(role, mode) for role, source in theme.COLOURS.items() if source != "faint"}
    assert min(contrast(one, THEME[mode]["backgroundColor"]) for one in shown.values()) >= 3


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("roles", COMPARED, ids=lambda roles: roles[0])
def test_meanings_in_one_picture_can_be_told_apart(roles, mode, vision):
    seen = as_seen([colour(role, mode) for role in roles], vision)
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) >= 14
