"""What components get is what `payloads.d.ts` declares: TypeScript itself is asked, for every view."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from embedviz.base.pages import page_at
from embedviz.base.settings import ROOT
from embedviz.ui.components.component import KNOWN
from pages.tour.steps import STEPS
from tests.pages.site import visit
from tests.payload import unpack
from tests.scripts.node import NODE
from tests.views import EXAMPLES, query

TYPES = ROOT / "embedviz/ui/components/plot/payloads.d.ts"
TSC = Path(sys.prefix) / "scripts/node_modules/typescript/bin/tsc"
VISITS = [
    *((page_at(view.page).address, query(view, example)) for view, example in EXAMPLES.values() if view.page != "tour"),
    *(("tour", {"view": step.key, **hall}) for step in STEPS for hall in ({}, {"present": "1"})),
]
MOST = 40  # items of a list, and letters of a text: the others are of the same kind


def type_of(component: str) -> str:
    """The type of a component's data, as the comment above its `render` says."""
    return re.search(r"@param \{Component<(.+)>\} component", (ROOT / f"{component}.js").read_text("utf-8"))[1]


def written(value: object) -> str:
    """A value as TypeScript."""
    if isinstance(value, np.ndarray):
        return "floats" if value.ndim == 1 else "rows"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {written(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value[:MOST])) + "]"
    return json.dumps(value[:MOST] if isinstance(value, str) else value)


def sent(page: str) -> Iterator[tuple[str, dict]]:
    """What each component of a page's views gets, with the component's name."""
    for said in (said for name, said in VISITS if name == page):
        for element in visit(page, **said).get("bidi_component"):
            if element.proto.bytes:
                yield KNOWN[element.proto.component_name][0], unpack(element.proto.bytes)


@pytest.mark.parametrize("page", sorted({page for page, _said in VISITS}))
def test_what_is_sent_is_what_is_declared(page, tmp_path):
    lines = [
        f"export const sent{n}: {type_of(component)} = {written(payload)}"
        for n, (component, payload) in enumerate(sent(page))
    ]
    assert lines
    file = tmp_path / "sent.ts"
    file.write_text("\n".join(["declare const floats: Float32Array, rows: Float32Array[]", *lines]), "utf-8")
    command = [NODE, TSC, "--noEmit", "--strict", "--lib", "es2024,dom,dom.iterable", "--types", "", TYPES, file]
    ran = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("name", ["TraceMeta", "LayoutMeta"])
def test_every_key_of_a_figures_meta_is_read_through_its_type(name, tmp_path):
    """With each key under another name, TypeScript misses each of them: none is read where it does not look."""
    for path in (path for room in ("embedviz/ui", "pages") for path in (ROOT / room).rglob("*.js")):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    declared = TYPES.read_text("utf-8")
    body = re.search(rf"^interface {name} {{\n(.*?)^}}", declared, re.MULTILINE | re.DOTALL)[1]
    renamed = re.sub(r"^  (\w+)", r"  \1_", body, flags=re.MULTILINE)
    (tmp_path / TYPES.relative_to(ROOT)).write_text(declared.replace(body, renamed), "utf-8")
    shutil.copy(ROOT / "jsconfig.json", tmp_path)
    ran = subprocess.run([NODE, TSC, "-p", "jsconfig.json"], cwd=tmp_path, check=False, capture_output=True, text=True)
    missed = set(re.findall(r"Property '(\w+)' does not exist on type", ran.stdout))
    assert set(re.findall(r"^  (\w+)", body, re.MULTILINE)) <= missed
