"""The pages in words: what they name is there, and what they list is complete."""

import re
import tomllib
from itertools import chain

import pytest

from embedviz import __version__
from embedviz.base import i18n
from embedviz.base.settings import ROOT
from tests import views
from tests.base import test_glued

FIRST = ROOT / "CONTRIBUTING.md"
ALL = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "benchmarks/README.md", ROOT / "data/README.md"]
OURS = [FIRST, *(ROOT / f"docs/{name}.md" for name in ("house", "streamlit", "testing", "translating"))]
GALLERY = ROOT / "docs/gallery.md"
WORDS = 900  # on the first page, which a newcomer reads in five minutes
NAMED = re.compile(r"`([\w.<>/-]+)`")
FILE = re.compile(r"(?<!^)/|\.(?:py|js|css|html|toml|json|md|cfg|ts)$")  # a name with a folder, or with a file's ending
MADE = ("dist/", "build/", "it.po", "it.md")  # are made by whoever follows the page


def files() -> set[str]:
    """Every file and folder of the project, by its address."""
    rooms = ("embedviz", "pages", "tests", "tools", "benchmarks", "deploy", "docs", "data", ".ci", ".streamlit")
    paths = chain(ROOT.iterdir(), *((ROOT / room).rglob("*") for room in rooms))
    return {str(path.relative_to(ROOT)) for path in paths}


def test_the_first_page_is_short():
    assert len(FIRST.read_text("utf-8").split()) <= WORDS


@pytest.mark.parametrize("page", OURS, ids=lambda path: path.stem)
def test_each_path_that_a_page_names_is_there(page):
    """A path may begin in the middle, as "shared/index.js", if the sentence says in which folder."""
    there = [f"/{name}" for name in files()]
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    named = {name.rstrip("/") for name in NAMED.findall(text) if FILE.search(name) and not name.endswith(MADE)}
    patterns = {
        name: re.compile(rf".*/{re.escape(name).replace('<name>', '[^/]+').replace('<view>', '.+')}") for name in named
    }
    assert [name for name, pattern in patterns.items() if not any(map(pattern.fullmatch, there))] == []


@pytest.mark.parametrize("page", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_link_of_a_page_leads_somewhere(page):
    for place, heading in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text("utf-8")):
        target = page.parent / place if place else page
        assert target.exists()
        titles = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.M) if heading else []
        assert not heading or heading in [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles]


def test_the_functions_that_put_texts_together_are_called_as_the_page_and_the_tests_say():
    page = (ROOT / "docs/translating.md").read_text("utf-8")
    said = re.search(r"since languages differ in it: (.+?)\.", page, re.S)[1]
    names = {*re.findall(r"`(\w+)`", said), *test_glued.MARKS}
    assert [name for name in names if not hasattr(i18n, name)] == []


def test_the_changelog_begins_with_the_version():
    (first, *_others) = re.findall(r"^## ([\w.]+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert first == __version__


def test_the_gallery_has_each_view_once():
    pictures = re.findall(r"!\[[^]]+\]\(\.\./([^)]+)\)\]\(http://localhost:8501([^)]+)\)", GALLERY.read_text("utf-8"))
    shown = [f"embedviz/ui/assets/cards/{view.page}/{view.name or 'page'}.png" for view in views.VIEWS.values()]
    assert pictures == [*zip(shown, map(views.address, views.VIEWS.values()), strict=True)]


def test_the_page_for_teachers_lists_each_lesson():
    listed = re.findall(r"^\| ([^|]+) \| (\d+) \|", (ROOT / "docs/teaching.md").read_text("utf-8"), re.M)
    lessons = [tomllib.loads(path.read_text("utf-8")) for path in (ROOT / "data/lessons").glob("*.toml")]
    assert sorted(listed) == sorted((lesson["title"], str(lesson["minutes"])) for lesson in lessons)
