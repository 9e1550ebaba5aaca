"""A vote of the hall on the projector: the way to it for phones, and at last its bars."""

from collections.abc import Sequence

from embedviz.base.votes.votes import Vote
from embedviz.ui.components.component import component
from embedviz.ui.components.share.share import qr_rows

_BALLOT = component(__name__)


def ballot(hall: tuple[str, Vote], choices: Sequence[str], *, key: str, height: str) -> None:
    """Show the QR code of its address while the vote runs, and bars once it is over.

    hall: the address and the vote. choices: what could be chosen.
    """
    address, vote = hall
    shown = {"choices": list(choices), "height": height, "address": address, "rows": qr_rows(address), **vote.summary()}
    _BALLOT(shown | ({"counts": vote.counts} if vote.is_over else {}), key=key)  # which are not in the page before
