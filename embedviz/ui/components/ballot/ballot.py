"""A vote of the hall on the projector: its question, the way to it for phones, and at last its bars."""

from collections.abc import Callable, Sequence

from embedviz.base.votes import Standing
from embedviz.ui.components.share.share import qr_rows
from embedviz.ui.components.shared.component import component

_BALLOT = component(__name__)


def ballot(
    choices: Sequence[str],
    standing: Standing | None,
    address: str,
    *,
    key: str,
    height: str,
    question: str = "",
    on_vote: Callable[[], None] | None = None,
) -> None:
    """Show the choices before the vote, the QR code of its address while it runs, and bars once it is over.

    question: if it stands nowhere else. on_vote: if buttons are to open and end the vote, which are the trigger `vote`.
    """
    data = {"question": question, "choices": list(choices), "height": height, "acts": on_vote is not None}
    if standing:
        counts = list(standing.counts)
        data |= {"address": address, "rows": qr_rows(address), "n": sum(counts), "isOver": standing.is_over}
        data |= {"counts": counts} if standing.is_over else {}  # before the end they are not in the page at all
    _BALLOT(data, key=key, **({"on_vote_change": on_vote} if on_vote else {}))
