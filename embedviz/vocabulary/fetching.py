"""The line of downloads of whole token tables. Visitors who want the same table share one download.

A download goes on as long as somebody watches it. What has come is kept, so that the next one goes on from there.
"""

from collections.abc import Callable

from embedviz.base.i18n import ngettext
from embedviz.base.jobs import Job, Jobs, Progress
from embedviz.models import HubModel

_AT_ONCE, _MOST_WAITING = 2, 20


class _NobodyWaits(Exception):
    """Raised inside a download to stop it."""


def line() -> Jobs:
    """A line of downloads that wait."""

    def refusal(waiting: int, _more: int) -> str:
        return ngettext(
            "The queue is full ({n:,} download). Try again in a few minutes.",
            "The queue is full ({n:,} downloads). Try again in a few minutes.",
            waiting,
        )

    # The table itself says whether it is there, so the line keeps no results.
    return Jobs("download", lambda source: None, refusal, at_once=_AT_ONCE, most_waiting=_MOST_WAITING)


downloads = line()  # shared by all visitors


def fetch(model: HubModel, visitor: str) -> None:
    """Put the download of a model's token table in line. Raises EmbedvizError if too many wait."""
    downloads.ask(visitor, {model.name: Job(_downloader(model), {"model": model.name})})


def _downloader(model: HubModel) -> Callable[[Job, Callable[[], bool]], bool]:
    def download(job: Job, is_wanted: Callable[[], bool]) -> bool:
        def progress(done: int, total: int) -> None:
            job.progress = Progress(share=done / total, numbers={"done": done, "total": total})
            if not is_wanted():
                raise _NobodyWaits

        try:
            model.download(progress)
        except _NobodyWaits:
            return False
        return True

    return download
