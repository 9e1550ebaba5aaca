"""What the view "Longer than trained" says: every sentence follows from its numbers."""

from embedviz.attention.rope_reach import BASES, Region, Stretch, Turning
from embedviz.base.i18n import N_, _, listed, ngettext, paragraph, translated
from embedviz.base.numbers import in_print
from embedviz.ui import Card, extent

REGIONS = {
    Region.KEPT: N_("kept"),
    Region.BLENDED: N_("blended"),
    Region.INTERPOLATED: N_("interpolated"),
    Region.SLOWER: N_("slowed further"),
    Region.STILL: N_("not turned"),
}


def other_base(base: int) -> int:
    """The base that is compared with the one that is chosen: the usual one, or Llama 3's."""
    return BASES[1] if base == BASES[0] else BASES[0]


def about_longer(stretch: Stretch, trained: int, used: int, own: Turning, other: Turning) -> list[Card]:
    """How many pairs meet angles that training never showed, and what another base changes."""
    if used <= trained:
        text = _("In training every text was at least as long, so no position is new.")
        return [Card(_new(0), text, "same"), _base(own, other, trained)]
    return [_new_angles(stretch, used), _base(own, other, trained)]


def _new_angles(stretch: Stretch, used: int) -> Card:
    n, without = int(stretch.new.sum()), int(stretch.new_unscaled.sum())
    texts = [_("RoPE’s formula goes on, and only a test shows whether the model copes.")] if n else []
    if stretch.name != "none":
        texts = [_("Without scaling, {n} pairs would meet new angles in {used:,} tokens.", n=without, used=used)]
    return Card(_new(n), paragraph(texts), "different" if n else "same")


def _new(n: int) -> str:
    if not n:
        return _("No pair meets angles it never saw")
    return ngettext("{n} pair meets angles it never saw", "{n} pairs meet angles they never saw", n)


def _base(own: Turning, other: Turning, trained: int) -> Card:
    slower, faster = (other, own) if other.base > own.base else (own, other)
    title = _("Base {base:,}: {n} of {total} pairs go full circle", base=own.base, n=own.n_full, total=len(own.turns))
    text = _(
        "That is within {trained:,} tokens. A larger base turns pairs more slowly: with {slower:,} a circle of the "
        "slowest pair takes {slow:,.0f} positions, with {faster:,} it takes {fast:,.0f}.",
        trained=trained,
        slower=slower.base,
        slow=slower.wavelengths[-1],
        faster=faster.base,
        fast=faster.wavelengths[-1],
    )
    return Card(title, text)


def counted(stretch: Stretch) -> str:
    """How many pairs are in each region that has any."""
    counts = {region: stretch.count(region) for region in Region}
    return listed(f"{n} {translated(REGIONS[region])}" for region, n in counts.items() if n)


_FORMULAS = {
    "none": N_("The model reads the longer text as it was trained."),
    "linear": N_(
        "Position interpolation (Chen et al. 2023): all positions are divided by the factor, so that a text that "
        "many times as long lies within the trained length."
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
    "proportional": N_(
        "Gemma 4 turns the fastest quarter of the pairs in its layers with full attention and leaves the others as "
        "they are. Gemma 4’s own config has no factor; transformers allows one, as here."
    ),
}  # fmt: skip


def about_scaling(stretch: Stretch) -> str:
    """Where the scaling comes from, and what it does to the pairs, to all scores and to neighbours."""
    said = translated(_FORMULAS[stretch.name])
    if stretch.name == "none":
        return said
    pairs = _("Pairs: {counted}.", counted=counted(stretch))
    return paragraph([said, pairs, _attention(stretch.attention_factor), _near(stretch)])


def _attention(factor: float) -> str:
    if factor == 1:
        return ""
    return _("Attention factor {factor:.4f}: scores are multiplied by {square:.3f}.", factor=factor, square=factor**2)


def _near(stretch: Stretch) -> str:
    before, after = float(stretch.before[0]), float(stretch.after[0])
    if after == before:
        return ""
    return _(
        "From one token to the next the fastest pair turns {after} radians, not {before} as in training, so neighbours "
        "are harder to tell apart.",
        after=in_print(after, ".3g"),
        before=in_print(before, ".3g"),
    )


def longer_alt(stretch: Stretch, trained: int, used: int) -> str:
    """The angles for those who cannot see them."""
    return _(
        "Trained on {trained:,} tokens, used on {used:,}. A chart of RoPE’s {n} pairs ({regions}): the largest angles "
        "are {turns} full circles in training and {turns_used} now; {new} pairs meet new angles.",
        trained=trained,
        used=used,
        n=len(stretch.before),
        regions=counted(stretch),
        turns=extent(stretch.turns_trained),
        turns_used=extent(stretch.turns_used),
        new=int(stretch.new.sum()),
    )
