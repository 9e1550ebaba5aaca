"""What the page RoPE says of the pairs' speeds: every sentence follows from its numbers."""

from collections.abc import Sequence

from embedviz.attention.rope_reach import BASES, Region, Stretch, Turning
from embedviz.base.i18n import N_, _, listed, ngettext, paragraph, translated
from embedviz.base.numbers import in_print
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards.cards import Card

REGIONS = {
    Region.KEPT: N_("kept"),
    Region.BLENDED: N_("blended"),
    Region.INTERPOLATED: N_("interpolated"),
    Region.SLOWER: N_("slowed further"),
    Region.STILL: N_("not turned"),
}

# Base -----------------------------------------------------------------------------------------------


def about_base(turnings: Sequence[Turning], chosen: int, trained: int) -> list[Card]:
    """How many pairs go full circle, what the slowest one does, and what a larger base is good for."""
    own = next(each for each in turnings if each.base == chosen)
    return [_circles(own, trained), _slowest(own, trained), _larger(turnings, own, trained)]


def _circles(own: Turning, trained: int) -> Card:
    n_pairs = len(own.turns)
    title = _("{n} of {total} pairs go full circle", n=own.n_full, total=n_pairs)
    if own.n_full == n_pairs:
        return Card(title, _("In {trained:,} tokens every pair meets every angle.", trained=trained), "same")
    if not own.n_full:
        text = _(
            "In {trained:,} tokens no pair does, so a longer text shows new angles to all of them.", trained=trained
        )
        return Card(title, text, "different")
    text = ngettext(
        "In {trained:,} tokens they meet every angle. The other pair sees a part of the circle, and a longer text "
        "shows it angles that are new to the model.",
        "In {trained:,} tokens they meet every angle. The other {n} see a part of the circle, and a longer text "
        "shows them angles that are new to the model.",
        n_pairs - own.n_full,
        trained=trained,
    )
    return Card(title, text, "different")


def _slowest(own: Turning, trained: int) -> Card:
    wave, turns = float(own.wavelengths[-1]), float(own.turns[-1])
    says = (
        _("So every distance within such a text has an angle of its own.")
        if turns < 1
        else _("So its angle repeats, and no pair gives every distance within such a text an angle of its own.")
    )
    text = _("In {trained:,} tokens it turns {turns} times.", trained=trained, turns=in_print(turns, ".3g"))
    return Card(_("The slowest pair needs {n:,.0f} positions", n=wave), paragraph([text, says]))


def _larger(turnings: Sequence[Turning], own: Turning, trained: int) -> Card:
    """Compare the chosen base with the usual one, or the usual one with Llama 3's."""
    usual = next(each for each in turnings if each.base == BASES[0])
    other = next(each for each in turnings if each.base == BASES[1]) if own.base == usual.base else own
    times = float(other.wavelengths[-1] / usual.wavelengths[-1])
    length = _("{n:,.0f} tokens", n=times * trained) if times * trained >= 1 else _("less than one token")
    numbers = {"other": other.base, "usual": usual.base, "length": length, "trained": trained}
    if times < 1:
        return Card(
            _("A smaller base makes slow pairs faster"),
            _(
                "With base {other:,} the slowest pair is {times} times as fast as with {usual:,}: a text of "
                "{length} turns it as far as {trained:,} tokens do there.",
                times=in_print(1 / times, ".3g"),
                **numbers,
            ),
        )
    return Card(
        _("Why longer contexts took larger bases"),
        _(
            "With base {other:,} the slowest pair is {times} times as slow as with {usual:,}: only a text of "
            "{length} turns it as far as {trained:,} tokens do there.",
            times=in_print(times, ".3g"),
            **numbers,
        ),
    )


def base_in_words(turning: Turning) -> str:
    """One base in a sentence, for those who cannot see the curves."""
    return _(
        "Base {base:,}: from {first:.3g} to {last:,.0f} positions, and {n} pairs go full circle.",
        base=turning.base,
        first=turning.wavelengths[0],
        last=turning.wavelengths[-1],
        n=turning.n_full,
    )


_TAKEN_BY = {
    10_000: N_("RoPE's paper (Su et al. 2021), Llama 2"),
    500_000: N_("Llama 3 (Grattafiori et al. 2024)"),
    1_000_000: N_("Code Llama (Rozière et al. 2023)"),
}


def base_columns(trained: int) -> list[str]:
    """The columns of the table of bases."""
    return [
        _("Base"),
        _("Pairs that go full circle"),
        _("Slowest pair: positions to a full circle"),
        _("Its full circles in {n:,} tokens", n=trained),
        _("Taken by"),
    ]


def base_rows(turnings: Sequence[Turning]) -> list[list[str]]:
    """A row for each base."""
    return [
        [
            f"{each.base:,}",
            _("{n} of {total}", n=each.n_full, total=len(each.turns)),
            f"{each.wavelengths[-1]:,.0f}",
            f"{each.turns[-1]:.3g}",
            translated(_TAKEN_BY[each.base]) if each.base in _TAKEN_BY else _("your choice"),
        ]
        for each in turnings
    ]


# Longer than trained --------------------------------------------------------------------------------


def about_scaling(stretch: Stretch, trained: int, used: int) -> list[Card]:
    """What happens to the pairs and to all scores, to far tokens, and to near ones."""
    return [_pairs(stretch), _far(stretch, trained, used), _near(stretch)]


def _pairs(stretch: Stretch) -> Card:
    counts = {region: stretch.count(region) for region in Region}
    said = {
        Region.KEPT: _("Kept: as in training."),
        Region.BLENDED: _("Blended: slowed by less than the factor."),
        Region.INTERPOLATED: _("Interpolated: slowed {n} times.", n=stretch.factor),
        Region.SLOWER: _("Slowed further: by more than the factor."),
        Region.STILL: _("Not turned: blind to distances."),
    }
    text = [sentence for region, sentence in said.items() if counts[region]]
    return Card(counted(stretch), paragraph([*text, _attention(stretch.attention_factor)]))


def counted(stretch: Stretch) -> str:
    """How many pairs are in each region that has any."""
    counts = {region: stretch.count(region) for region in Region}
    return listed(f"{n} {translated(REGIONS[region])}" for region, n in counts.items() if n)


def _attention(factor: float) -> str:
    if factor == 1:
        return _("Attention factor 1: scores are not multiplied by anything.")
    return _("Attention factor {factor:.4f}: scores are multiplied by {square:.3f}.", factor=factor, square=factor**2)


def _far(stretch: Stretch, trained: int, used: int) -> Card:
    n, without = int(stretch.new.sum()), int(stretch.new_unscaled.sum())
    title = ngettext("Far: {n} pair meets new angles", "Far: {n} pairs meet new angles", n)
    if used <= trained:
        return Card(title, _("The text is no longer than those of the training."), "same")
    text = _(
        "A new angle is one beyond the largest that a pair reached in training, if it never went full circle there."
    )
    if stretch.name != "none":
        text = paragraph(
            [text, _("Without scaling {n} pairs would meet some in {used:,} tokens.", n=without, used=used)]
        )
    return Card(title, text, "different" if n else "same")


def _near(stretch: Stretch) -> Card:
    before, after = float(stretch.before[0]), float(stretch.after[0])
    if after == before:
        return Card(
            _("Near: neighbours stay apart"),
            _("From one token to the next the fastest pair turns {n:.3g} radian, as in training.", n=before),
            "same",
        )
    return Card(
        _("Near: neighbours move together"),
        _(
            "From one token to the next the fastest pair turns {after:.3g} radians, not {before:.3g} as in training, "
            "so neighbours are harder to tell apart.",
            after=after,
            before=before,
        ),
        "different",
    )


_FORMULAS = {
    "none": N_("The model reads the longer text as it was trained."),
    "linear": N_(
        "Position interpolation (Chen et al. 2023): all positions are divided by the factor, so that they lie within "
        "the trained length."
    ),
    "dynamic": N_(
        "NTK-aware scaling (bloc97, 2023) takes a larger base, so that fast pairs are hardly slowed and slow ones "
        "most; “dynamic” chooses it anew for each length. As in transformers, with the factor s and a text s times "
        "as long as in training, the slowest pair turns s² − s + 1 times as slowly."
    ),
    "yarn": N_(
        "YaRN (Peng et al. 2023) keeps pairs that turn more than 32 times in training, interpolates those that turn "
        "less than once, and ramps in between. Its attention factor is 0.1 ln(factor) + 1."
    ),
    "llama3": N_(
        "Llama 3.1 keeps wavelengths below a quarter of the trained length, interpolates those above all of it, and "
        "blends the others."
    ),
    "longrope": N_(
        "LongRoPE (Ding et al. 2024) searches a factor for each pair. Here those of Phi-3.5-mini (factor 32, 48 pairs) "
        "stand in, resampled to this head and raised to a power that makes their factor the chosen one."
    ),
    "proportional": N_(
        "Gemma 4 turns the fastest quarter of the pairs in its layers with full attention and leaves the others as "
        "they are. Gemma 4’s own config has no factor; transformers allows one, as here."
    ),
}  # fmt: skip


def about_formula(name: str) -> str:
    """Where the scaling comes from, and what it does."""
    return translated(_FORMULAS[name])


def scaling_alt(stretch: Stretch, trained: int, used: int) -> str:
    """The numbers of both panels, for those who cannot see them."""
    return _(
        "Two charts of {n} pairs: {regions}. Radians at each position go {before} in training and {after} now. The "
        "largest angles are {turns} full circles in {trained:,} tokens and {turns_used} in {used:,}; {new} pairs meet "
        "new angles.",
        n=len(stretch.before),
        regions=counted(stretch),
        before=extent(stretch.before),
        after=extent(stretch.after),
        turns=extent(stretch.turns_trained),
        turns_used=extent(stretch.turns_used),
        trained=trained,
        used=used,
        new=int(stretch.new.sum()),
    )
