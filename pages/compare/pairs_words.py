"""The words on a Comparison. Every sentence here follows from the numbers that it is given."""

from collections import Counter

from embedviz.base.i18n import N_, _, first_and_more, in_parentheses, joined, ngettext, paragraph, translated
from embedviz.base.numbers import three_digits
from embedviz.positions import SCHEMES
from embedviz.text.variants import reasons, variants
from embedviz.text.visible import quoted
from embedviz.ui.components.cards.cards import Card
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.copies import Copies
from embedviz.vectors.spec import Spec
from pages.compare.steps import about_model

# Some schemes add nothing to the vectors. These texts say what they do instead.
_ACTS = {
    "rotate": N_("It acts inside attention, where it turns queries and keys: see the pages Relative and Attention."),
    "bias": N_("It acts inside attention, where it adds a number to each score: see the pages Relative and Attention."),
    "relative": N_(
        "It acts inside attention, where it puts vectors of the distance into each score: see the pages Relative and "
        "Attention."
    ),
}


def counts(copies: Copies) -> list[Card]:
    """How many tokens of A have an identical copy in B, before positions are added and after, if any are."""
    row = _("A lookup copies the row of an ID, wherever its token stands.")
    first = ngettext(
        "{n} of {of} token vectors of A is in B too, bit for bit",
        "{n} of {of} token vectors of A are in B too, bit for bit",
        copies.n_before,
        of=copies.n_tokens,
    )
    if nothing_added(copies.comparison.a.spec):
        return [Card(first, row, "same")]
    tone = "same" if copies.n_after else "different"
    return [Card(first, row, "same", "before"), Card(_parted(copies), _after(copies), tone, "after")]


def _parted(copies: Copies) -> str:
    """How many vectors the positions part from their copies; if none, how many stay."""
    if parted := copies.n_before - copies.n_after:
        return ngettext(
            "With positions, {n} of {of} vectors of A is no longer in B",
            "With positions, {n} of {of} vectors of A are no longer in B",
            parted,
            of=copies.n_tokens,
        )
    return ngettext(
        "With positions added, {n} of {of} is still in B, bit for bit",
        "With positions added, {n} of {of} are still in B, bit for bit",
        copies.n_after,
        of=copies.n_tokens,
    )


def _after(copies: Copies) -> str:
    said = [_("At another position, a token has another input vector.")]
    if copies.in_place:
        said.append(_stays(copies))
    if copies.n_after > len(copies.in_place):
        said.append(_("{n}: what was added is too small to change a float32.", n=copies.n_after - len(copies.in_place)))
    return paragraph(said)


def _stays(copies: Copies) -> str:
    """Which tokens stay identical, and why."""
    texts = copies.comparison.texts[0]
    named = list(dict.fromkeys(quoted(texts[place]) for place in copies.in_place))
    return ngettext(
        "{tokens} stays identical: same token, same position.",
        "{tokens} stay identical: same token, same position.",
        len(named),
        tokens=first_and_more(named, join=joined),
    )


def findings(copies: Copies) -> list[Card]:
    """How many vectors are the same; and of a scheme that adds nothing, of a real model, of the sentences' averages,
    and of tokens that are not shared.
    """
    c = copies.comparison
    if not c.shared.size:
        return []
    if not c.n_shared:
        return [Card(_("No token of A has the ID of a token of B"), _why_others(c), "note")]
    nothing = [Card(_("Nothing was added"), _why_nothing(c.a.spec))] if nothing_added(c.a.spec) else []
    return [*counts(copies), *nothing, *about_model(c), _means(c), *_notes(c)]


def nothing_added(spec: Spec) -> bool:
    """True if the input vectors are the token vectors."""
    return SCHEMES[spec.position].kind != "add" or spec.position_scale == 0


def _why_nothing(spec: Spec) -> str:
    scheme = SCHEMES[spec.position]
    if not spec.origin.has_positions:
        return paragraph([spec.origin.about_positions(), _("The page Relative shows what that does.")])
    if scheme.kind in _ACTS:
        nothing = _("{scheme} adds nothing to the vectors, so nothing changed.", scheme=translated(scheme.title))
        return paragraph([nothing, translated(_ACTS[scheme.kind])])
    if scheme.kind == "none":
        return _("There are no positions, so nothing changed.")
    return _("The position scale is 0, so nothing changed.")


def _means(c: Comparison) -> Card:
    apart = {"before": three_digits(c.before.mean_difference), "after": three_digits(c.after.mean_difference)}
    if c.ids[0] == c.ids[1]:
        two = _("There is nothing to tell apart: move a token of B.")
        one = _("One token has no order: type more words.")
        return Card(_("The same tokens in the same order"), two if len(c.ids[0]) > 1 else one)
    if not c.is_permutation:
        titles = _("Different tokens, different averages"), _("Same tokens, different counts, one average")
        text = _(
            "The averages of A’s and of B’s vectors differ by up to {before} before positions are added and "
            "{after} after.",
            **apart,
        )
        return Card(titles[bool(c.before.means_agree)], text)
    moral = "" if nothing_added(c.a.spec) else _("Both sentences receive the same set of positions.")
    if c.after.mean_difference:
        apart["after"] = _("{number} (rounding)", number=apart["after"])
    agree = c.before.means_agree and c.after.means_agree
    text = _(
        "Averaged over the sentence, A and B differ by {before} before positions are added and {after} after.", **apart
    )
    title = _("The average still hides the order") if agree else _("The averages differ")
    return Card(title, paragraph([text, moral]))


def _notes(c: Comparison) -> list[Card]:
    if c.is_permutation and not variants(c.a.tokens, c.b.tokens):
        return []
    title = _("One word, two IDs") if c.is_permutation else _("A and B are not made of the same tokens")
    return [Card(title, _why_others(c), "note")]


def _why_others(c: Comparison) -> str:
    """Which tokens the other sentence lacks, and why a word that both have is two tokens."""
    found = variants(c.a.tokens, c.b.tokens)
    sentences = [_only("A", c.only_in_a), _only("B", c.only_in_b), *reasons(found)]
    if not c.a.spec.prefix_space and any(variant.by_space for variant in found):
        sentences.append(
            _("“Add prefix space” (in the settings) gives the first word the ID it has inside a sentence.")
        )
    return paragraph(filter(None, sentences))


def _only(sentence: str, tokens: Counter[tuple[str, int]]) -> str:
    if not tokens:
        return ""
    named = [in_parentheses(quoted(text), id_) + (f" × {n}" if n > 1 else "") for (text, id_), n in tokens.items()]
    return _("Only in {sentence}: {tokens}.", sentence=sentence, tokens=first_and_more(named))
