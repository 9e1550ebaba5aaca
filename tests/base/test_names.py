"""Tests reach the product by its public names, so that whoever changes what lies behind them breaks no test."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedviz.base.settings import ROOT

OURS = {"app", "benchmarks", "deploy", "embedviz", "pages", "tests", "tools"}
SCRIPTS = {path.stem for folder in ("benchmarks", "deploy") for path in (ROOT / folder).glob("*.py")}
PATCHES = {"setattr", "delattr", "getattr"}
FOREIGN = {"at._run"}  # Streamlit's AppTest has an attribute of a name that one of ours has too
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def is_private(name: object) -> bool:
    """`_` alone is gettext's name, and names such as `__name__` are Python's."""
    return isinstance(name, str) and name.startswith("_") and name != "_" and not name.endswith("_")


def is_ours(module: str) -> bool:
    return module.partition(".")[0] in OURS | SCRIPTS


def imported(tree: ast.Module) -> dict[str, str]:
    """What each name of the file stands for, as "module.name"."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
        elif isinstance(node, ast.Import):
            names |= {each.asname or each.name.partition(".")[0]: each.name for each in node.names}
    return names


def reached(tree: ast.Module, private: set[str]) -> Iterator[str]:
    """Private names of ours that a file takes: by an import, of a module or an object, or by a patch."""
    names = imported(tree)
    for name, whole in names.items():
        if is_ours(whole) and is_private(whole.rpartition(".")[2]):
            yield f"import of {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            holder, name = node.value, node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in PATCHES:
            holder, name = patched(node)
        else:
            continue
        start = ast.unparse(holder).partition(".")[0].partition("(")[0] if holder else ""
        if start in ("self", "cls") or not is_ours(names.get(start, "tests")):
            continue
        is_known = (isinstance(holder, ast.Name) and start in names) or name in private
        if ast.unparse(node) in FOREIGN:
            continue
        if is_private(name) and (is_known or (isinstance(holder, ast.Constant) and is_ours(str(holder.value)))):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def patched(call: ast.Call) -> tuple[ast.expr | None, object]:
    """Whose name a patch replaces: `setattr(object, "name", …)` or `setattr("module.name", …)`."""
    texts = [each.value for each in call.args[:2] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if not texts:
        return None, ""
    place, _dot, name = texts[0].rpartition(".")
    return (ast.Constant(place) if place else call.args[0]), name


def private_names() -> set[str]:
    """Private attributes of the product's objects, by which they are known where no import says whose they are."""
    files = [path for folder in ("deploy", "embedviz", "pages") for path in (ROOT / folder).rglob("*.py")]
    trees = [ast.parse(path.read_text("utf-8")) for path in files]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    stored = {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    return {
        name for name in stored | {node.name for node in nodes if isinstance(node, ast.FunctionDef)} if is_private(name)
    }


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("from embedviz.base import log\nlog._line", 1),
        ("from embedviz.base.log import _line", 1),
        ("from embedviz.base import log\nmonkeypatch.setattr(log, '_AGAIN', 1)", 1),
        ("monkeypatch.setattr('embedviz.base.log._AGAIN', 1)", 1),
        ("def test(desk):\n    desk.jobs._jobs.clear()", 1),
        ("from embedviz.base import i18n\ni18n._('Rows')", 0),
        ("from streamlit.runtime import Runtime\nmonkeypatch.setattr(Runtime, '_instance', None)", 0),
        ("class Tab:\n    def show(self):\n        self._jobs", 0),
    ],
)
def test_a_private_name_is_seen(code, count):
    assert len([*reached(ast.parse(code), {"_jobs"})]) == count


def test_no_test_reaches_a_private_name():
    private = private_names()
    found = {str(path.relative_to(ROOT)): [*reached(ast.parse(path.read_text("utf-8")), private)] for path in TESTS}
    assert {path: names for path, names in found.items() if names} == {}


def test_only_the_tests_of_tools_import_them():
    def uses(path: Path) -> bool:
        return any(whole.startswith("tools.") for whole in imported(ast.parse(path.read_text("utf-8"))).values())

    assert {str(path.relative_to(ROOT).parent) for path in TESTS if uses(path)} == {"tests/tools"}


# Function words and participles, which say nothing of the thing that they name.
RIDDLES = {
    "aside", "each", "found", "give_up", "given", "here", "how", "kept", "made", "more", "of", "offer", "remarked",
    "said", "seen", "settled", "shown", "speaking", "taken", "told", "usual", "what",
}  # fmt: skip


def defined(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and the name of each function, class, parameter and module variable, without underscores before it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name.lstrip("_")
        if isinstance(node, ast.FunctionDef):
            yield from (
                (each.lineno, each.arg.lstrip("_")) for each in ast.walk(node.args) if isinstance(each, ast.arg)
            )
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        yield from ((node.lineno, each.id.lstrip("_").lower()) for each in targets if isinstance(each, ast.Name))


def test_names_are_nouns_and_verbs_and_no_riddles():
    files = [path for folder in ("embedviz", "pages") for path in sorted((ROOT / folder).rglob("*.py"))]
    riddles = [
        f"{path.relative_to(ROOT)}, line {line}: {name}"
        for path in files
        for line, name in defined(ast.parse(path.read_text("utf-8")))
        if name in RIDDLES
    ]
    assert not riddles, "\n".join(["Call each of these by its noun:", *riddles])
