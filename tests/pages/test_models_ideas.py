"""The newer ideas among the rows of the table of models: each has its paper, and no model has it."""

import re
from functools import cache
from pathlib import Path

import transformers

from embedviz.models.architectures import ARCHITECTURES
from pages.models import table_words
from pages.models.ideas import IDEAS
from tests.pages.site import shown, visit


def test_each_idea_is_a_row_with_its_paper():
    rows = shown(visit("models", view="table"), "architectures")["rows"]
    years = [int(row[1][:4]) for row in rows]
    assert years == sorted(years, reverse=True)
    found = {row[0]: row for row in rows if row[0] not in ARCHITECTURES}
    assert found.keys() == {each.name for each in IDEAS} == {"FIRE", "CoPE", "KERPLE", "xPos", "DroPE", "PoPE"}
    for row in found.values():
        assert len(row) == len(table_words.columns())
        said, number = re.search(
            r"^¹ report: .* (\d{4}), arXiv:(\d\d)\d\d\.\d{5}$", row[-1].replace("\u200b", "")
        ).groups()
        assert row[1] == f"{said}\u202f¹"
        assert said[2:] == number
        assert row[2].endswith("\u202f¹")
        assert set(row[3:-1]) == {table_words.NOT_STATED}


def test_an_idea_alone_has_a_row_and_no_picture():
    at = visit("models", view="table", named="Golovneva")
    assert [row[0] for row in shown(at, "architectures")["rows"]] == ["CoPE"]
    assert shown(at, "by_year") is None
    assert not at.info
    assert "CoPE" not in [
        row[0] for row in shown(visit("models", view="table", scheme="rope"), "architectures")["rows"]
    ]


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


def test_no_model_of_transformers_has_what_is_said_to_be_in_no_model():
    assert "bloom" in models_with("ALiBi")
    names = [each.name for each in IDEAS]
    assert {name: models_with(name) for name in names} == {name: set() for name in names}
