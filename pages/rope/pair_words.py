"""What the views "turn" and "layouts" say. Every sentence follows from the numbers it is given."""

from embedviz.base.i18n import N_, _, translated
from embedviz.base.numbers import in_print, three_digits
from embedviz.positions.rope import Layout
from embedviz.positions.rope_pairs import (
    CLOCK_DIMS,
    CLOCK_SEED,
    LAYOUT_DIMS,
    LAYOUT_SEED,
    LAYOUT_SHIFT,
    MAX_SHIFT,
    Clocks,
    LayoutScores,
    other,
)
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards.cards import Card

# Who pairs dimensions in which way; `pair_of` of embedviz/positions/rope_pairs.py names the sources.
_WHO = {
    "half": N_("GPT-NeoX does so, and LLaMA as transformers has it."),
    "interleaved": N_("The paper does so, and GPT-J, and Meta's own code for LLaMA."),
}
_IN_LAYOUT = {"half": N_("halves"), "interleaved": N_("interleaved")}  # in the middle of a sentence
_RULE = {
    "half": N_("Halves: {a} with {b}, {c} with {d}, …"),
    "interleaved": N_("Interleaved: {a} with {b}, {c} with {d}, …"),
}


def about_clocks(clocks: Clocks) -> list[Card]:
    """The score, that it stays when both move, and who turns fast."""
    apart = clocks.key_at - clocks.query_at
    return [
        Card(
            _("Score {score}", score=in_print(clocks.score, ".4f")),
            _(
                "The {n} shares add up to it. The query stands at {query_at:,}, the key at {key_at:,}: key − query is "
                "{apart}. With the key alone one position later, the score is {beside}.",
                n=len(clocks.shares),
                query_at=clocks.query_at,
                key_at=clocks.key_at,
                apart=in_print(apart, ".0f"),
                beside=in_print(clocks.beside, ".4f"),
            ),
            "different",
        ),
        Card(
            _("The same wherever both stand"),
            _(
                "Moved together by 0 to {most} positions, the score changes by at most {change}. That is only the "
                "rounding of float32.",
                most=MAX_SHIFT,
                change=three_digits(clocks.change),
            ),
            "same",
        ),
        Card(
            _("Fast pairs and slow pairs"),
            _(
                "From one position to the next, pair 0 turns by {fast:.1f}°. Pair {last} turns by {slow:.3f}°: once "
                "around in {around:,.0f} positions.",
                fast=clocks.speeds[0],
                last=len(clocks.speeds) - 1,
                slow=clocks.speeds[-1],
                around=360 / clocks.speeds[-1],
            ),
        ),
    ]


def beside_clock(clocks: Clocks, n: int) -> list[str]:
    """What stands beside the clock of pair n."""
    around = 360 / float(clocks.speeds[n])
    return [
        _("a round takes {n}", n=f"{around:,.1f}" if around < 100 else f"{around:,.0f}"),
        _("angle {angle}°", angle=in_print(float(clocks.angles[n]), ".0f")),
        _("share {share}", share=in_print(float(clocks.shares[n]), ".3f")),
    ]


def below_clock(clocks: Clocks, n: int) -> str:
    """What stands below the clock of pair n in large type."""
    angle, share = in_print(float(clocks.angles[n]), ".0f"), in_print(float(clocks.shares[n]), ".3f")
    return f"<b>{n}:</b> " + _("{angle}°, share {share}", angle=angle, share=share)


def about_hands() -> str:
    """How the clocks are made, for who wants to know."""
    return _(
        "One query q and one key k, {n_dims} random numbers each (seed {seed}); dimension n is paired with n + {half}. "
        "Hands turn counter-clockwise; beside each clock is the number of positions that a round takes. The angle "
        "leads from q to k. A share is the product of the two hands divided by √{n_dims}.",
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
        pairs="; ".join(pairs),
        score=in_print(clocks.score, ".4f"),
    )


def rule(layout: Layout) -> str:
    """Which dimensions a layout pairs, with the first two pairs as examples."""
    apart, second = (LAYOUT_DIMS // 2, 1) if layout == "half" else (1, 2)
    return translated(_RULE[layout], a=0, b=apart, c=second, d=second + apart)


def about_layouts(layouts: LayoutScores) -> list[Card]:
    """Who pairs how, that renaming dimensions changes nothing, and what a mix-up does."""
    return [
        Card(rule(layouts.layout), translated(_WHO[layouts.layout])),
        Card(
            _("Permuted: the same scores"),
            _(
                "Largest difference {apart}, from rounding (float32). Hugging Face's conversion permutes LLaMA's "
                "weights of query and key, from interleaved to halves.",
                apart=three_digits(layouts.renamed_apart),
            ),
            "same",
        ),
        Card(
            _("Mixed up: other scores, and no error"),
            _(
                "They differ by up to {apart:.2f}; {k} of {n} queries prefer another key. The diagonal stays right. "
                "Scores still depend on the distance alone: {shift} tokens later they change by {moved}.",
                apart=layouts.mixed_apart,
                k=layouts.others_first,
                n=len(layouts.own),
                shift=LAYOUT_SHIFT,
                moved=three_digits(layouts.mixed_shift),
            ),
            "different",
        ),
    ]


def about_matrices(layouts: LayoutScores) -> str:
    """How the matrices are made, for who wants to know."""
    return _(
        "{n} queries and {n} keys of {n_dims} random numbers each (seed {seed}) stand at positions 0 to {last}. Scores "
        "are divided by √{n_dims}, and there is no mask.",
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
    return _(
        "{n} dimensions in two orders of pairs, with a line from each to its place after the permutation. Above: {own} "
        "Below: {second}",
        n=LAYOUT_DIMS,
        own=rule(layouts.layout),
        second=rule(other(layouts.layout)),
    )


def scores_in_words(layouts: LayoutScores) -> str:
    """The matrices for those who cannot see them."""
    said = [
        _("{title}: {extent}", title=title, extent=extent(scores))
        for title, scores in zip(titles(layouts), (layouts.own, layouts.renamed, layouts.mixed), strict=True)
    ]
    return _(
        "Three matrices of scores of {n} queries and {n} keys. {said}. The second differs from the first by at most "
        "{renamed}, the third by up to {mixed:.2f}.",
        n=len(layouts.own),
        said="; ".join(said),
        renamed=three_digits(layouts.renamed_apart),
        mixed=layouts.mixed_apart,
    )
