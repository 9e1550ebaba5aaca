"""What each step of the tour says, title and words: every sentence follows from the reader's own two sentences."""

import re

from embedviz.base.i18n import _, joined, ngettext, paragraph, series, some
from embedviz.base.numbers import three_digits
from embedviz.text.visible import has_spaces, in_words
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.copies import Copies
from embedviz.vectors.embedding import Embedded
from pages.tour.facts import MAX_TOKENS, SHOWN, Facts
from pages.tour.sums import example, number_told, sums_told

_SUM = re.compile(r"(?<=\d) (\w{2,4}|[×−+=≈]) (?=[\d−])")  # what a line should not be broken at


def unbroken(words: str) -> str:
    """The words with spaces that no line breaks at around the signs between two numbers."""
    return _SUM.sub("\u00a0\\1\u00a0", words)


def question(facts: Facts) -> tuple[str, str]:
    """The question of the tour."""
    goal = _("A language model, a program that goes on with a text, sees numbers. Where is the order in them?")
    return _("Where does word order enter?"), paragraph([_what_they_share(facts.comparison), goal])


def _what_they_share(c: Comparison) -> str:
    if not c.shared.size:
        return _("Type the same words into A and B, in another order.")
    if c.ids[0] == c.ids[1]:
        return _("A and B are the same text. In another order, its words may say something else.")
    if not c.is_permutation:
        return _("A and B have different words; the tour is about the same ones in another order.")
    if has_spaces(c.a.tokens.text):
        return _("A and B have the same words in another order.")
    return _("A and B have the same characters in another order.")


def tokens(facts: Facts) -> tuple[str, str]:
    """Both texts become tokens, each of which has a number."""
    c, title = facts.comparison, _("A model reads tokens")
    n_a, n_b = (ngettext("{n:,} token", "{n:,} tokens", n) for n in facts.n_tokens)
    said = [_("A token is a word or another piece of text, with a number, its ID.")]
    if not c.shared.size:
        return title, paragraph([*said, _without_copies(c)[1]])
    said.append(_("{model}'s tokenizer makes {n_a} of A and {n_b} of B.", model=facts.model, n_a=n_a, n_b=n_b))
    texts, is_part = ([*getattr(c.a.tokens, name), *getattr(c.b.tokens, name)] for name in ("texts", "partial"))
    if max(facts.n_tokens) > MAX_TOKENS:
        said.append(_("The tour follows the first {most}.", most=MAX_TOKENS))
    elif any(is_part):
        said.append(_("{token} is only a part of a character.", token=in_words(texts[is_part.index(True)])))
    elif any(map(_got_a_space, (c.a, c.b))):
        said.append(_("␣ is a space, which the first word gets, too."))
    return title, paragraph(said)


def _got_a_space(embedded: Embedded) -> bool:
    """Whether the first token has a space before the text that the text has not."""
    tokens = embedded.tokens
    return bool(tokens.ids) and tokens.texts[0].startswith(" ") and not tokens.text[:1].isspace()


def table(facts: Facts) -> tuple[str, str]:
    """The layer is a table with a row for each ID."""
    sizes = {"n_rows": facts.n_rows, "n_dims": facts.spec.output_dim}
    if facts.layout:
        start = _("{model} has a table: {n_rows:,} rows of {n_dims} numbers.", model=facts.model, **sizes)
    else:
        start = _("A model has a table: {n_rows:,} rows of {n_dims} numbers, random as before training.", **sizes)
    end = _("An ID picks a row, the token's vector, which is copied and not computed.")
    return _("Each ID picks a row of numbers"), paragraph([start, end])


def same(facts: Facts) -> tuple[str, str]:
    """Tokens with the same ID have the same vector, and none of them says where it stands."""
    c, copies = facts.comparison, facts.copies
    if not copies.pairs:
        return _without_copies(c)
    if copies.n_before == copies.n_tokens:
        said = [_("Each token of A is in B, too, with the same row, bit for bit.")]
    else:
        said = [_("A token that is in B, too, has the same row there, bit for bit; the others are in A alone.")]
    if c.is_permutation and c.ids[0] != c.ids[1]:
        said.append(_("Even the averages of all rows are the same."))
    return _identical(copies.n_before, copies.n_tokens), paragraph([*said, _("No row says where its token stands.")])


def _identical(n: int, of: int) -> str:
    return ngettext("{n} of {of} has an identical copy", "{n} of {of} have an identical copy", n, of=of)


def _without_copies(c: Comparison) -> tuple[str, str]:
    if c.shared.size:
        return _("No copies"), _("No token of A has the ID of a token of B, so there are no copies to compare.")
    empty = [name for name, each in (("A", c.a), ("B", c.b)) if not each.tokens.ids]
    who = _("A and B have no tokens") if len(empty) == 2 else _("{sentence} has no tokens", sentence=empty[0])
    return _("No copies"), _("{empty}: there is nothing to compare. Type a few words.", empty=who)


def positions(facts: Facts) -> tuple[str, str]:
    """A second table has a row for each position."""
    n_a, n_b = len(facts.comparison.a.tokens), len(facts.comparison.b.tokens)
    if n_a == n_b:
        used = _("A and B use {rows}.", rows=_rows(n_a))
    else:
        used = _("A uses {rows_a}, B {rows_b}.", rows_a=_rows(n_a), rows_b=_rows(n_b))
    return _("A second table, for positions"), _(
        "It has {n_rows:,} rows of {n_dims} numbers, {origin}: row 0 for the first token, whichever it is. {used}",
        n_rows=facts.spec.context_length,
        n_dims=facts.spec.output_dim,
        origin=_("as {model} has learned them", model=facts.model) if facts.layout else _("random here"),
        used=used,
    )


def _rows(n: int) -> str:
    return {0: _("no row"), 1: _("row 0")}.get(n) or _("rows 0 to {last}", last=n - 1)


def sum_(facts: Facts) -> tuple[str, str]:
    """Token plus position, with numbers."""
    title = _("Token plus position")
    start = _("Input vector = token vector + positional vector.")
    if not facts.summed:
        return title, start
    name, at = facts.summed[0]
    text = in_words(facts.sentences[name].tokens.texts[at])
    n = number_told(facts)
    sums = series(example(each, k, n, facts.decimals) for k, each in sums_told(facts))
    number = (
        _("The first number of {token}: {sums}.", token=text, sums=sums),
        _("The second number of {token}: {sums}.", token=text, sums=sums),
        _("The third number of {token}: {sums}.", token=text, sums=sums),
    )
    return title, paragraph([start, number[n]])


def after(facts: Facts) -> tuple[str, str]:
    """How many copies are still the same once positions are added."""
    c, copies = facts.comparison, facts.copies
    if not copies.pairs:
        return _without_copies(c)
    said = [_stays(copies)] if copies.in_place else []
    if copies.n_after < copies.n_before:
        said.append(_("Order has entered: at another position a token is another vector."))
    if c.closest_after is not None:
        said.append(_("Closest copies: {distance} apart.", distance=three_digits(c.closest_after)))
        if c.unrelated:
            said.append(_("Unrelated tokens: {distance}.", distance=three_digits(c.unrelated.after)))
    if c.is_permutation and c.after.means_agree and c.ids[0] != c.ids[1]:
        said.append(_("The average still hides the order."))
    return _identical(copies.n_after, copies.n_tokens), paragraph(said)


def _stays(copies: Copies) -> str:
    """Copies at the same position, which are counted apart."""
    if len(copies.in_place) == copies.n_tokens:
        return _("Each token of A stands at the same position in B, so it stays identical.")
    named = list(dict.fromkeys(in_words(copies.comparison.texts[0][place]) for place in copies.in_place))
    return ngettext(
        "{tokens} stays identical: same token, same position.",
        "{tokens} stay identical: same token, same position.",
        len(named),
        tokens=some(named, 3, joined),
    )


def attention(facts: Facts) -> tuple[str, str]:
    """What attention makes of copies without positions, and with them."""
    found, c = facts.attended, facts.shown
    if found is None:
        return _without_copies(facts.comparison)
    plain, chosen, of = found.plain.n_copied, found.chosen.n_copied, len(c.a.tokens)
    counts = _(
        "Equal outputs for {both}: {plain} of {of} without positions, {chosen} with them.",
        plain=plain,
        of=of,
        chosen=chosen,
        both=_both(facts),
    )
    if c.is_permutation:
        why = _("Each token gathers from the same ones, and attention alone doesn't see their order.")
    else:
        why = _("In A a token gathers from other tokens than in B, so what it gathers differs, too.")
    is_blind = c.is_permutation and c.ids[0] != c.ids[1]
    title = _("Attention alone is blind to order") if is_blind else _("What attention makes of it")
    return title, paragraph([why, counts])


def mask(facts: Facts) -> tuple[str, str]:
    """What a causal mask tells of order."""
    found, c = facts.attended, facts.shown
    if found is None:
        return _without_copies(facts.comparison)
    plain, masked, of = found.plain.n_copied, found.masked.n_copied, len(c.a.tokens)
    counts = _("Equal outputs for {both}: {n} of {of}.", n=masked, of=of, both=_both(facts))
    why = _("A mask tells each token which tokens came before it, though one layer doesn't learn in what order.")
    return _("A mask brings order in, too") if masked < plain else _("What a mask changes"), paragraph([counts, why])


def _both(facts: Facts) -> str:
    return _("A and B (first {n} tokens)", n=SHOWN) if max(facts.n_tokens) > SHOWN else _("A and B")


def next_word(facts: Facts) -> tuple[str, str]:
    """What order is for, and what was seen on the way here."""
    answered, copies = facts.answered, facts.copies
    on, off = (answered.words(each) for each in (answered.on, answered.off))
    counts = {"before": copies.n_before, "n": copies.n_tokens, "after": copies.n_after}
    learned = _("In your sentences {before} of {n} had an identical copy; after adding positions, {after}.", **counts)
    used = _(
        "A small GPT needs this: with positions it says “{one}” and “{other}”, without them “{third}” and “{fourth}”.",
        one=on[0],
        other=on[1],
        third=off[0],
        fourth=off[1],
    )
    return _("Order entered, order was used"), paragraph([learned if copies.pairs else "", used])
