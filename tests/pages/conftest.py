"""What the tests of all pages share: none of them reaches the Hub."""

import pytest

from tests.models.hub import use


@pytest.fixture(autouse=True)
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody answer for the Hub, unless a test starts a server for it."""
    use("http://127.0.0.1:9", monkeypatch)
