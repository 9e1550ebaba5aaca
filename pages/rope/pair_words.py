"""What the view "turn" says. Every sentence follows from the numbers it is given."""

from embedviz.base.i18n import _, join_semicolons, numeral, paragraph
from embedviz.base.numbers import in_print, three_digits
from embedviz.models.architectures import ARCHITECTURES
from embedviz.positions.rope_pairs import CLOCK_DIMS, CLOCK_SEED, MAX_SHIFT, Clocks
from embedviz.ui import Card


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
    stays = _("Wherever both stand, the angles between the hands and the score stay")
    if clocks.moved_by:
        stays = _(
            "When both move by {n}, the angles and the score of {score} stay",
            n=clocks.moved_by,
            score=in_print(clocks.score),
        )
    return [
        Card(stays, rounding, "same"),
        Card(_("Score {score}", score=in_print(clocks.score, ".4f")), shares, "different"),
        Card(_("Fast pairs and slow pairs"), turns),
    ]


def beside_clock(clocks: Clocks, n: int) -> list[str]:
    """What stands beside the clock of pair n: its angle comes first, which stays when both move."""
    around, angle = 360 / float(clocks.speeds[n]), in_print(float(clocks.angles[n]), ".0f")
    before = in_print(float(clocks.unmoved_angles[n]), ".0f")
    return [
        _("angle {before}° → {after}°", before=before, after=angle)
        if clocks.moved_by
        else _("angle {angle}°", angle=angle),
        _("once in {n}", n=numeral(around, ",.1f" if around < 100 else ",.0f")),
        _("share {share}", share=in_print(float(clocks.shares[n]), ".3f")),
    ]


def scores(clocks: Clocks) -> str:
    """The score before both were moved and after it. To two decimals, float32 never tells them apart."""
    before, after = in_print(clocks.unmoved_score), in_print(clocks.score)
    return _("Score before: {before} = after: {after}", before=before, after=after)


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


def about_real_models() -> str:
    """Which dimensions make a pair in real models, and that some models turn only a part of them."""
    layouts = _(
        "Which dimensions make a pair is a convention. In halves, n goes with n + d/2, as here, in GPT-NeoX, and in "
        "LLaMA as transformers has it. Interleaved, 2n goes with 2n + 1, as in the paper, in GPT-J, and in Meta’s own "
        "code for LLaMA. A checkpoint that is read with the other layout gives wrong scores, and no error."
    )
    turned, head_dim = ARCHITECTURES["GPT-NeoX-20B"].pattern[-1].turned
    part = _(
        "Some models turn only a part of the dimensions. GPT-NeoX-20B turns {n} of {total} in each head, and the "
        "others say the same at every distance.",
        n=turned,
        total=head_dim,
    )
    return paragraph([layouts, part])


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
        pairs=join_semicolons(pairs),
        score=in_print(clocks.score, ".4f"),
    )
