"""What .github/ says, against the formats' own schemas, and against the README and the Makefile."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from embedviz.base.settings import ROOT

GITHUB = ROOT / ".github"
FORMS = sorted({*GITHUB.glob("ISSUE_TEMPLATE/*.yml")} - {GITHUB / "ISSUE_TEMPLATE/config.yml"})
OF_SCHEMA = {
    "vendor.github-workflows": sorted(GITHUB.glob("workflows/*.yml")),
    "vendor.github-issue-forms": FORMS,
    "vendor.github-issue-config": [GITHUB / "ISSUE_TEMPLATE/config.yml"],
    "vendor.dependabot": [GITHUB / "dependabot.yml"],
}


def check(schema: str, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [Path(sys.executable).with_name("check-jsonschema"), "--builtin-schema", schema, *files]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("schema", OF_SCHEMA)
def test_github_takes_every_file(schema, tmp_path):
    files = OF_SCHEMA[schema]
    assert files
    done = check(schema, *files)
    assert done.returncode == 0, done.stdout
    wrong = tmp_path / "wrong.yml"
    wrong.write_text("jobz: {}\n")
    assert check(schema, wrong).returncode == 1


def test_every_file_of_it_is_checked():
    known = {path for files in OF_SCHEMA.values() for path in files}
    assert {path for path in GITHUB.rglob("*") if path.is_file()} - known == {GITHUB / "pull_request_template.md"}


def test_what_is_run_there_is_there():
    """Targets of the Makefile, files of the project, and the README's two commands."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    workflows = [yaml.safe_load(path.read_text("utf-8")) for path in OF_SCHEMA["vendor.github-workflows"]]
    steps = [step for flow in workflows for job in flow["jobs"].values() for step in job["steps"]]
    lines = "\n".join(step.get("run", "") for step in steps)
    made = set(re.findall(r"^make ([\w-]+)", lines, re.MULTILINE))
    assert made <= targets
    assert {"run", "package", "site"} <= made
    assert ".ci/run" in lines
    assert "make test" in (ROOT / ".ci/run").read_text("utf-8")
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
    assert {hook["entry"].removeprefix("make ") for hook in hooks} <= targets
