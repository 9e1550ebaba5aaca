"""The last results of every benchmark, as JSON, and RESULTS.md, which is made from them."""

import json
import sys
from pathlib import Path

import report

FOLDER = Path(__file__).parent
FILE = FOLDER / "RESULTS.md"
# By the name of the JSON: its heading, the command that makes it, and what it is about.
_PARTS = {
    "results": (
        "Speed, beside the floor",
        "make bench",
        "The floor is the app that anyone would write first. Ratios are ours by the floor's.",
    ),
    "letters": (
        "A letter typed",
        "make bench-letters",
        "The floor is an older state of the project, unless a row names another one.",
    ),
    "load": (
        "A class on one server",
        "make bench-load",
        "A change is timed from the moment it was due until its script has finished. Who is where: {mix}.",
    ),
    "soak": (
        "Half an hour",
        "make soak",
        "{visitors} visitors who come and go, for {minutes} minutes; memory is what the server's process has in it. "
        "Who is where: {mix}.",
    ),
    "cluster": (
        "Several servers",
        "make test-cluster",
        "Three servers behind nginx with the configuration of deploy/; one is killed, one stopped, two new ones come.",
    ),
    "faults": (
        "Faults and attacks",
        "make test-faults",
        "One server is attacked in many ways, one after the other, while somebody else goes on editing a text there.",
    ),
    "fuzz": (
        "What parses, fuzzed",
        "make fuzz",
        "Texts, IDs, files, settings, headers, patterns and whole addresses, made up for {seconds} seconds each.",
    ),
    "memory": (
        "Memory, and what fits into 1 GB",
        "make memory",
        "MiB in memory at the most, of the server and of what it started. The 1 GB host has {settings}.",
    ),
}
_HEAD = """# Last results

Made by `python benchmarks/results.py` from the JSON files here, and by each benchmark when it ends. What is
measured, and how, stands in README.md. Times depend on the machine; ratios and counts say more.
"""


def write(name: str, found: dict[str, object]) -> None:
    """Keep the results of one benchmark, and make RESULTS.md anew."""
    (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    FILE.write_text(as_markdown(), "utf-8")


def as_markdown() -> str:
    parts = [_part(name) for name in _PARTS if (FOLDER / f"{name}.json").exists()]
    return "\n".join([_HEAD, *parts])


def _part(name: str) -> str:
    found = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    heading, command, about = _PARTS[name]
    versions = ", ".join(f"{package} {version}" for package, version in found["versions"].items())
    rows = [report.of_entry(entry) for entry in found["results"]]
    lines = [
        f"## {heading}",
        f"`{command}`, {found['cores']} cores. {about.format_map(found)}",
        report.as_table(rows),
        f"Versions: {versions}.",
    ]
    return "\n\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
    FILE.write_text(as_markdown(), "utf-8")
