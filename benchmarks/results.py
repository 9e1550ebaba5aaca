"""The last results of every benchmark: RESULTS.md, of which each benchmark writes its own part."""

import os
import re
from pathlib import Path

import report

FILE = Path(__file__).with_name("RESULTS.md")
# By the benchmark: its heading, the command that makes it, and what it is about.
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
    "votes": (
        "A hall votes",
        "make bench-votes",
        "{hall} phones behind one address open the page within a second and vote at once.",
    ),
    "cores": (
        "All cores of one machine",
        "make bench-load PROCESSES={processes}",
        "The same class on one server and on {processes} behind nginx. The servers and nginx run for a third of the "
        "time, as on cores that are slower by so much. The floor is one server. Who is where: {mix}.",
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
    "restarts": (
        "Servers of one machine",
        "make test-cluster PROCESSES={processes}",
        "{processes} servers behind nginx that share one disk are restarted one after the other, as the guide says.",
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

Each benchmark writes its own part when it ends. What is measured, and how, stands in README.md. Times depend on the
machine; ratios and counts say more.
"""


def write(name: str, rows: list[report.Row], packages: tuple[str, ...] = (), **facts: object) -> None:
    """Write the part of one benchmark. packages: those that it needs besides; facts: what its description names."""
    parts = {
        each.partition("\n")[0]: each for each in re.split("^## ", FILE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    }
    heading, command, about = _PARTS[name]
    parts[heading] = "\n\n".join(
        (
            heading,
            f"`{command.format_map(facts)}`, {os.cpu_count()} cores. {about.format_map(facts)}",
            report.as_table(rows),
            f"Versions: {report.versions(*packages)}.\n",
        )
    )
    said = [parts[heading].rstrip() for heading, _command, _about in _PARTS.values() if heading in parts]
    FILE.write_text("\n\n## ".join([_HEAD.rstrip(), *said]) + "\n", "utf-8")
