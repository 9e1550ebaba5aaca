"""Lines of downloads: of token tables here, of whole models in `layers.bring`. Who wants the same shares a download.

A download goes on as long as somebody watches it. What has come is kept, so that the next one goes on from there.
"""

from collections.abc import Callable
from typing import Any

from embedviz.base.concurrency.jobs import Job, Jobs, Progress
from embedviz.models import HubModel

_MOST_WAITING = 20


class _NobodyWaits(Exception):
    """Raised inside a download to stop it."""


def download_jobs(at_once: int = 2) -> Jobs:
    """A line of downloads that wait."""
    # The disk says what is there, so the line keeps no results.
    return Jobs("download", lambda name: None, at_once=at_once, most_waiting=_MOST_WAITING)


downloads = download_jobs()  # shared by all visitors


def fetch(model: HubModel, visitor: str) -> None:
    """Put the download of a model's token table in line. Raises EmbedvizError if too many wait."""
    downloads.ask(visitor, {model.name: job(model.download, model=model.name)})


def job(download: Callable[[Callable[[int, int], None]], None], **about: Any) -> Job:
    """A job that downloads. download: gets a function to call with the bytes that are there, and all bytes."""

    def carry_out(job: Job, is_wanted: Callable[[], bool]) -> bool:
        def progress(done: int, total: int) -> None:
            job.progress = Progress(share=done / total, numbers={"done": done, "total": total})
            if not is_wanted():
                raise _NobodyWaits

        try:
            download(progress)
        except _NobodyWaits:
            return False
        return True

    return Job(carry_out, about)
