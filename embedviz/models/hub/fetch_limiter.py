"""A gate for fetches: one at a time, and none right after a failure, so that a class does not flood the Hub."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from embedviz.base.errors import EmbedvizError, Unavailable

FAILURE_SECONDS = 30.0  # how long everyone gets the last failure as the answer
PAUSE_SECONDS = 1.0  # between two tries, however often "Try again" is pressed
QUEUE_SECONDS = 40.0  # the longest wait behind others


class FetchLimiter:
    """Lets one fetch through at a time and remembers how the last one failed.

    in_doubt: True if the last fetch failed, so that what was known before may be out of date.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._failure: EmbedvizError | None = None
        self._failed_at = 0.0
        self.in_doubt = False

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Go through alone. Raises the last failure if it is recent, and Unavailable if the wait is too long."""
        self._raise_remembered()
        if not self._lock.acquire(timeout=QUEUE_SECONDS):
            raise Unavailable("too many are waiting for it. Try again in a minute.")
        try:
            self._raise_remembered()  # the fetch before may have failed meanwhile
            try:
                yield
            except EmbedvizError as error:
                self.failed(error)
                raise
            self.in_doubt = False
        finally:
            self._lock.release()

    def failed(self, error: EmbedvizError) -> None:
        """Remember a failure."""
        self._failure, self._failed_at, self.in_doubt = error.without_frames(), time.monotonic(), True

    def remembered(self) -> EmbedvizError | None:
        """The last failure, if it is still the answer for everyone."""
        failure = self._failure
        if failure and time.monotonic() - self._failed_at < max(failure.wait or 0, FAILURE_SECONDS):
            return failure
        return None

    def reopen(self) -> None:
        """Forget the failure as soon as a pause has passed since, unless the Hub asked for a longer one.

        This waits for the rest of the pause, so that nobody asks for another try in vain. A failure that somebody
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
            raise failure.without_frames()  # each raise adds the frames of its caller
