"""What the typing visitors of the benchmark do."""

import sys
from random import Random
from statistics import median

from embedviz.base.settings import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

import visitors


def test_letters_come_as_people_type_them():
    found = visitors.pauses("a" * 2001, Random(1))  # noqa: S311 the same again, not secret
    assert len(found) == 2001
    assert abs(median(found) - visitors.LETTER) < 0.02
    assert sum(pause > 0.25 for pause in found) / len(found) > 0.15  # a field that waits so long is sent in between
    assert min(found) > 0
