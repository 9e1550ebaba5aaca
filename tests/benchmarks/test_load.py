"""The arithmetic of the load benchmark: who is where, percentiles, plateaus, and the file of results."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.settings import ROOT
from tests.pages.site import visit

sys.path.insert(0, str(ROOT / "benchmarks"))

import edits
import figures
import mix
import process
import report
import results
import visitors

MIB = 2**20


def sample(t: float, rss: int, server: float = 0.0, visitors: float = 0.0, machine: float = 0.0) -> figures.Sample:
    return figures.Sample(t, process.Usage(server, rss, 0), visitors, machine)


@given(st.lists(st.floats(0, 100), min_size=1), st.integers(1, 100))
def test_a_percentile_is_the_least_value_that_enough_do_not_exceed(values, percent):
    found = figures.percentile(values, percent)
    assert 100 * sum(value <= found for value in values) >= percent * len(values)
    assert 100 * sum(value < found for value in values) < percent * len(values)


def test_no_values_have_no_percentile():
    with pytest.raises(ValueError, match="nothing was measured"):
        figures.percentile([], 95)


def test_a_plateau_is_compared_at_its_ends_and_not_before_it():
    grown = [sample(t, (100 if t < 50 else 700 + t) * MIB) for t in range(150)]
    first, last = figures.ends(grown, since=50)
    assert first / MIB == pytest.approx(sum(range(750, 770)) / 20)
    assert last / MIB == pytest.approx(sum(range(830, 850)) / 20)


def test_the_processor_s_time_is_split_between_the_three():
    samples = [sample(t, 0, server=t * 0.5, visitors=t * 0.1, machine=t * 0.9) for t in range(0, 21, 2)]
    found = figures.processor(samples, since=10)
    assert found.seconds == 10
    assert (found.server, found.visitors, found.others) == pytest.approx((5, 1, 3))


@given(st.integers(20, 600))
def test_every_page_has_its_share_of_the_visitors(n):
    counts = Counter(place.name for place in mix.places(n))
    assert counts.total() == n
    for place in mix.PLACES:
        assert abs(counts[place.name] - n * place.share) <= 1.5


def test_the_shares_are_the_whole_and_all_pages_are_among_them():
    assert sum(place.share for place in mix.PLACES) == pytest.approx(1)
    pages = {path.parent.name for path in (ROOT / "pages").glob("*/page.py")}
    assert {place.page or "compare" for place in mix.PLACES} == pages - {"lessons"}  # on which nothing can be changed


def edited() -> dict[str, tuple[str, dict[str, str], list[str]]]:
    """The page, the address and the controls of each place that a benchmark edits."""
    mixed = {f"mix, {each.name}": each for each in (*mix.PLACES, *mix.TYPED.values())}
    others = {"Compare": edits.COMPARE, "Pairs": edits.PAIRS, "Orders": edits.ORDERS} | edits.OTHERS
    return {
        name: (each.page, dict(parse_qsl(each.query)), [key for key, _draw in each.changes])
        for name, each in mixed.items()
    } | {name: (each.page, dict(each.query), [each.key]) for name, each in others.items()}


@pytest.mark.parametrize("name", edited())
def test_what_a_benchmark_edits_is_there(name):
    page, query, keys = edited()[name]
    at = visit(page, **query)
    assert not at.exception
    kinds = ("text_input", "text_area", "number_input", "selectbox", "slider", "toggle", "segmented_control", "pills")
    assert {*keys} <= {each.key for kind in kinds for each in at.get(kind)}


def test_a_benchmark_writes_its_own_part_of_the_results_and_leaves_the_others(tmp_path, monkeypatch):
    before = results.FILE.read_text("utf-8")
    monkeypatch.setattr(results, "FILE", tmp_path / "RESULTS.md")
    results.FILE.write_text(before, "utf-8")
    for n in (7, 8):
        results.write("fuzz", [report.Row("tries", n, unit="")], ("chromium 1.2",), seconds=60)
    after = results.FILE.read_text("utf-8")
    start = "## What parses, fuzzed"
    assert after.partition(start)[0] == before.partition(start)[0]
    assert after.partition("\n\n## Memory")[2] == before.partition("\n\n## Memory")[2]
    part = after.partition(start)[2].partition("\n\n## Memory")[0]
    assert "made up for 60 seconds each." in part
    assert re.findall(r"^\| tries +\| +\| +(\d+) \|", part, re.MULTILINE) == ["8"]
    assert "chromium 1.2, python " in part


def test_this_process_uses_memory_and_time():
    used = process.usage(os.getpid())
    assert used.rss > 10 * MIB
    assert 0 < used.processor <= process.machine_seconds()


def state_of(pid: int) -> str:
    """One letter: T if the process is stopped."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_who_is_held_is_stopped_now_and_then_with_all_that_it_started_and_goes_on_afterwards():
    command = [sys.executable, "-c", "import subprocess; subprocess.run(['sleep', '1000'])"]
    with subprocess.Popen(command) as parent:
        while not (children := process.children_of(parent.pid)):
            time.sleep(0.01)
        with process.held([parent.pid], 1 / 3):
            for pid in (parent.pid, *children):
                for is_stopped in (True, False):
                    while (state_of(pid) == "T") is not is_stopped:
                        time.sleep(0.001)
        assert [state_of(pid) == "T" for pid in (parent.pid, *children)] == [False, False]
        for pid in (*children, parent.pid):
            os.kill(pid, signal.SIGKILL)


def test_what_several_processes_use_is_the_sum():
    one = process.usage(os.getpid())
    two = process.usage_of([os.getpid()] * 2)
    assert two.rss == pytest.approx(2 * one.rss, rel=0.1)
    assert 0 < process.pss(os.getpid()) <= one.rss * 1.1


def test_a_visitor_comes_back_to_the_server_that_answered():
    head = b"HTTP/1.1 200 OK\r\nSet-Cookie: other=1; Path=/\r\nset-cookie: embedviz_replica=2; Path=/; HttpOnly\r\n\r\n"
    assert visitors.cookie_of(head + b"<html>") == {"Cookie": "embedviz_replica=2"}
    assert visitors.cookie_of(b"HTTP/1.1 200 OK\r\n\r\n\r\nset-cookie: embedviz_replica=2\r\n") == {}
