"""Numbers out of what a crowd of visitors told and what the processes used."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean

from process import Usage

_ENDS = 5  # a plateau's begin and its end are each a fifth of it


@dataclass(frozen=True)
class Sample:
    """What the server used up to a moment, `t` seconds after the begin, and the visitors' processor seconds."""

    t: float
    used: Usage
    visitors: float


@dataclass(frozen=True)
class Processor:
    """Seconds of processor time that the server and the visitors took in so many seconds."""

    server: float
    visitors: float
    seconds: float


def percentile(values: Sequence[float], percent: float) -> float:
    """The least of the values that at least so many percent of them do not exceed. Raises ValueError for none."""
    if not values:
        raise ValueError("nothing was measured")
    return sorted(values)[max(ceil(len(values) * percent / 100), 1) - 1]


def processor(samples: Sequence[Sample], since: float) -> Processor:
    """Between the first sample from `since` on and the last; a child that ended takes its time with it."""
    counted = [sample for sample in samples if sample.t >= since]
    first, last = counted[0], counted[-1]
    server = sum(max(b.used.processor - a.used.processor, 0.0) for a, b in itertools.pairwise(counted))
    return Processor(server, last.visitors - first.visitors, last.t - first.t)


def ends(samples: Sequence[Sample], since: float) -> tuple[float, float]:
    """Bytes of the server's own process at the begin and at the end of a plateau, means over a fifth of it each."""
    rss = [sample.used.rss for sample in samples if sample.t >= since]
    n = max(len(rss) // _ENDS, 1)
    return fmean(rss[:n]), fmean(rss[-n:])


def by_page(edits: Sequence[dict]) -> dict[str, list[float]]:
    """The seconds of each page's changes, in the order in which pages were first changed."""
    found: dict[str, list[float]] = {}
    for edit in edits:
        found.setdefault(edit["page"], []).append(edit["seconds"])
    return dict(sorted(found.items()))
