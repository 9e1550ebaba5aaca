"""One fetch at a time, and not again right after a failure: a class does not knock on the Hub all at once."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _

FAILURE_SECONDS = 30.0  # for so long a failure answers everyone
PAUSE_SECONDS = 1.0  # between two tries, however often "Try again" is pressed
QUEUE_SECONDS = 40.0  # behind others


class Gate:
    """Lets one through at a time and remembers how the last of them failed.

    in_doubt: True if the last one failed, so that what was known before may be out of date.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failure: Unavailable | None = None
        self._failed_at = 0.0
        self.in_doubt = False

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Go through alone. Raises Unavailable if the last failure is recent, or too many stand before."""
        self._raise_remembered()
        if not self._lock.acquire(timeout=QUEUE_SECONDS):
            raise Unavailable(_("too many are waiting for it. Try again in a minute."))
        try:
            self._raise_remembered()  # the one before may have failed meanwhile
            try:
                yield
            except Unavailable as error:
                self.failed(error)
                raise
            self.in_doubt = False
        finally:
            self._lock.release()

    def failed(self, error: Unavailable) -> None:
        """Remember a failure."""
        self._failure, self._failed_at, self.in_doubt = error, time.monotonic(), True

    def remembered(self) -> Unavailable | None:
        """The last failure, if it still answers for everyone."""
        failure = self._failure
        if failure and time.monotonic() - self._failed_at < max(failure.wait or 0, FAILURE_SECONDS):
            return failure
        return None

    def reopen(self) -> None:
        """Forget the failure as soon as a pause has passed since, unless the Hub asked for a longer one.

        What remains of the pause is waited for, so that nobody asks for another try in vain. A failure that somebody
        else has met meanwhile stays.
        """
        failure, since = self._failure, time.monotonic() - self._failed_at
        if failure and (failure.wait or 0) > max(since, PAUSE_SECONDS):
            return
        time.sleep(max(PAUSE_SECONDS - since, 0) if failure else 0)
        if self._failure is failure:
            self._failure = None

    def _raise_remembered(self) -> None:
        if failure := self.remembered():
            raise failure
