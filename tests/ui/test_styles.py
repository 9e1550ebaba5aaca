"""What no style rule may ask, and which names the scripts and styles of every page may know."""

import re
from pathlib import Path

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


# Keys of containers that the frame of every page has. Of a key that is put together, its beginning counts.
_CONTAINER = re.compile(r'container\([^()]*key=f?"(\w+)')
_COMPONENT = re.compile(r'key=f"(\w+_)\{key\}"')  # how the keys of a component begin, whatever a page calls it
# The key of a slide that a view has given a name.
_OF_A_VIEW = re.compile(r"frame_(?:slide|always)_(?!(?:whole_|by_key_)*$)")


def keys(said: re.Pattern) -> set[str]:
    return {key for path in (ROOT / "embedviz/ui").rglob("*.py") for key in said.findall(path.read_text("utf-8"))}


def named_keys(text: str) -> set[str]:
    return set(re.findall(r"st-key-(\w*)", text))


def test_shared_scripts_and_styles_name_no_key_of_a_page():
    frame, components = keys(_CONTAINER), keys(_COMPONENT)
    assert {"share", "frame_head", "frame_slide_", "frame_always_"} <= frame
    assert {"cards_", "plot_"} <= components
    shared = [path for path in (ROOT / "embedviz/ui").rglob("*") if path.suffix in {".css", ".html", ".js"}]
    assert len(shared) > 60
    found = {path.relative_to(ROOT / "embedviz/ui"): named_keys(path.read_text("utf-8")) for path in shared}
    assert all("frame_head" in found[Path("assets/page") / name] for name in ("site.css", "present.css", "slides.js"))
    for path, named in found.items():
        known = frame | components if path.name == "page.css" else frame
        assert not {key for key in named if not key.startswith(tuple(known))}, path
        assert not {key for key in named if _OF_A_VIEW.match(key)}, path


def test_no_page_has_a_key_that_begins_as_those_of_the_frame_do():
    pages = "".join(path.read_text("utf-8") for path in (ROOT / "pages").rglob("*.py"))
    assert not re.findall(r'key=f?"(?:frame_|share)\w*', pages)


def test_keys_of_pages_are_seen():
    assert named_keys(".st-key-plot_map:not(.st-key-a), [class*=st-key-cards_] {}") == {"plot_map", "a", "cards_"}
