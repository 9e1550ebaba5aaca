"""What the view "turn" says. Every sentence follows from the numbers it is given."""

import numpy as np

from embedviz.base.i18n import _, join_semicolons, numeral, paragraph
from embedviz.base.numbers import in_print, three_digits
from embedviz.models.architectures import ARCHITECTURES
from embedviz.positions.rope_pairs import CLOCK_DIMS, CLOCK_SEED, MAX_SHIFT, Clocks
from embedviz.programs.schemes.turned import OwnHead
from embedviz.text.visible import in_words, quoted
from embedviz.ui import Card


def about_clocks(clocks: Clocks, own: OwnHead | None = None) -> list[Card]:
    """That the score stays when both move, what it is, and who turns fast. own: whose query and key, if a model's."""
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
        Card(_stays(clocks, own), rounding, "same"),
        Card(
            _("Score {score}", score=in_print(clocks.score, ".4f")), paragraph([shares, _unturned(clocks)]), "different"
        ),
        Card(_("Fast pairs and slow pairs"), turns),
    ]


def _stays(clocks: Clocks, own: OwnHead | None) -> str:
    said = {"n": clocks.moved_by, "score": in_print(clocks.score)}
    if own is None:
        if clocks.moved_by:
            return _("When both move by {n}, the angles and the score of {score} stay", **said)
        return _("If both move together, the angles between the hands and the score stay")
    said |= {"query": in_words(own.query_text), "key": in_words(own.key_text)}
    if clocks.moved_by:
        return _("When “{query}” and “{key}” both move by {n}, the angles and the score of {score} stay", **said)
    return _("If “{query}” and “{key}” move together, the angles between the hands and the score stay", **said)


def _unturned(clocks: Clocks) -> str:
    if not clocks.rest:
        return ""
    return _("Dimensions that are never turned add {rest} to them.", rest=in_print(clocks.rest, ".4f"))


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


def about_hands(clocks: Clocks, own: OwnHead | None) -> str:
    """How the clocks are made, for who wants to know."""
    if own:
        return paragraph([_whose(own), _drawn(clocks), _scales(clocks), _how_turned()])
    return _(
        "One query q and one key k, {n_dims} random numbers each (seed {seed}); dimension n is paired with n + {half}. "
        "Hands turn counter-clockwise, and the angle leads from q to k. Where there is room, each clock also says in "
        "how many positions it goes round once, and its share, the product of the two hands divided by √{n_dims}.",
        n_dims=CLOCK_DIMS,
        seed=CLOCK_SEED,
        half=CLOCK_DIMS // 2,
    )


def _whose(own: OwnHead) -> str:
    return _(
        "{model} reads “{text}”. In layer {layer}, head {head}, these are the query of “{query}”, which stands at "
        "position {query_at}, and the key of “{key}” at {key_at}. There “{query}” gives “{key}” a weight of {weight}.",
        model=own.model, text=quoted(own.text).replace("␣", " "), layer=own.layer + 1, head=own.head + 1,
        query=in_words(own.query_text), key=in_words(own.key_text), query_at=own.query_at, key_at=own.key_at,
        weight=in_print(own.weight),
    )  # fmt: skip


def _drawn(clocks: Clocks) -> str:
    drawn, total = clocks.drawn, len(clocks.shares)
    if len(drawn) == total:
        return ""
    return _(
        "Of {total} pairs the {n} with the longest hands are drawn, whose shares add up to {share}.",
        total=total, n=len(drawn), share=in_print(float(clocks.shares[drawn].sum()), ".3f"),
    )  # fmt: skip


def _scales(clocks: Clocks) -> str:
    query, key = np.linalg.norm(clocks.unmoved[clocks.drawn], axis=-1).max(axis=0).tolist()
    return _(
        "The longest hand of the query is {query} long, and that of the key {key}: both reach the rim, so that one can "
        "see either.",
        query=in_print(query),
        key=in_print(key),
    )


def _how_turned() -> str:
    return _(
        "Hands turn counter-clockwise, and the angle leads from q to k. Where there is room, each clock also says in "
        "how many positions it goes round once, and its share of the score."
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


def clocks_in_words(clocks: Clocks, own: OwnHead | None = None) -> str:
    """The clocks for those who cannot see them."""
    pairs = [
        _(
            "pair {n} {angle}°, share {share}",
            n=n,
            angle=in_print(float(clocks.angles[n]), ".0f"),
            share=in_print(float(clocks.shares[n]), ".3f"),
        )
        for n in clocks.drawn
    ]
    said = _(
        "{n} clocks with the query at position {query_at} and the key at {key_at}. Angle from query to key: {pairs}. "
        "Score {score}.",
        n=len(pairs),
        query_at=clocks.query_at,
        key_at=clocks.key_at,
        pairs=join_semicolons(pairs),
        score=in_print(clocks.score, ".4f"),
    )
    return paragraph([said, _whose(own) if own else ""])
