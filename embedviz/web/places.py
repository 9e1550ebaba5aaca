"""How many visitors the server takes at a time, and who comes in."""

import time
from collections import Counter
from collections.abc import Callable

from embedviz import log, metrics

_BACK = 60.0  # seconds in which a browser that left may come back though the server is full


class Places:
    """The count of open connections, by browser as far as browsers have a name.

    most: connections at a time. is_known: whether a session of this name may be taken up again. A browser that is
    in, or was a moment ago, comes in even beyond `most`, up to a tenth more: it loads its page anew, or its
    connection broke. Nobody new comes in once the server is stopping.
    """

    def __init__(self, most: int, is_known: Callable[[str], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.n_open = 0
        self.is_stopping = False
        self._is_known = is_known
        self._clock = clock
        self._here: Counter[str] = Counter()  # connections, by browser
        self._left: dict[str, float] = {}  # when the last connection of a browser ended

    def has_room(self, browser: str = "", session: str = "") -> bool:
        """Whether this browser comes in now. browser, session: "" if it has not named them."""
        returns = self._was_here(browser) or (bool(session) and self._is_known(session))
        if self.is_stopping or self.n_open >= self.most:
            return returns and self.n_open < self.most + self.spare
        return True

    @property
    def spare(self) -> int:
        """Places for those alone who come back."""
        return max(self.most // 10, 1)

    def enter(self, browser: str) -> None:
        """A connection has been opened."""
        self.n_open += 1
        self._here[browser] += 1
        metrics.opened.inc()
        log.event("session opened", sessions=self.n_open)

    def leave(self, browser: str) -> None:
        """It has been closed."""
        self.n_open -= 1
        self._here[browser] -= 1
        if not self._here[browser]:
            del self._here[browser]
            self._forget()
            self._left.pop(browser, None)
            self._left[browser] = self._clock()
        log.event("session closed", sessions=self.n_open)

    def _was_here(self, browser: str) -> bool:
        return bool(browser) and (
            self._here[browser] > 0 or self._clock() - self._left.get(browser, float("-inf")) < _BACK
        )

    def _forget(self) -> None:
        """Those who left too long ago; the dict is in order of time."""
        now = self._clock()
        while self._left and now - self._left[next(iter(self._left))] >= _BACK:
            del self._left[next(iter(self._left))]
