"""What a page says where no scripts run: what it would show of the site's own two sentences, and what it needs for it.

It names no sentence of the visitor's: the HTML of a page is the same for all addresses.
"""

from functools import cache

from embedviz.base.i18n import _, paragraph
from embedviz.text.samples import usual_pair
from embedviz.vectors.comparison import compare
from embedviz.vectors.copies import Copies
from embedviz.vectors.embedding import embed
from embedviz.vectors.spec import Spec


@cache
def copies() -> Copies:
    """Of the two sentences with which the pairs of Compare open."""
    pair = usual_pair()
    spec = Spec(prefix_space=pair.prefix_space)
    return Copies(compare(embed(pair.a, spec), embed(pair.b, spec)))


def words() -> str:
    """How many of the pair's vectors are identical, counted, and that all else needs scripts."""
    pair, found = usual_pair(), copies()
    counted = _(
        "A is “{a}”, B is “{b}”. Token vectors of A with an identical copy in B: {before} of {n} before positions are "
        "added, {after} of {n} after.",
        a=pair.a, b=pair.b, n=found.n_tokens, before=found.n_before, after=found.n_after,
    )  # fmt: skip
    return paragraph([counted, _("The rest of this page needs JavaScript, which does not run here.")])
