"""A PyTorch program as a Jupyter notebook."""

import ast
import re
import sys
from base64 import b64encode
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from embedviz import __version__
from embedviz.base.i18n import _, first_and_more
from embedviz.text.samples import training

_KERNEL = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
_MOST_NAMES = 4  # in a heading


def notebook(program: str, title: str) -> bytes:
    """The same code as an .ipynb file, in cells under headings. The first cell names its packages; nothing is run."""
    cells = [new_markdown_cell(_opening(program, title))]
    for heading, code in [*_data(program), *_parts(program)]:
        cells += [new_markdown_cell(f"## {heading}"), new_code_cell(code)]
    for n, cell in enumerate(cells):
        cell["id"] = f"cell-{n}"
    found = new_notebook(cells=cells, metadata=_KERNEL | {"embedviz": {"version": __version__}})
    nbformat.validate(found)
    return nbformat.writes(found).encode()


def needs(program: str) -> list[str]:
    """The packages that the program imports, with their versions here: `torch==2.13.0`."""
    found = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            found |= {name.name.partition(".")[0] for name in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add(str(node.module).partition(".")[0])
    # A build for CPUs calls itself 2.13.0+cpu, which the index that people install from does not have.
    return [f"{name}=={version(name).partition('+')[0]}" for name in sorted(found - sys.stdlib_module_names)]


def _opening(program: str, title: str) -> str:
    return _(
        "# {title}\n\nA page of embedviz as a program. Run all cells: they print the numbers that stand on "
        "the page.\n\nIt needs Python 3.11 or newer, and\n\n```\npip install {packages}\n```",
        title=title,
        packages=" ".join(needs(program)),
    )


def _data(program: str) -> Iterator[tuple[str, str]]:
    """The bundled run, for a program that reads one: a notebook is alone."""
    file = re.search(r'^\w+ = load_file\("(data/training/\w+\.safetensors)"\)', program, re.MULTILINE)
    if not file:
        return
    content = b64encode(training(Path(file[1]).stem)).decode()
    yield (
        _("The trained tables"),
        "import base64\nfrom pathlib import Path\n\n"
        f'path = Path("{file[1]}")\npath.parent.mkdir(parents=True, exist_ok=True)\n'
        f'if not path.exists():\n    path.write_bytes(base64.b64decode("{content}"))',
    )


def _parts(program: str) -> Iterator[tuple[str, str]]:
    """Headings and code: cut at blank lines between statements, what is of one kind left together."""
    lines = program.split("\n")
    last: list[ast.stmt] = []
    start = end = 0
    for first, until, nodes in _blocks(program, lines):
        if last and not (_kind(last) == _kind(nodes) in ("import", "define")):
            yield _heading(last), "\n".join(lines[start:end])
            last, start = [], first
        last, end = [*last, *nodes], until
    yield _heading(last), "\n".join(lines[start:end])


def _blocks(program: str, lines: Sequence[str]) -> Iterator[tuple[int, int, list[ast.stmt]]]:
    """First line, line after the last one, and statements of each run of lines that no blank line parts."""
    nodes = ast.parse(program).body
    inside = {line for node in nodes for line in range(_first(node), node.end_lineno or 0)}
    block: list[int] = []
    for n in range(len(lines) + 1):
        if n < len(lines) and (lines[n].strip() or n in inside):
            block.append(n)
        elif block:
            found = [node for node in nodes if block[0] <= _first(node) <= block[-1]]
            if found:  # else a comment alone: it goes with what follows
                yield block[0], block[-1] + 1, found
                block = []


def _first(node: ast.stmt) -> int:
    """Its first line, from 0, decorators included."""
    return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))]) - 1


_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def _kind(nodes: Sequence[ast.stmt]) -> str:
    if all(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes):
        return "import"
    if any(isinstance(node, _DEFINITIONS) for node in nodes):
        return "define"
    names = {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}
    return "print" if "print" in names else "make"


def _heading(nodes: Sequence[ast.stmt]) -> str:
    kind = _kind(nodes)
    if kind == "import":
        return _("Import")
    if kind == "print":
        return _("Print the numbers")
    if kind == "define":
        named = [f"`{node.name}`" for node in nodes if isinstance(node, _DEFINITIONS)]
        return _("Define {names}", names=first_and_more(named, _MOST_NAMES))
    names = [f"`{name.id}`" for node in nodes if isinstance(node, ast.Assign) for name in ast.walk(node.targets[0])
             if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)]  # fmt: skip
    return _("Make {names}", names=first_and_more([*dict.fromkeys(names)], _MOST_NAMES)) if names else _("Set up")
