"""What each step of the tour says, title and words: every sentence follows from the reader's own two sentences."""

import re

from embedviz.attention.two_sentences import Attended
from embedviz.base.i18n import _, joined, ngettext, paragraph
from embedviz.base.numbers import in_print, power_of_ten, three_digits
from embedviz.models import is_name
from embedviz.text.tokens import Tokens, prefixed
from embedviz.text.variants import variants
from embedviz.text.visible import in_words
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.embedding import Embedded
from pages.tour.facts import LATER, MAX_TOKENS, NUMBERS, SHOWN, Facts

MAX_WORDS = 40  # of a step, with its title
_SUM = re.compile(r"(?<=\d) (\w{2,4}|[×−+=≈]) (?=[\d−])")  # what a line should not be broken at


def unbroken(words: str) -> str:
    """The words with spaces that no line breaks at around the signs between two numbers."""
    return _SUM.sub("\u00a0\\1\u00a0", words)


def tokens(facts: Facts) -> tuple[str, str]:
    """Both texts become tokens."""
    c = facts.comparison
    n_a, n_b = (ngettext("{n:,} token", "{n:,} tokens", n) for n in facts.n_tokens)
    texts = [*c.a.tokens.texts, *c.b.tokens.texts]
    n_spaced = sum(text.startswith(" ") for text in texts)
    sentences = [_("{model}'s tokenizer cuts A into {n_a} and B into {n_b}.", model=facts.model, n_a=n_a, n_b=n_b)]
    is_cut = max(facts.n_tokens) > MAX_TOKENS
    if is_cut:
        sentences.append(_("The tour follows the first {most}.", most=MAX_TOKENS))
    sentences += _added(c, is_short=is_cut)
    if n_spaced:
        sentences.append(
            ngettext(
                "␣ is a space: {spaced} of {n:,} token begin with one.",
                "␣ is a space: {spaced} of {n:,} tokens begin with one.",
                len(texts),
                spaced=n_spaced,
            )
        )
    return _("Text becomes tokens"), paragraph(sentences)


def _added(c: Comparison, is_short: bool) -> list[str]:
    got = [name for name, each in (("A", c.a), ("B", c.b)) if _got_a_space(each.tokens, each.spec.prefix_space)]
    if not got:
        return []
    if is_short:
        return [_("We put a space before {sentences}.", sentences=joined(got))]
    return [_("We put a space before {sentences}, as inside a text.", sentences=joined(got))]


def _got_a_space(tokens: Tokens, prefix_space: bool) -> bool:
    """Whether the tokens have a space before the text that the text has not.

    A model's tokenizer may put one there by itself: then the first token of the text, after special ones, has it.
    """
    if not is_name(tokens.tokenizer):
        return prefixed(tokens.text, prefix_space) != tokens.text
    first = next((text for text, (start, end) in zip(tokens.texts, tokens.spans, strict=True) if end > start), "")
    return first.startswith(" ") and not tokens.text[:1].isspace()


def ids(facts: Facts) -> tuple[str, str]:
    """Each token has a number."""
    title = _("Each token has a number")
    n_rows = facts.comparison.a.tokens.vocab_size
    sentences = [_("{model}'s vocabulary has {n_rows:,} tokens, numbered from 0.", model=facts.model, n_rows=n_rows)]
    if facts.first is None:
        return title, sentences[0]
    tokens = facts.first.tokens
    token = in_words(tokens.texts[0])
    sentences.append(_("{token} is always {id}, wherever it appears.", token=token, id=tokens.ids[0]))
    if facts.bare:
        numbers = " ".join(map(str, facts.bare.ids[:4])) + (" …" if len(facts.bare) > 4 else "")
        sentences.append(_("Without its space it would be {numbers}.", numbers=numbers))
    return title, paragraph([*sentences, *_variant(facts.comparison)])


def _variant(c: Comparison) -> list[str]:
    found = variants(c.a.tokens, c.b.tokens)
    if not found:
        return []
    forms = [f"{in_words(text)} ({id_})" for text, id_ in found[0].forms[:2]]
    return [_("Here {one} and {other} are two tokens.", one=forms[0], other=forms[1])]


def table(facts: Facts) -> tuple[str, str]:
    """The layer is a table with a row for each ID."""
    c, title = facts.comparison, _("An embedding layer is a table")
    sizes = {"n_rows": facts.n_rows, "n_dims": c.a.spec.output_dim}
    if facts.is_learned:
        start = _(
            "{model}'s table has {n_rows:,} rows of {n_dims} numbers, one for each ID.", model=facts.model, **sizes
        )
    else:
        start = _("The table has {n_rows:,} rows of {n_dims} random numbers, a row for each ID.", **sizes)
    if facts.first is None:
        return title, start
    picked = ngettext(
        "{name} has {n:,} ID and gets {n:,} row: {n} × {n_dims} numbers.",
        "{name} has {n:,} IDs and gets {n:,} rows: {n} × {n_dims} numbers.",
        len(facts.first.tokens),
        name=facts.first_name,
        n_dims=facts.first.token_embeddings.shape[1],
    )
    return title, paragraph((start, picked, _("Rows are copied; nothing is computed.")))


def same(facts: Facts) -> tuple[str, str]:
    """Tokens with the same ID have the same vector."""
    c, twin = facts.comparison, facts.twin
    if twin is None:
        n_same = int(c.before.same.sum())
        no_pair = ngettext(
            "No token of A has the ID of a token of B, and of {pairs} of token vectors {n:,} is the same.",
            "No token of A has the ID of a token of B, and of {pairs} of token vectors {n:,} are the same.",
            n_same,
            pairs=_pairs(c.shared.size),
        )
        return _("No ID in common"), no_pair if c.shared.size else _nothing(c)
    where = _(
        "{token}, ID {id}, stands {times_a} in A and {times_b} in B: the same row each time.",
        token=in_words(twin.text),
        id=twin.id,
        times_a=_times(len(twin.in_a)),
        times_b=_times(len(twin.in_b)),
    )
    identical = ngettext(
        "Of the {pairs} with the same ID, {n:,} is identical, bit for bit.",
        "Of the {pairs} with the same ID, {n:,} are identical, bit for bit.",
        c.n_same_before,
        pairs=_pairs(c.n_shared),
    )
    title = _("Same ID, same vector") if c.n_same_before == c.n_shared else _("Same ID")
    return title, paragraph([where, identical])


def _nothing(c: Comparison) -> str:
    return _("{empty}: there is nothing to compare. Type a few words.", empty=_empty(c))


def _empty(c: Comparison) -> str:
    empty = [name for name, each in (("A", c.a), ("B", c.b)) if not each.tokens.ids]
    return _("A and B have no tokens") if len(empty) == 2 else _("{sentence} has no tokens", sentence=empty[0])


def order(facts: Facts) -> tuple[str, str]:
    """The rows do not say in which order they were picked."""
    c, title = facts.comparison, _("What the rows do not say")
    if facts.first is None:
        return title, _("{empty}: no rows.", empty=_empty(c))
    end = _("No row says where its token stands.")
    if not c.shared.size:
        alone = ngettext(
            "{empty}. {name} has {n:,} row; shuffled, it would have the same ones.",
            "{empty}. {name} has {n:,} rows; shuffled, it would have the same ones.",
            len(facts.first.tokens),
            empty=_empty(c),
            name=facts.first_name,
        )
        return title, paragraph([alone, end])
    if c.a.tokens.ids == c.b.tokens.ids:
        copied = _("B is A, so its rows are the same, in the same order. Shuffled, they still would be A's.")
        return title, paragraph([copied, end])
    if not c.is_permutation:
        lacking = _(
            "{only_a} of A's rows and {only_b} of B's have no counterpart. Still, shuffling A would not change "
            "its rows.",
            only_a=sum(c.only_in_a.values()),
            only_b=sum(c.only_in_b.values()),
        )
        return title, paragraph([lacking, end])
    moved = _(
        "B has the same {n} rows as A in another order, so their averages match (largest difference {mean}).",
        n=len(c.a.tokens),
        mean=_number(c.before.mean_difference),
    )
    return title, paragraph([moved, end])


def positions(facts: Facts) -> tuple[str, str]:
    """A second table has a row for each position."""
    spec = facts.comparison.a.spec
    n_a, n_b = len(facts.comparison.a.tokens), len(facts.comparison.b.tokens)
    if n_a == n_b:
        used = _("A and B use {rows}.", rows=_rows(n_a))
    else:
        used = _("A uses {rows_a}, B {rows_b}.", rows_a=_rows(n_a), rows_b=_rows(n_b))
    return _("A second table, for positions"), _(
        "{n_rows:,} rows of {n_dims} numbers: row 0 for the first token, whichever it is, and so on. {whose} {used}",
        n_rows=spec.context_length,
        n_dims=spec.output_dim,
        whose=_whose(facts),
        used=used,
    )


def _whose(facts: Facts) -> str:
    if facts.is_learned:
        return _("{model} has learned them.", model=facts.model)
    return _("GPT-2 has learned them; these are random.")


def _rows(n: int) -> str:
    return {0: _("no row"), 1: _("row 0")}.get(n) or _("rows 0 to {last}", last=n - 1)


def sum_(facts: Facts) -> tuple[str, str]:
    """Token plus position, with numbers."""
    title = _("Token plus position")
    start = _("Input embedding = token embedding + positional embedding, number by number.")
    if not facts.summed:
        return title, start
    name, at = facts.summed[0]
    text = in_words(facts.sentences[name].tokens.texts[at])
    places = {k: facts.sentences[name] for name, k in facts.summed}  # by position: copies at one position are alike
    quoted = list(places.items())[:2]
    n = next((n for n in range(NUMBERS) if all(_adds(each, k, n, facts.decimals) for k, each in quoted)), 0)
    sums = "; ".join(_example(each, k, n, facts.decimals) for k, each in quoted)
    number = (
        _("The first number of {token}: {sums}.", token=text, sums=sums),
        _("The second number of {token}: {sums}.", token=text, sums=sums),
        _("The third number of {token}: {sums}.", token=text, sums=sums),
        _("The fourth number of {token}: {sums}.", token=text, sums=sums),
    )
    return title, f"{start} {number[n]}"


def _rounded(embedded: Embedded, k: int, at: int, decimals: int) -> list[float]:
    """One number of a token, of its position and of their sum, as the picture shows them."""
    parts = (embedded.token_embeddings, embedded.positional_embeddings, embedded.input_embeddings)
    return [float(f"{part[k, at]:.{decimals}f}") for part in parts]


def _adds(embedded: Embedded, k: int, at: int, decimals: int) -> bool:
    token, place, total = _rounded(embedded, k, at, decimals)
    return abs(token + place - total) < 0.1**decimals / 10


def _example(embedded: Embedded, k: int, at: int, decimals: int) -> str:
    token, place, total = _rounded(embedded, k, at, decimals)
    form = f".{decimals}f"
    sign, equals = "−" if place < 0 else "+", "=" if _adds(embedded, k, at, decimals) else "≈"
    return _(
        "at position {position} it is {sum}",
        position=k,
        sum=f"{in_print(token, form)} {sign} {in_print(abs(place), form)} {equals} {in_print(total, form)}",
    )


def after(facts: Facts) -> tuple[str, str]:
    """How many pairs are still the same once positions are added."""
    c = facts.comparison
    if not c.n_shared:
        n_same = int(c.after.same.sum())
        no_pair = ngettext(
            "No token of A has the ID of a token of B, and of {pairs} of input vectors {n:,} is the same.",
            "No token of A has the ID of a token of B, and of {pairs} of input vectors {n:,} are the same.",
            n_same,
            pairs=_pairs(c.shared.size),
        )
        return _("The same picture after"), no_pair if c.shared.size else _nothing(c)
    sentences = [_kept(c)]
    if c.closest_after is not None:
        sentences.extend((_closest(c), *_yardstick(c)))
    if c.is_permutation and c.after.means_agree:
        sentences.append(_("The average still hides the order."))
    return _("{kept:,} of {total:,} still the same", kept=c.n_same_after, total=c.n_shared), paragraph(sentences)


def _kept(c: Comparison) -> str:
    of = ngettext("Of {n:,} identical pair", "Of {n:,} identical pairs", c.n_same_before)
    if c.n_same_after and c.n_same_after == c.n_same_after_at_same_position:
        return ngettext(
            "{of_pairs} {n:,} stays identical: same token, same position.",
            "{of_pairs} {n:,} stay identical: same token, same position.",
            c.n_same_after,
            of_pairs=of,
        )
    return ngettext(
        "{of_pairs} {n:,} stays identical.", "{of_pairs} {n:,} stay identical.", c.n_same_after, of_pairs=of
    )


def _closest(c: Comparison) -> str:
    others, distance = c.n_same_before - c.n_same_after, _number(c.closest_after)
    if c.n_same_after:
        return ngettext(
            "The closest of the others is {distance} apart.",
            "The closest of the others are {distance} apart.",
            others,
            distance=distance,
        )
    return ngettext("The closest is {distance} apart.", "The closest are {distance} apart.", others, distance=distance)


def _yardstick(c: Comparison) -> list[str]:
    """How far tokens of different IDs are apart once positions are added."""
    unrelated = c.unrelated
    return [_("Unrelated tokens: {distance}.", distance=_number(unrelated.after))] if unrelated else []


def map_(facts: Facts) -> tuple[str, str]:
    """Adding is a shift, seen in two dimensions."""
    title = _("Adding is a shift")
    if facts.first is None:
        return title, _("{empty}: no points.", empty=_empty(facts.comparison))
    if facts.comparison.shared.size:
        arrows = _("Each arrow adds a position to a token; that of position 0 is the same in A and in B.")
    else:
        arrows = _("Each arrow adds a position to a token; that of position 0 is the same.")
    axes = _(
        "A flat map shows only {share:.0%} of the variance: trust distances in all {n_dims} dimensions.",
        share=float(facts.scene.explained.sum()),
        n_dims=facts.comparison.a.spec.output_dim,
    )
    return title, paragraph([arrows, axes])


def attention(facts: Facts) -> tuple[str, str]:
    """What attention makes of it, with a mask and without."""
    found, c = facts.attended, facts.shown
    if found is None:
        title = _("What attention makes of it")
        if not c.shared.size:
            return title, _("{empty}: nothing to compare.", empty=_empty(c))
        return title, _("No token of A has the ID of a token of B{first}.", first=_first(facts))
    n = found.plain.n_shared
    leaks = found.masked.n_same < found.plain.n_same == n
    alone = ngettext(
        "Attention without positions or mask{first}: {same} of {n} pair with the same ID get the same output.",
        "Attention without positions or mask{first}: {same} of {n} pairs with the same ID get the same output.",
        n,
        first=_first(facts),
        same=found.plain.n_same,
    )
    others = _(
        "Causal mask alone: {masked}. Positions alone: {chosen}.",
        masked=_share(found.masked),
        chosen=_share(found.chosen),
    )
    return _("A mask lets order in") if leaks else _("What attention makes of it"), paragraph([alone, others])


def _first(facts: Facts) -> str:
    return " " + _("(first {n} tokens)", n=SHOWN) if max(facts.n_tokens) > SHOWN else ""


def _share(attended: Attended) -> str:
    return _("{n} of {total}", n=attended.n_same, total=attended.n_shared)


def distance(facts: Facts) -> tuple[str, str]:
    """What a position changes in the scores, and what a distance does."""
    title = _("Absolute and relative")
    if facts.sentence is None:
        return title, _("{empty}: no scores.", empty=_empty(facts.comparison))
    return title, _(
        "Move {name}{first} {later} tokens later: learned positions change its attention scores by up to {learned}, "
        "RoPE by up to {rope}{rounding}. RoPE rotates queries and keys, so only distance counts.",
        name=facts.first_name,
        first=_first(facts),
        later=LATER,
        learned=_number(facts.learned.change),
        rope=_number(facts.rope.change),
        rounding=" " + _("(rounding)") if facts.rope.stays and facts.rope.change else "",
    )


def batch(facts: Facts) -> tuple[str, str]:
    """A batch shares its positions."""
    batch = facts.batch
    if batch is None:
        return _("A batch"), _("{empty}: no batch.", empty=_empty(facts.comparison))
    n, length, dims = batch.token_embeddings.shape
    cut = length < max(len(each.tokens) for each in (facts.comparison.a, facts.comparison.b))
    which = batch.names
    if cut:
        which = ngettext("The first token of {names}", "The first {n} tokens of {names}", length, names=batch.names)
    return _("A batch shares its positions"), _(
        "{which} as a batch: {n} × {length} IDs become {n} × {length} × {n_dims} numbers. The positional embeddings "
        "stay {length} × {n_dims}: the same for each sentence.",
        which=which,
        n=n,
        length=length,
        n_dims=dims,
    )


def training(facts: Facts) -> tuple[str, str]:
    """Training moves the vectors."""
    run, words = facts.run, facts.words
    return _("Training moves the vectors"), _(
        "A small GPT learned to predict the next word: in {n_steps} steps its loss fell from {loss_before:.2f} to "
        "{loss_after:.2f}. Words whose nearest neighbour is the same kind of word: {before} of {total} before, "
        "{after} after.",
        loss_before=run.held_out[0],
        loss_after=run.held_out[-1],
        n_steps=run.steps[-1],
        before=words.same_class[0],
        after=words.same_class[-1],
        total=words.counted,
    )


def _pairs(n: int) -> str:
    return ngettext("{n:,} pair", "{n:,} pairs", n)


def _times(n: int) -> str:
    return {1: _("once"), 2: _("twice")}.get(n) or ngettext("{n} time", "{n} times", n)


def _number(value: float) -> str:
    """Write a number with three digits, and a very small one with a power of ten."""
    if not 0 < abs(value) < 1e-4:
        return three_digits(value)
    digits, power = f"{value:.0e}".split("e")
    return f"{digits}·{power_of_ten(int(power))}"
