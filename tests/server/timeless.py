"""An event loop in which waiting takes no time, so that a test of seconds can be exact."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any


class _Selector(selectors.DefaultSelector):
    """Does not wait, and adds up how long it would have waited."""

    waited = 0.0

    def select(self, timeout: float | None = None) -> list:
        self.waited += timeout or 0.0
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    """Its clock stands still while there is something to do, and then goes on to what is due next."""

    def __init__(self) -> None:
        self._waits = _Selector()
        super().__init__(self._waits)

    def time(self) -> float:
        return self._waits.waited


def run(coroutine: Coroutine) -> Any:
    """What the coroutine returns; `asyncio.sleep` and the loop's clock move together, and nothing else does."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(coroutine)
