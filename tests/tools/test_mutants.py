"""The list of faults fits the code: each can still be made, and its tests are there."""

from pathlib import Path

import pytest

from embedviz.base.settings import ROOT
from tools.mutants.faults import listed


def test_a_name_stands_once():
    names = [fault.name for fault in listed()]
    assert len(names) == len(set(names)) >= 60


@pytest.mark.parametrize("fault", listed(), ids=lambda fault: fault.name)
def test_a_fault_can_be_made_and_its_tests_are_there(fault):
    text = (ROOT / fault.file).read_text(encoding="utf-8")
    assert fault.applied(text) != text
    assert [path for path in fault.tests if not Path(ROOT, path).exists()] == []
