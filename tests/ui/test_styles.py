"""What no style rule may ask, since a browser would answer it anew for each label that a figure measures."""

import re

from embedviz.base.settings import ROOT

_OF_THE_DOCUMENT = re.compile(r"(?<![\w.#-])(?:body|html|:root)[^\s,{}]*:has\([^{}\n]*")


def rules_about_the_whole_document(text: str) -> list[str]:
    return _OF_THE_DOCUMENT.findall(text)


def test_no_rule_depends_on_what_the_whole_document_holds():
    """Plotly measures a label in a place of its own below the body, which is a change of all that the body holds."""
    sheets = [path for folder in ("embedviz", "pages") for path in (ROOT / folder).rglob("*.*")
              if path.suffix in {".css", ".html", ".js", ".py"}]  # fmt: skip
    assert len(sheets) > 300
    found = {path.name: rules_about_the_whole_document(path.read_text("utf-8")) for path in sheets}
    assert {name: rules for name, rules in found.items() if rules} == {}


def test_such_rules_are_seen():
    assert rules_about_the_whole_document("a { b: c }\nbody:has(.strips) .order { d: e }") == [
        "body:has(.strips) .order "
    ]
    assert rules_about_the_whole_document(":root[data-slide]:has(.pin:not([hidden])) p {}")
    assert not rules_about_the_whole_document('[data-testid="stMain"]:has(h1) p, :root[data-pinned] p, .body:has(a) {}')
