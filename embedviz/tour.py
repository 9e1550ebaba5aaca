"""The tour from text to input embeddings, in words: every sentence follows from the reader's own two sentences."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from embedviz.attending import Attended
from embedviz.comparison import Comparison
from embedviz.embedding import Embedded
from embedviz.figures.labels import in_words
from embedviz.tour_facts import LATER, MAX_TOKENS, NUMBERS, SHOWN, Facts
from embedviz.variants import variants
from embedviz.wording import counted, power_of_ten

MAX_WORDS = 40
_SUM = re.compile(r"(?<=\d) (of|[×−+=≈]) (?=[\d−])")  # what a line should not be broken at
_NO_PAIR = "No token of A has the ID of a token of B"


@dataclass(frozen=True)
class Step:
    """One idea: what it is called in the list of steps, its title, and at most MAX_WORDS words with the title."""

    name: str
    title: str
    words: str


def _tokens(facts: Facts) -> tuple[str, str]:
    c = facts.comparison
    n_a, n_b = (counted(n, "token") for n in facts.n_tokens)
    texts = [*c.a.tokens.texts, *c.b.tokens.texts]
    n_spaced = sum(text.startswith(" ") for text in texts)
    cut = f" The tour follows the first {MAX_TOKENS}." if max(facts.n_tokens) > MAX_TOKENS else ""
    spaced = f" ␣ is a space: {n_spaced} of {counted(len(texts), 'token')} begin with one." if n_spaced else ""
    return "Text becomes tokens", f"GPT-2's tokenizer cuts A into {n_a} and B into {n_b}.{cut}{_added(c)}{spaced}"


def _added(c: Comparison) -> str:
    got = [name for name, each in (("A", c.a), ("B", c.b)) if each.tokens.text and not each.tokens.text[0].isspace()]
    return f" We put a space before {' and '.join(got)}." if got else ""


def _ids(facts: Facts) -> tuple[str, str]:
    title = "Each token has a number"
    start = f"GPT-2's vocabulary has {facts.comparison.a.tokens.vocab_size:,} tokens, numbered from 0."
    if facts.first is None:
        return title, start
    tokens = facts.first.tokens
    own = f" {in_words(tokens.texts[0])} is {tokens.ids[0]}, wherever it stands."
    bare = ""
    if facts.bare:
        numbers = " ".join(map(str, facts.bare.ids[:4])) + (" …" if len(facts.bare) > 4 else "")
        bare = f" Without its space it would be {numbers}."
    return title, start + own + bare + _variant(facts.comparison)


def _variant(c: Comparison) -> str:
    found = variants(c.a.tokens, c.b.tokens)
    if not found:
        return ""
    (one, one_id), (two, two_id), *_ = found[0].forms
    return f" Here {in_words(one)} ({one_id}) and {in_words(two)} ({two_id}) are two tokens."


def _table(facts: Facts) -> tuple[str, str]:
    c = facts.comparison
    start = f"The table has {c.a.tokens.vocab_size:,} rows of {c.a.spec.output_dim} random numbers, a row for each ID."
    if facts.first is None:
        return "An embedding layer is a table", start
    n, dims = len(facts.first.tokens), facts.first.token_embeddings.shape[1]
    picked = f" {facts.first_name} has {counted(n, 'ID')} and gets {counted(n, 'row')}: {n} × {dims} numbers."
    return "An embedding layer is a table", f"{start}{picked} Rows are copied; nothing is computed."


def _same(facts: Facts) -> tuple[str, str]:
    c, twin = facts.comparison, facts.twin
    if twin is None:
        return "No ID in common", _none_shared(c, int(c.before.same.sum()), "token vectors")
    words = (
        f"{in_words(twin.text)}, ID {twin.id}, stands {_times(len(twin.in_a))} in A and {_times(len(twin.in_b))} in B: "
        f"the same row each time. Of {counted(c.n_shared, 'pair')} with one ID, {c.n_same_before:,} "
        f"{_are(c.n_same_before)} identical in every bit."
    )
    return "Same ID, same vector" if c.n_same_before == c.n_shared else "Same ID", words


def _none_shared(c: Comparison, n_same: int, what: str) -> str:
    if not c.shared.size:
        return f"{_empty(c)}: there is nothing to compare. Type a few words."
    return f"{_NO_PAIR}, and of {counted(c.shared.size, 'pair')} of {what} {n_same:,} {_are(n_same)} the same."


def _empty(c: Comparison) -> str:
    empty = [name for name, each in (("A", c.a), ("B", c.b)) if not each.tokens.ids]
    return "A and B are empty" if len(empty) == 2 else f"{empty[0]} is empty"


def _order(facts: Facts) -> tuple[str, str]:
    c, title = facts.comparison, "What the rows do not say"
    if facts.first is None:
        return title, f"{_empty(c)}: no rows."
    end = "No row says where it stands."
    if not c.shared.size:
        n = counted(len(facts.first.tokens), "row")
        return title, f"{_empty(c)}. {facts.first_name} has {n}; shuffled, it would have the same ones. {end}"
    if c.a.tokens.ids == c.b.tokens.ids:
        return title, f"B is A, so its rows are the same, in the same order. Shuffled, they still would be A's. {end}"
    if not c.is_permutation:
        only_a, only_b = sum(c.only_in_a.values()), sum(c.only_in_b.values())
        return (
            title,
            f"{only_a} of A's rows and {only_b} of B's lack a partner. Yet, shuffled, A would keep its rows. {end}",
        )
    n, mean = len(c.a.tokens), _number(c.before.mean_difference)
    return title, f"B has A's {n} rows in another order, so they have one mean (largest difference {mean}). {end}"


def _positions(facts: Facts) -> tuple[str, str]:
    spec = facts.comparison.a.spec
    n_a, n_b = len(facts.comparison.a.tokens), len(facts.comparison.b.tokens)
    used = f"A and B use {_rows(n_a)}" if n_a == n_b else f"A uses {_rows(n_a)}, B {_rows(n_b)}"
    return "A second table, for positions", (
        f"{spec.context_length:,} rows of {spec.output_dim} numbers: row 0 for the first token, whichever it is, and "
        f"so on. GPT-2 has learned them; these are random. {used}."
    )


def _rows(n: int) -> str:
    return {0: "no row", 1: "row 0"}.get(n, f"rows 0 to {n - 1}")


def _sum(facts: Facts) -> tuple[str, str]:
    title = "Token plus position"
    start = "Input embedding = token embedding + positional embedding, number by number."
    if not facts.summed:
        return title, start
    name, at = facts.summed[0]
    text = in_words(facts.sentences[name].tokens.texts[at])
    places = {k: facts.sentences[name] for name, k in facts.summed}  # by position: copies at one position are alike
    quoted = list(places.items())[:2]
    n = next((n for n in range(NUMBERS) if all(_adds(each, k, n) for k, each in quoted)), 0)
    sums = "; ".join(_example(each, k, n) for k, each in quoted)
    return title, f"{start} The {_ORDINALS[n]} number of {text}: {sums}."


_ORDINALS = ("first", "second", "third", "fourth")


def _rounded(embedded: Embedded, k: int, at: int) -> list[float]:
    """One number of a token, of its position and of their sum, as the picture shows them."""
    parts = (embedded.token_embeddings, embedded.positional_embeddings, embedded.input_embeddings)
    return [float(f"{part[k, at]:.2f}") for part in parts]


def _adds(embedded: Embedded, k: int, at: int) -> bool:
    token, place, total = _rounded(embedded, k, at)
    return abs(token + place - total) < 0.001


def _example(embedded: Embedded, k: int, at: int) -> str:
    token, place, total = _rounded(embedded, k, at)
    sign, equals = "−" if place < 0 else "+", "=" if _adds(embedded, k, at) else "≈"
    return f"at {k} it is {_fixed(token)} {sign} {_fixed(abs(place))} {equals} {_fixed(total)}"


def _after(facts: Facts) -> tuple[str, str]:
    c = facts.comparison
    if not c.n_shared:
        return "The same picture after", _none_shared(c, int(c.after.same.sum()), "input vectors")
    kept, n = c.n_same_after, c.n_same_before
    words = f"Of {n:,} identical {_pairs(n)} {kept:,} {'stays' if kept == 1 else 'stay'} identical"
    words += ": same token, same position." if kept and kept == c.n_same_after_at_same_position else "."
    if c.closest_after is not None:
        which = "The closest of the others" if kept else "The closest"
        words += f" {which} {'is' if n - kept == 1 else 'are'} {_number(c.closest_after)} apart."
    if c.is_permutation and c.after.means_agree:
        words += " The means of A and B still agree: in sum, both got the same positions."
    return f"{kept:,} of {c.n_shared:,} still the same", words


def _map(facts: Facts) -> tuple[str, str]:
    if facts.first is None:
        return "Adding is a shift", f"{_empty(facts.comparison)}: no points."
    share = float(facts.scene.explained.sum())
    both = " in A and in B" if facts.comparison.shared.size else ""
    return "Adding is a shift", (
        f"Each arrow adds a position to a token; the arrow of position 0 is the same{both}. These two axes carry "
        f"{share:.0%} of the variance: trust distances in all {facts.comparison.a.spec.output_dim} dimensions."
    )


def _attention(facts: Facts) -> tuple[str, str]:
    found, c = facts.attended, facts.shown
    if found is None:
        title = "What attention makes of it"
        return title, f"{_empty(c)}: nothing to compare." if not c.shared.size else f"{_NO_PAIR}{_first(facts)}."
    n = found.plain.n_shared
    leaks = found.masked.n_same < found.plain.n_same == n
    return "A mask lets order in" if leaks else "What attention makes of it", (
        f"Attention over token vectors alone{_first(facts)}: {_share(found.plain)} {_pairs(n)} with one ID get one "
        f"output. With a causal mask, no positions: {_share(found.masked)}. With positions, no mask: "
        f"{_share(found.chosen)}."
    )


def _first(facts: Facts) -> str:
    return f" (first {SHOWN} tokens)" if max(facts.n_tokens) > SHOWN else ""


def _share(found: Attended) -> str:
    return f"{found.n_same} of {found.n_shared}"


def _distance(facts: Facts) -> tuple[str, str]:
    if facts.sentence is None:
        return "Absolute and relative", f"{_empty(facts.comparison)}: no scores."
    learned, rope = (f"by up to {_number(each.change)}" for each in (facts.learned, facts.rope))
    rounding = " (rounding)" if facts.rope.stays and facts.rope.change else ""
    return "Absolute and relative", (
        f"Put {facts.first_name}{_first(facts)} {LATER} tokens later. With learned positions its attention scores "
        f"change {learned}; with RoPE {rope}{rounding}. RoPE turns queries and keys, so that only distance counts."
    )


def _batch(facts: Facts) -> tuple[str, str]:
    batch = facts.batch
    if batch is None:
        return "A batch", f"{_empty(facts.comparison)}: no batch."
    n, length, dims = batch.token_embeddings.shape
    cut = length < max(len(each.tokens) for each in (facts.comparison.a, facts.comparison.b))
    first = "The first token" if length == 1 else f"The first {length} tokens"
    which = f"{first} of {batch.names}" if cut else batch.names
    return "A batch shares its positions", (
        f"{which} as a batch: {n} × {length} IDs become {n} × {length} × {dims} numbers. The positional embeddings "
        f"stay {length} × {dims}: the same for each sentence."
    )


def _training(facts: Facts) -> tuple[str, str]:
    run, words = facts.run, facts.words
    return "Training moves the vectors", (
        f"A small GPT learned to name the next word. Loss: {run.held_out[0]:.2f} before, {run.held_out[-1]:.2f} after "
        f"{run.steps[-1]} steps. Words whose nearest neighbour is of their class: {words.same_class[0]} before, "
        f"{words.same_class[-1]} after, of {words.counted}."
    )


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _pairs(n: int) -> str:
    return "pair" if n == 1 else "pairs"


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n} times")


def _number(value: float) -> str:
    """Three digits; what is very small with a power of ten."""
    if not 0 < abs(value) < 1e-4:
        return "0" if value == 0 else f"{value:.3g}"
    digits, power = f"{value:.0e}".split("e")
    return f"{digits}·{power_of_ten(int(power))}"


def _fixed(value: float) -> str:
    return f"{value + 0.0:.2f}".replace("-", "−")  # −0.00 is 0.00


_STEPS: dict[str, Callable[[Facts], tuple[str, str]]] = {
    "Tokens": _tokens,
    "IDs": _ids,
    "Table": _table,
    "Same ID": _same,
    "Order": _order,
    "Positions": _positions,
    "Sum": _sum,
    "After": _after,
    "Map": _map,
    "Attention": _attention,
    "Distance": _distance,
    "Batch": _batch,
    "Training": _training,
}
NAMES = tuple(_STEPS)


def step(name: str, facts: Facts) -> Step:
    """The step of this name; only what it needs is computed."""
    title, words = _STEPS[name](facts)
    return Step(name, title, _SUM.sub("\u00a0\\1\u00a0", words))
