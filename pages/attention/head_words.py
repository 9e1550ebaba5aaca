"""What the page "Attention" says of a trained head: every sentence here follows from the numbers it is given."""

from embedviz.base.i18n import _, paragraph, translated
from embedviz.base.numbers import in_print
from embedviz.layers import looks
from embedviz.layers.heads import NAMES, NEIGHBOURS, Heads
from embedviz.layers.looks import MOSTLY, Picked
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.readers import Both, Reader, made_relative


def about_head(of: Reader, both: Both, picked: Picked, known: Heads | None, *, is_on: bool) -> list[Card]:
    """Cards: where the head looks now, and, once positions are on, what it is."""
    now = _now(of, both, picked, is_on=is_on)
    if not is_on:
        return [now]
    return [now, *(_sink(both, picked) if picked.n_sinks else _named(of, picked, known))]


def _now(of: Reader, both: Both, picked: Picked, *, is_on: bool) -> Card:
    """The mean weight in the framed cells of the picture."""
    said = {
        "share": in_print(float(looks.shares(both.attentions, picked.place)[picked.layer, picked.head])),
        "place": _place(both, picked),
    }
    title = (
        _("Positions on: {share} of its weight is on {place}", **said)
        if is_on
        else _("Positions off: {share} of its weight is on {place}", **said)
    )
    alike = [looks.even(len(each.tokens), is_causal=not of.is_encoder) for each in (both.a, both.b)]
    text = _(
        "The mean over the framed cells of A and B. A head that sees all tokens alike gives {even}.",
        even=in_print(float(looks.shares(alike, picked.place)[0, 0])),
    )
    return Card(title, text, "different" if is_on else "plain")


def _place(both: Both, picked: Picked) -> str:
    return looks.special(both.a.tokens, picked.place) or translated(looks.PLACES[picked.place])


def _sink(both: Both, picked: Picked) -> list[Card]:
    """What a sink is, and how many heads have it."""
    place, n_heads = _place(both, picked), both.a.attentions.shape[1]
    what = _(
        "The weights of a token must sum to 1, even if a head finds nothing to look for. Trained models then put "
        "them on a token that says nothing of the others, which is called a sink; here layer {layer}, head {head} "
        "does so.",
        layer=picked.layer + 1,
        head=picked.head + 1,
    )
    many = _("{n} of {total} heads: most of their weight on {place}", n=picked.n_sinks,
             total=len(both.a.attentions) * n_heads, place=place)  # fmt: skip
    kept = _(
        "That is more than half of their weight, in A and B with positions as trained. StreamingLLM (2023) keeps "
        "such tokens in view of a sliding window, and gpt-oss (2025) has learned a sink that is no token."
    )
    return [Card(_("{place} is a sink", place=place), what), Card(many, kept)]


def _named(of: Reader, picked: Picked, known: Heads | None) -> list[Card]:
    """What a real model's head is called, if it looks at one place on any text, and what it has made of the table."""
    name = known.name(picked.layer, picked.head) if known else None
    if not name:
        return []
    place = next(place for place, called in NAMES.items() if called == name)
    weights = {run: in_print(float(each[picked.layer, picked.head, place])) for run, each in known.weights.items()}
    said = (
        _("It looks there in a text ({text}), among random tokens ({random}) and with all positions shifted "
          "({shifted}), but not with positions off ({off}).", **weights)
        if known.weights.get("off", known.least)[picked.layer, picked.head, place] <= MOSTLY
        else _("It looks there in a text ({text}) and among random tokens ({random}).", **weights)
    )  # fmt: skip
    title = _("Layer {layer}, head {head}: {name}", layer=picked.layer + 1, head=picked.head + 1, name=translated(name))
    is_relative = of.scheme == "learned" and place in NEIGHBOURS
    return [Card(title, said), *([made_relative(picked.layer, picked.head)] if is_relative else [])]


def head_in_words(both: Both, picked: Picked, now: Card) -> str:
    """The text alternative of the two matrices: it says what the first card says."""
    n_a, n_b = (each.shape[-1] for each in both.attentions)
    what = _(
        "Attention weights of layer {layer}, head {head}: {n_a} by {n_a} for sentence A, {n_b} by {n_b} for B.",
        layer=picked.layer + 1,
        head=picked.head + 1,
        n_a=n_a,
        n_b=n_b,
    )
    return paragraph([what, f"{now.title}."])
