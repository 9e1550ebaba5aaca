"""Numbers as they are printed."""

import pytest

from embedviz.base.numbers import in_print


@pytest.mark.parametrize(("value", "written"), [(-0.0, "0.00"), (-0.004, "0.00"), (-0.006, "−0.01"), (0.0, "0.00")])
def test_what_rounds_to_zero_gets_no_sign(value, written):
    assert in_print(value) == written
