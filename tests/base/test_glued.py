"""Sentences are joined by the language: code glues no punctuation of English to a translated text.

French has a narrow space before a colon, and Chinese has a colon of its own. How texts stand together is a text itself:
`label_value`, `listed`, `join_semicolons`, `in_parentheses`, `full_stop` and `paragraph` say it, or one with a name in
braces for each part.
"""

import ast
import re
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

import pytest

from embedviz.base.settings import ROOT

SOURCES = [path for room in ("embedviz", "pages") for path in sorted(ROOT.glob(f"{room}/**/*.py"))]
SCRIPTS = [path for room in ("embedviz", "pages") for path in sorted(ROOT.glob(f"{room}/**/*.js"))]
MARKS = (
    "_",
    "ngettext",
    "pgettext",
    "translated",
    "paragraph",
    "listed",
    "joined",
    "join_semicolons",
    "label_value",
    "in_parentheses",
    "full_stop",
)
KEEPING = ("join", "isolated", "literal", "escape", "list", "tuple")  # what holds the text that it was given
TEXT, OTHER = "\ue000", "\ue001"  # stand for a translated text, and for anything else that is put in
# A comma, a colon, a dash, a bracket or a full stop beside a text, or a space between two. Tags are no neighbours.
GLUE = re.compile(
    rf"{TEXT}(?:\s?[,;:!?)](?!\w)|\.(?![\w{TEXT}{OTHER}])|\s[(–—])|(?:[,;:!?(–—]\s?|\.\s){TEXT}|{TEXT} {TEXT}$"
)
TAG = re.compile(r"<[^<>]*>|\*\*")


@cache
def functions(path: Path) -> list[ast.FunctionDef]:
    return [each for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.FunctionDef)]


def called(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


def speaks(node: ast.AST, texts: Set[str]) -> bool:
    """Whether an expression holds a translated text. texts: the names that do, those of functions as "name()"."""
    if isinstance(node, ast.Name):
        return node.id in texts
    if name := called(node):
        inner = [ast.Call(node.args[0], [], [])] if name == "map" else node.args if name in KEEPING else []
        return f"{name}()" in texts or any(speaks(each, texts) for each in inner)
    return not isinstance(node, ast.Compare) and any(speaks(each, texts) for each in ast.iter_child_nodes(node))


def within(function: ast.FunctionDef, texts: Set[str]) -> set[str]:
    """These names, and those in a function that hold a translated text, or several."""
    found = set(texts)
    for _again in range(3):
        for node in ast.walk(function):
            targets = []
            if isinstance(node, ast.Assign) and speaks(node.value, found):
                targets = node.targets
            elif isinstance(node, ast.comprehension | ast.For) and speaks(node.iter, found):
                targets = [node.target]
            found |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return found


@cache
def speakers() -> dict[Path, set[str]]:
    """The functions that return translated texts, as each file knows them: its private ones, and all public ones."""
    known = {path: {f"{mark}()" for mark in MARKS} for path in SOURCES}
    while True:
        before = sum(map(len, known.values()))
        for path in SOURCES:
            for function in functions(path):
                if function.returns and re.search(r"\bstr\b", ast.unparse(function.returns)):
                    texts = within(function, known[path])
                    ends = [each.value for each in ast.walk(function) if isinstance(each, ast.Return) and each.value]
                    if any(speaks(end, texts) for end in ends):
                        is_common = ast.unparse(function.returns) == "str" and not function.name.startswith("_")
                        for other in SOURCES if is_common else [path]:
                            known[other].add(f"{function.name}()")
        if before == sum(map(len, known.values())):
            return known


def pieces(node: ast.AST) -> list[ast.AST]:
    """What an expression puts together, in its order."""
    if isinstance(node, ast.JoinedStr):
        return node.values
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*(pieces(node.left) or [node.left]), *(pieces(node.right) or [node.right])]
    return []


def sketch(node: ast.AST, texts: Set[str]) -> str:
    """The string that an expression makes, with signs for what is put in."""
    if called(node) == "join" and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant):
        return f"{TEXT}{node.func.value.value}".rstrip(" ") if any(speaks(each, texts) for each in node.args) else ""
    return "".join(
        each.value if isinstance(each, ast.Constant) and isinstance(each.value, str)
        else TEXT if speaks(each, texts) else OTHER
        for each in pieces(node)
    )  # fmt: skip


def glued(path: Path) -> Iterator[str]:
    for function in functions(path):
        texts = within(function, speakers()[path])
        for node in ast.walk(function):
            if GLUE.search(TAG.sub("", sketch(node, texts))):
                yield f"line {node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_punctuation_is_glued_to_a_translated_text(path):
    assert not list(glued(path))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_script_glues_punctuation_to_what_it_puts_in(path):
    """Inside a template, "}: ", "}; " and "} %" would be English in every language, and so would what is beside _()."""
    templates = re.findall(r"`[^`]*`", path.read_text("utf-8"))
    assert not [
        text for text in templates if re.search(r"\}(?:[:;] | ?%`|:`)|[ ,:;]\$\{_\(|\$\{_\([^}]*\)\}[ ,:;.]", text)
    ]
