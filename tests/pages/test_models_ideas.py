"""The newer ideas below the table of the page "Models": each has its paper, and no model has it."""

import re
from functools import cache
from pathlib import Path

import transformers

from pages.models.ideas import ideas
from tests.pages.site import shown, visit


def test_each_idea_has_its_paper():
    found = shown(visit("models", view="ideas"), "ideas")  # an older address
    assert {row[0] for row in found["rows"]} == {"FIRE", "CoPE", "KERPLE", "xPos", "DroPE", "PoPE"}
    years = [int(re.search(r" (\d{4}), arXiv:\d{4}\.\d{5}$", row[1])[1]) for row in found["rows"]]
    assert years == sorted(years)
    for row, year in zip(found["rows"], years, strict=True):
        assert str(year)[2:] == re.search(r"arXiv:(\d\d)", row[1])[1]
        assert row[2].endswith(".")


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
    names = [name for name, _paper, _idea in ideas()]
    assert {name: models_with(name) for name in names} == {name: set() for name in names}
