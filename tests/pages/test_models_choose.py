"""The view "Newer ideas" of the page "Models": each claim is held against its matter."""

import re
from functools import cache
from pathlib import Path

import transformers
from streamlit.testing.v1 import AppTest

from pages.models.ideas_words import IDEAS
from tests.pages.site import shown
from tests.pages.site import visit as open_page


def visit(view: str, **query: str) -> AppTest:
    at = open_page("models", view=view, **query)
    assert not at.exception
    return at


def test_each_idea_has_its_paper_and_says_who_uses_it():
    found = shown(visit("ideas"), "ideas")
    assert {row[0] for row in found["rows"]} == {"FIRE", "CoPE", "KERPLE", "xPos", "DroPE", "PoPE"}
    years = [int(re.search(r" (\d{4}), arXiv:\d{4}\.\d{5}$", row[1])[1]) for row in found["rows"]]
    assert years == sorted(years)
    for row, year in zip(found["rows"], years, strict=True):
        assert str(year)[2:] == re.search(r"arXiv:(\d\d)", row[1])[1]
        assert row[2].endswith(".")
        assert row[3]


@cache
def code_of_models() -> dict[str, str]:
    """What stands in the code of each model of transformers."""
    folder = Path(transformers.__file__).parent / "models"
    found = {}
    for path in [*folder.glob("*/modeling_*.py"), *folder.glob("*/configuration_*.py")]:
        found[path.parent.name] = f"{found.get(path.parent.name, '')}\n{path.read_text()}"
    return found


def models_with(name: str) -> set[str]:
    """The models of transformers in whose code this name stands, or begins another."""
    trace = re.compile(rf"(?<![A-Za-z])(?:{name}(?![a-z])|{name.lower()}_)")
    # To look for the bare name first takes a hundredth of the time.
    candidates = {model: code for model, code in code_of_models().items() if name in code or f"{name.lower()}_" in code}
    return {model for model, code in candidates.items() if trace.search(code)}


def test_no_model_of_transformers_has_what_is_said_to_have_nearly_no_users():
    assert "bloom" in models_with("ALiBi")
    assert {idea.name: models_with(idea.name) for idea in IDEAS} == {idea.name: set() for idea in IDEAS}
