"""One process of Node.js for all that a worker asks of scripts."""

from collections.abc import Iterator

import pytest

from tests.scripts.node import Ask, running


@pytest.fixture(scope="session")
def ask() -> Iterator[Ask]:
    with running() as ask:
        yield ask
