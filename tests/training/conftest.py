"""What all tests of training share."""

import pytest
import torch


@pytest.fixture(autouse=True)
def one_thread():
    """Runs are the same bit for bit on one thread alone."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
