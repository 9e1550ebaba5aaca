"""A vote of the hall on the projector: its choices, the way to it for phones, and at last its bars."""

from collections.abc import Callable, Sequence

from embedviz.base.votes import Vote
from embedviz.ui.components.share.share import qr_rows
from embedviz.ui.components.shared.component import component

_BALLOT = component(__name__)


def ballot(
    hall: tuple[str, Vote] | None,
    *,
    key: str,
    acts: dict[str, Callable],
    right: int | None = None,
    **shown: str | Sequence[str],
) -> None:
    """Show the choices before the vote, the QR code of its address while it runs, and bars once it is over.

    hall: the address and the vote. acts: what buttons do, which are the trigger `vote`. right: which choice is, from 1,
    as only the bars say. shown: the choices, the height, and the question if it stands nowhere else.
    """
    if hall:
        address, vote = hall
        shown |= {"address": address, "rows": qr_rows(address), **vote.summary()}
        shown |= {"counts": vote.counts, "right": right} if vote.is_over else {}  # which are not in the page before
    _BALLOT(shown | {"acts": bool(acts)}, key=key, **acts)
