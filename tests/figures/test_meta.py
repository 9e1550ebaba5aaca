"""What Python tells the page's scripts of a figure beyond Plotly: both declare the same keys, and use no others."""

import ast
import re

import numpy as np
import pytest

from embedviz.base.settings import ROOT
from embedviz.figures.figure import Figure, LayoutMeta, Panel, TraceMeta, figure
from embedviz.figures.theme import curve

DECLARED = {"TraceMeta": TraceMeta, "LayoutMeta": LayoutMeta}
TYPES = (ROOT / "embedviz/ui/components/plot/payloads.d.ts").read_text("utf-8")
FILES = [path for room in ("embedviz", "pages") for path in sorted((ROOT / room).rglob("*.py"))]


def in_script(name: str) -> list[str]:
    """The keys that an interface of payloads.d.ts has."""
    body = re.search(rf"^interface {name} {{\n(.*?)^}}", TYPES, re.MULTILINE | re.DOTALL)
    return re.findall(r"^  (\w+)\??:", body[1], re.MULTILINE)


@pytest.mark.parametrize("name", DECLARED)
def test_python_and_the_scripts_declare_the_same_keys(name):
    assert in_script(name) == list(DECLARED[name].__annotations__)


def test_only_declared_keys_are_written():
    """Each `meta` is made by its type, whose keys a misspelt one is not among."""
    calls = [
        (path, node)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DECLARED
    ]
    assert len({path for path, _node in calls}) > 8
    for path, node in calls:
        named = {keyword.arg for keyword in node.keywords}
        assert not node.args, path
        assert named <= DECLARED[node.func.id].__annotations__.keys(), (path, node.lineno)


def test_no_meta_is_made_by_hand():
    by_hand = re.compile(r"""["']meta["']: *\{|\bmeta(?:: dict)? ?= ?(?:\{|dict\()""")
    assert not [path for path in FILES if by_hand.search(path.read_text("utf-8"))]


def test_a_figure_with_a_misspelt_key_is_refused_in_every_test():
    here, number = {"title": {"text": ""}}, np.zeros(1, np.float32)
    assert figure([Panel([curve("", number, number, meta=TraceMeta(ways=1))], here, here)], meta=LayoutMeta(plays=1))
    with pytest.raises(AssertionError, match="besides"):
        figure([Panel([curve("", number, number, meta={"besides": True})], here, here)])
    with pytest.raises(AssertionError, match="heading"):
        figure([], meta={"heading": [0]})
    with pytest.raises(AssertionError, match="id"):
        Figure([{"meta": {"id": [0]}}], {})
