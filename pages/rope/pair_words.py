"""What the views "turn" and "details" say. Every sentence follows from the numbers it is given."""

from embedviz.attention.rope_parts import PARTS
from embedviz.base.i18n import N_, _, counted, listed, series, told, translated
from embedviz.base.numbers import in_print, three_digits
from embedviz.positions.rope import Layout
from embedviz.positions.rope_pairs import (
    CLOCK_DIMS,
    CLOCK_SEED,
    LAYOUT_DIMS,
    LAYOUT_SEED,
    MAX_SHIFT,
    Clocks,
    LayoutScores,
    other,
    pair_of,
)
from embedviz.ui import Card, extent

_IN_LAYOUT = {"half": N_("halves"), "interleaved": N_("interleaved")}  # in the middle of a sentence
_LAYOUTS = {"half": N_("Halves"), "interleaved": N_("Interleaved")}


def about_clocks(clocks: Clocks) -> list[Card]:
    """That the score stays when both move, what it is, and who turns fast."""
    shares = _(
        "The {n} shares add up to it. The query stands at {query_at:,}, the key at {key_at:,}: key − query is {apart}. "
        "If the key alone stood one position later, the score would be {beside}.",
        n=len(clocks.shares),
        query_at=clocks.query_at,
        key_at=clocks.key_at,
        apart=in_print(clocks.key_at - clocks.query_at, ".0f"),
        beside=in_print(clocks.beside, ".4f"),
    )
    rounding = _(
        "When both move by 0 to {most} positions, the score changes by at most {change}. That is only the rounding of "
        "float32.",
        most=MAX_SHIFT,
        change=three_digits(clocks.change),
    )
    turns = _(
        "From one position to the next, pair 0 turns by {fast:.1f}°. Pair {last} turns by {slow:.3f}°: once around in "
        "{around:,.0f} positions.",
        fast=clocks.speeds[0],
        last=len(clocks.speeds) - 1,
        slow=clocks.speeds[-1],
        around=360 / clocks.speeds[-1],
    )
    return [
        Card(_("The same wherever both stand"), rounding, "same"),
        Card(_("Score {score}", score=in_print(clocks.score, ".4f")), shares, "different"),
        Card(_("Fast pairs and slow pairs"), turns),
    ]


def beside_clock(clocks: Clocks, n: int) -> list[str]:
    """What stands beside the clock of pair n."""
    around = 360 / float(clocks.speeds[n])
    return [
        _("once in {n}", n=counted(around, ",.1f" if around < 100 else ",.0f")),
        _("angle {angle}°", angle=in_print(float(clocks.angles[n]), ".0f")),
        _("share {share}", share=in_print(float(clocks.shares[n]), ".3f")),
    ]


def about_hands() -> str:
    """How the clocks are made, for who wants to know."""
    return _(
        "One query q and one key k, {n_dims} random numbers each (seed {seed}); dimension n is paired with n + {half}. "
        "Hands turn counter-clockwise, and the angle leads from q to k. Where there is room, each clock also says in "
        "how many positions it goes round once, and its share, the product of the two hands divided by √{n_dims}.",
        n_dims=CLOCK_DIMS,
        seed=CLOCK_SEED,
        half=CLOCK_DIMS // 2,
    )


def clocks_in_words(clocks: Clocks) -> str:
    """The clocks for those who cannot see them."""
    pairs = [
        _("pair {n} {angle}°, share {share}", n=n, angle=in_print(angle, ".0f"), share=in_print(share, ".3f"))
        for n, (angle, share) in enumerate(zip(clocks.angles.tolist(), clocks.shares.tolist(), strict=True))
    ]
    return _(
        "{n} clocks with the query at position {query_at} and the key at {key_at}. Angle from query to key: {pairs}. "
        "Score {score}.",
        n=len(pairs),
        query_at=clocks.query_at,
        key_at=clocks.key_at,
        pairs=series(pairs),
        score=in_print(clocks.score, ".4f"),
    )


def layout_name(layout: Layout) -> str:
    """What a layout is called beside its row of cells."""
    return translated(_LAYOUTS[layout])


def about_layouts(layouts: LayoutScores) -> list[Card]:
    """That renaming dimensions changes nothing, and what a mix-up does."""
    same = _(
        "They are the same up to rounding. Hugging Face's conversion permutes LLaMA's weights of query and key, from "
        "interleaved to halves."
    )
    numbers = {"apart": layouts.mixed_apart, "k": layouts.others_first, "n": len(layouts.own)}
    mixed = _(
        "They differ by up to {apart:.2f}; {k} of {n} queries prefer another key. Only the diagonal, at distance 0, "
        "always stays.",
        **numbers,
    )
    return [
        Card(_("Permuted: the same scores"), same, "same"),
        Card(_("Mixed up: other scores, and no error"), mixed, "different"),
    ]


def about_details(layouts: LayoutScores) -> str:
    """Who does what, and how the matrices are made, for who wants to know."""
    return _(
        "Halves: GPT-NeoX, and LLaMA as transformers has it. Interleaved: the paper, GPT-J, and Meta's own code for "
        "LLaMA. Dimensions that are not turned say the same at every distance. DeepSeek-V3 leaves most of them so, "
        "which lets it store keys in few numbers, and Gemma 4's layers with full attention turn the fastest quarter "
        "of the pairs. Sizes are those of the table of models. The matrices: {n} queries "
        "and keys of {n_dims} random numbers (seed {seed}) at positions 0 to {last}, divided by √{n_dims}.",
        n=len(layouts.own),
        n_dims=LAYOUT_DIMS,
        seed=LAYOUT_SEED,
        last=len(layouts.own) - 1,
    )


def titles(layouts: LayoutScores) -> tuple[str, str, str]:
    """What stands above the three matrices."""
    own, second = (translated(_IN_LAYOUT[layout]) for layout in (layouts.layout, other(layouts.layout)))
    return (
        _("Turned as {order}", order=own),
        _("Permuted, turned as {order}", order=second),
        _("Not permuted, turned as {order}", order=second),
    )


def pairs_in_words(layouts: LayoutScores) -> str:
    """The cells for those who cannot see them."""
    above, below = (pair_of(LAYOUT_DIMS, layout) for layout in (layouts.layout, other(layouts.layout)))
    return _(
        "{n} dimensions in two orders of pairs, with a line from each to its place after the permutation. Above the "
        "pair of each cell is {above}, below {below}.",
        n=LAYOUT_DIMS,
        above=listed(map(str, above.tolist())),
        below=listed(map(str, below.tolist())),
    )


def parts_in_words() -> str:
    """The strips for those who cannot see them."""
    sizes = {each.model: each.sizes for each in PARTS}
    heads = series(_("{model} {n} of {total}", model=name, n=n, total=total) for name, (n, total) in sizes.items())
    return _("Strips of the dimensions of a head, and how many are turned: {heads}.", heads=heads)


def scores_in_words(layouts: LayoutScores) -> str:
    """The matrices for those who cannot see them."""
    said = [
        told(title, extent(scores))
        for title, scores in zip(titles(layouts), (layouts.own, layouts.renamed, layouts.mixed), strict=True)
    ]
    return _(
        "Three matrices of scores of {n} queries and {n} keys. {said}. The second differs from the first by at most "
        "{renamed}, the third by up to {mixed:.2f}.",
        n=len(layouts.own),
        said=series(said),
        renamed=three_digits(layouts.renamed_apart),
        mixed=layouts.mixed_apart,
    )
