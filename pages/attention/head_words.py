"""What the page "Attention" says of a trained head: every sentence here follows from the numbers it is given."""

import numpy as np

from embedviz.base.i18n import N_, _, full_stop, listed, paragraph, translated
from embedviz.base.numbers import in_print
from embedviz.layers import head_patterns
from embedviz.layers.head_patterns import MOSTLY, Picked
from embedviz.layers.heads import NAMES, NEIGHBOURS, Heads
from embedviz.text.visible import in_words
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.inputs.model_runs import LanguageModel, PairOutput
from embedviz.vectors.forward import Forward


def off() -> str:
    """What positions off means."""
    return _("Off: nothing is added for positions, and RoPE turns nothing. The model never met that in training.")


def about_head(
    model: LanguageModel,
    both: PairOutput,
    picked: Picked,
    known: Heads | None,
    *,
    is_on: bool,
    moved: Forward | None = None,
    without: PairOutput | None = None,
) -> list[Card]:
    """Cards: where the head looks now, and, once positions are on, what it is.

    moved: A with the positions of a sink, its first token, and of its first word exchanged. without: both sentences
    without positions, if these are on.
    """
    now = _now(model, both, picked, without, is_on=is_on)
    if picked.of_all:
        return [now, *([_one_of_all(picked, known, is_on=is_on), _all(known, is_on=is_on)] if known else [])]
    if not is_on:
        let_in = model.let_in_by_the_mask
        return [now, *([Card(_("Order without positions"), let_in, "note")] if let_in else [])]
    if not picked.n_sinks:
        return [now, *_named(model, picked, known)]
    return [now, _sink(both, picked), *(_made_by_place(both.a, moved, picked) if moved else [])]


def _now(model: LanguageModel, both: PairOutput, picked: Picked, without: PairOutput | None, *, is_on: bool) -> Card:
    """The mean weight in the framed cells of the picture."""
    said = {"share": _share(both, picked), "place": _place(both, picked)}
    title = _("This head puts {share} of its weight on {place}", **said)
    if not is_on:
        title = _("Without positions, this head puts {share} of its weight on {place}", **said)
    off = _("Without positions it puts {share} there.", share=_share(without, picked)) if without else ""
    alike = [head_patterns.even(len(each.tokens), is_causal=not model.is_encoder) for each in (both.a, both.b)]
    text = _(
        "The mean over the framed cells of A ({n_a} tokens) and B ({n_b}). A head that sees all tokens alike gives "
        "{even} there.",
        n_a=len(both.a.tokens),
        n_b=len(both.b.tokens),
        even=in_print(float(head_patterns.shares(alike, picked.place)[0, 0])),
    )
    return Card(title, paragraph([text, off]), "different" if is_on else "plain")


def _share(both: PairOutput, picked: Picked) -> str:
    return in_print(float(head_patterns.shares(both.attentions, picked.place)[picked.layer, picked.head]))


def _place(both: PairOutput, picked: Picked) -> str:
    return head_patterns.special(both.a.tokens, picked.place) or translated(head_patterns.PLACES[picked.place])


def _sink(both: PairOutput, picked: Picked) -> Card:
    """What a sink is, how many heads have it, and what it hands on."""
    what = _(
        "The weights of a token must sum to 1, even if a head finds nothing to look for. Trained models then put "
        "them on a token that says nothing of the others, which is called a sink; here layer {layer}, head {head} "
        "does so.",
        layer=picked.layer + 1,
        head=picked.head + 1,
    )
    n_layers, n_heads = both.a.attentions.shape[:2]
    title = _("{place} is the sink of {n} of {total} heads", place=_place(both, picked), n=picked.n_sinks,
              total=n_layers * n_heads)  # fmt: skip
    return Card(title, paragraph([what, _value(both.a, picked)]))


def about_sinks() -> str:
    """Which heads count, and what models of today do about it."""
    return _(
        "A head counts if more than half of its weight lies on the sink, in A and B with positions as trained. "
        "StreamingLLM (2023) keeps such tokens in view of a sliding window, and gpt-oss (2025) has learned a sink that "
        "is no token."
    )


def _value(a: Forward, picked: Picked) -> str:
    """How long the value vector of a sink is beside those of the other tokens of A; empty where it is not known."""
    if a.value_lengths is None or len(a.tokens) < 2:
        return ""
    lengths = a.value_lengths[picked.layer, picked.head]
    at = 0 if picked.place == "first" else len(lengths) - 1
    share = float(lengths[at] / np.median(np.delete(lengths, at)))
    said = {"token": in_words(a.tokens.texts[at]), "share": f"{share:.0%}"}
    if share < MOSTLY:
        return _(
            "What it hands on is small: in A, the value vector of {token} has {share} of the length of the others’ "
            "(their median).",
            **said,
        )
    return _("In A, the value vector of {token} has {share} of the length of the others’ (their median).", **said)


def _made_by_place(a: Forward, moved: Forward, picked: Picked) -> list[Card]:
    """What becomes of a sink and of A's first word if these two exchange their positions, if the word becomes one."""
    (sink, word), (sink_moved, word_moved) = (
        [head_patterns.n_leaning(each.attentions, at) for at in (0, 1)] for each in (a, moved)
    )
    if not (word_moved > word and sink_moved < sink):
        return []
    said = {"token": in_words(a.tokens.texts[0]), "word": in_words(a.tokens.texts[1])}
    text = _(
        "If {token} and “{word}” exchange their positions in A, {word_moved} heads have most of their weight on "
        "“{word}” instead of {n_word}, and {sink_moved} on {token} instead of {sink}.",
        word_moved=word_moved, n_word=word, sink_moved=sink_moved, sink=sink, **said,
    )  # fmt: skip
    return [Card(_("Place 0 makes the sink"), paragraph([text, _shrunk(a, moved, picked)]))]


def _shrunk(a: Forward, moved: Forward, picked: Picked) -> str:
    """What becomes of the value vector of the word that is given position 0."""
    if a.value_lengths is None or moved.value_lengths is None:
        return ""
    before, after = (float(each[picked.layer, picked.head, 1]) for each in (a.value_lengths, moved.value_lengths))
    return _(
        "In layer {layer}, head {head}, the value vector of “{word}” was {before:.2f} long, and is {after:.2f} there.",
        word=in_words(a.tokens.texts[1]), layer=picked.layer + 1, head=picked.head + 1, before=before, after=after,
    )  # fmt: skip


def _named(model: LanguageModel, picked: Picked, known: Heads | None) -> list[Card]:
    """What a real model's head is called, if it looks at one place on any text, and what it has made of the table."""
    name = known.name(picked.layer, picked.head) if known else None
    if not (known and name):
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
    is_relative = model.scheme == "learned" and place in NEIGHBOURS
    return [Card(title, said), *([_made_relative(picked.layer, picked.head)] if is_relative else [])]


def _made_relative(layer: int, head: int) -> Card:
    """What a head has made that looks at a neighbour, in a model whose table says where a token stands. From 0."""
    text = _(
        "The table of this model says where each token stands, and not what stands beside it. This head works that "
        "out from the places, whatever the words are. (transformers counts from 0: layer {layer}, head {head}.)",
        layer=layer,
        head=head,
    )
    return Card(_("An absolute table makes a relative head"), text)


def _one_of_all(picked: Picked, known: Heads, *, is_on: bool) -> Card:
    """What the picked head is called, and its mean weight on the place in each run."""
    name, place = known.name(picked.layer, picked.head, is_on=is_on), list(head_patterns.PLACES).index(picked.place)
    said = {
        "text": N_("{weight:.3f} on a text"),
        "random": N_("{weight:.3f} on random tokens"),
        "shifted": N_("{weight:.3f} with all positions shifted"),
        "off": N_("{weight:.3f} with positions off"),
    }
    runs = known.weights if is_on else ["off"]
    weights = [translated(said[run], weight=known.weights[run][picked.layer, picked.head, place]) for run in runs]
    text = _(
        "Its mean weight on the place “{place}”, in windows of {n} tokens: {weights}. A head that sees all of them "
        "alike gives {even:.3f}.",
        n=known.length,
        place=translated(head_patterns.PLACES[picked.place]),
        weights=listed(weights),
        even=known.even[place],
    )
    title = _("Layer {layer}, head {head}: {name}", layer=picked.layer + 1, head=picked.head + 1,
              name=translated(name) if name else _("no name"))  # fmt: skip
    return Card(title, text, "different" if name else "plain")


def _all(known: Heads, *, is_on: bool) -> Card:
    """How many heads have a name, and how many would have one if a text alone were asked."""
    names = known.names(is_on=is_on)
    said = [f"{n + 1}.{k + 1} {translated(name)}" for n, row in enumerate(names) for k, name in enumerate(row) if name]
    title = _("{n} of {total} heads have a name", n=len(said), total=len(names) * len(names[0]))
    if not is_on:
        return Card(title, off(), "plain" if said else "same")
    text = _(
        "A head has a name if more than half of its weight lies at one place: in a text, among random tokens and "
        "with all positions shifted. Judged by a text alone, {seeming} would have one.",
        seeming=int((known.weights["text"][..., list(NAMES)] > MOSTLY).any(axis=-1).sum()),
    )
    return Card(title, paragraph([full_stop(listed(said)) if said else "", text]))


def head_in_words(both: PairOutput, picked: Picked, now: Card, board: np.ndarray | None) -> str:
    """The text alternative of the board, if it stands there, and the matrices: it says what the first card says."""
    n_a, n_b = (each.shape[-1] for each in both.attentions)
    what = _(
        "Attention weights of layer {layer}, head {head}: {n_a} by {n_a} for sentence A, {n_b} by {n_b} for B.",
        layer=picked.layer + 1,
        head=picked.head + 1,
        n_a=n_a,
        n_b=n_b,
    )
    return paragraph(["" if board is None else _board_in_words(board, picked.place), what, full_stop(now.title)])


def _board_in_words(board: np.ndarray, place: str) -> str:
    layer, head = np.unravel_index(board.argmax(), board.shape)
    return _(
        "A board of {n_layers} layers and {n_heads} heads, coloured by their mean weight on {place}: {extent}; most in "
        "layer {layer}, head {head}.",
        n_layers=board.shape[0],
        n_heads=board.shape[1],
        place=translated(head_patterns.PLACES[place]),
        extent=extent(board),
        layer=layer + 1,
        head=head + 1,
    )
