"""What the whole way says: the finding at each share of the positions, and the names of the picture's columns."""

from typing import Any, NamedTuple

import numpy as np

from embedviz.base.i18n import _, joined, ngettext, paragraph
from embedviz.figures.theme import token_marks
from embedviz.layers.trace import Trace
from embedviz.text import grammar
from embedviz.text.questions import right_word
from embedviz.text.tokens import words_first
from embedviz.text.visible import visible
from embedviz.ui.components.way.picture import N_NUMBERS, Answer, Bar, State, picture
from embedviz.ui.whole_way.pair import MOST, WholeWay

_MOST_BARS = 3


def state(way: WholeWay, share: int) -> State:
    """The picture at a share of the positions, and what it says."""
    traced = way.traces[share]
    entry = traced.order_enters
    if entry == "mask" and (traced.is_one_answer or ends_differ(traced)):
        entry = None
    said = headline(traced, is_on=share > 0), attention_words(way, traced)
    return State(share, *said, traced, answers(way, traced), entry)


class Case(NamedTuple):
    """What decides which sentences are said of two texts at a share of the positions.

    kind: "orders" if B has A's words in another order, and else why that is not compared: "same", "apart" or "words".
    is_on: whether positions are added. entry: as `Trace.order_enters`. is_one, ends_differ: see there and below.
    """

    kind: str
    is_on: bool
    entry: str | None
    is_one: bool
    ends_differ: bool
    n_layers: int
    is_decoder: bool


def case_of(traced: Trace, *, is_on: bool) -> Case:
    """What is the case with these two."""
    ids = traced.a.tokens.ids, traced.b.tokens.ids
    kind = "orders" if sorted(ids[0]) == sorted(ids[1]) else "words"
    kind = "same" if ids[0] == ids[1] else kind if traced.pairs else "apart"
    one, end, layers = traced.is_one_answer, ends_differ(traced), len(traced.a.attentions)
    return Case(kind, is_on, traced.order_enters, one, end, layers, traced.answers is not None)


def headline(traced: Trace, *, is_on: bool) -> str:
    """The finding."""
    return headline_of(case_of(traced, is_on=is_on))


def headline_of(case: Case) -> str:
    """The finding in such a case."""
    if case.kind == "same":
        return _("One sentence twice: there is no second order to tell apart")
    if case.kind == "apart":
        return _("These sentences share no token, so order is not what parts them")
    if case.kind == "words":
        return _("These sentences differ in their words, and not in their order alone")
    said = {
        (True, True, True): _("With positions, two orders still get one answer"),
        (True, True, False): _("With positions, two orders still become one vector"),
        (True, False, True): _("With positions, two orders get two answers"),
        (True, False, False): _("With positions, two orders become two vectors"),
        (False, True, True): ngettext(
            "Without positions, one layer gives two orders one answer",
            "Without positions, {n} layers give two orders one answer",
            case.n_layers,
        ),
        (False, True, False): _("Without positions, two orders become one vector"),
        (False, False, True): ngettext(
            "By the mask alone, one layer gives two orders two answers",
            "By the mask alone, {n} layers give two orders two answers",
            case.n_layers,
        ),
        (False, False, False): _("Without positions, two orders become two vectors"),
    }
    has_positions = case.is_on and case.entry != "mask"
    if not has_positions and case.ends_differ:
        return _("Without positions, two orders get two answers, since they end in different words")
    if case.entry == "attention" and not case.is_one and case.is_decoder:
        return _("With positions inside attention, two orders get two answers")
    return said[has_positions, case.is_one, case.is_decoder]


def ends_differ(traced: Trace) -> bool:
    """Whether a causal model goes on from two different words, so that it needs no order to say two things."""
    return traced.answers is not None and traced.a.tokens.ids[-1] != traced.b.tokens.ids[-1]


def attention_words(way: WholeWay, traced: Trace) -> str:
    """Which model it is, and what to see in the picture."""
    cut = _("Only the first {n} tokens are drawn.", n=MOST) if way.is_cut else ""
    return paragraph([where_order_enters(traced), model_words(way), question_words(way.question), cut])


def model_words(way: WholeWay) -> str:
    """Which model it is."""
    if way.reader:
        return _("The model is {model}.", model=way.reader.title)
    return _("Random tables and one layer of attention with random weights: no model has learned these numbers.")


def question_words(question: str) -> str:
    """That a question is added, if there is one."""
    return _("“{question}” is added to both, for the model to answer.", question=question) if question else ""


def where_order_enters(traced: Trace) -> str:
    """Where order enters, and why there."""
    texts = [traced.a.tokens.texts[i] for i, j in traced.pairs if i != j]
    moved = [_("“{word}”", word=visible(text)) for text in dict.fromkeys(texts)]
    ends = [visible(each.tokens.texts[-1]) for each in (traced.a, traced.b)]
    differ = traced.copies_differ
    return entry_words(
        case_of(traced, is_on=True),
        len(moved),
        words=joined(moved),
        last=ends[0],
        b=ends[1],
        n=int(differ[:, -1].sum()),
        layer=1 + int(differ[:, 1:].any(axis=0).argmax()) if len(differ) else 0,
    )


def entry_words(case: Case, n_moved: int, *, words: str, last: str, b: str, n: int | str, layer: int | str) -> str:
    """Where order enters in such a case.

    words: the n_moved words that stand elsewhere in B. last, b: with which A and B end. n: how many copies differ at
    the end. layer: that in which the first of them part, from 1.
    """
    if case.entry == "positions":
        return ngettext(
            "Order enters where positions are added: {words} stands at another place in B and gets another vector.",
            "Order enters where positions are added: {words} stand at other places in B and get other vectors.",
            n_moved,
            words=words,
        )
    if case.entry == "attention":
        return _(
            "Nothing is added to the vectors. Order enters inside attention, where positions change queries and keys: "
            "what fits “{last}” depends on where a word stands.",
            last=last,
        )
    if case.entry == "mask" and case.ends_differ:
        return _(
            "No position is added. The next word is said from the last one, which is “{a}” in A and “{b}” in B.",
            a=last,
            b=b,
        )
    if case.entry == "mask" and case.is_one:
        return _(
            "No position is added: “{last}” gets the same vectors in both orders, and mixes them alike. On the way the "
            "causal mask parts {n} of the tokens, which see only what comes before them.",
            last=last,
            n=n,
        )
    if case.entry == "mask":
        return _(
            "No position is added. Order enters by the causal mask: each token sees only itself and those before it. "
            "So copies part in layer {n}, and later layers read that.",
            n=layer,
        )
    return "" if case.kind == "apart" else _("No copy differs from its original, from the tokens to the end.")


def answers(way: WholeWay, traced: Trace) -> list[Answer]:
    """What comes next after A and after B; nothing for an encoder."""
    if not (traced.answers and way.reader):
        return []
    marks = token_marks(words_first(traced.a.tokens, traced.b.tokens))
    colours = {id_: colour for id_, (colour, _again) in marks.items()}
    best, n_words = _likeliest(way), len(traced.answers[0])
    texts = dict(zip(best, way.reader.texts(best, n_words), strict=True))
    result = []
    for chances, sentence in zip(traced.answers, (traced.a, traced.b), strict=True):
        bars = [Bar(visible(texts[n]), colours.get(n), float(chances[n])) for n in best]
        rest = Bar(_("others"), None, max(0.0, 1 - sum(bar.chance for bar in bars)))
        right = right_word(sentence.tokens.texts)
        likeliest = way.reader.texts([int(chances.argmax())], n_words)[0]
        is_right = None if right is None else likeliest == right
        result.append(Answer(way.question.strip(" ,") or _("next word"), [*bars, rest], is_right))
    return result


def _likeliest(way: WholeWay) -> list[int]:
    """The words whose bars are drawn: the same at every share, so that bars keep their places."""
    tokens = [*way.full.a.tokens.ids, *way.full.b.tokens.ids]
    if way.question and way.reader:
        known = way.reader.small.vocabulary
        return [n for n in dict.fromkeys(tokens) if known[n] in grammar.NOUNS]
    most = np.max([each for one in way.traces.values() for each in one.answers or ()], axis=0)  # (V,)
    return np.argsort(-most)[:_MOST_BARS].tolist()


def columns(way: WholeWay, last: str = "") -> dict[str, object]:
    """The names of the picture's columns, and its other words. last: what stands for A's last token; "": itself."""
    traced = way.full
    n_layers, n_heads = traced.a.attentions.shape[:2]
    n_dims = traced.a.hidden_states.shape[-1]
    last = last or visible(traced.a.tokens.texts[-1])
    adds = any(rows.positional_embeddings.any() for rows in traced.rows)
    is_normed = not np.array_equal(traced.a.hidden_states[0], np.add(*traced.rows[0]))
    is_looks = n_layers == 1 and traced.answers is not None
    shown = _("{n} of {all} numbers", n=min(N_NUMBERS, n_dims), all=n_dims)
    if is_normed:
        shown = _("{n} of {all}, before its norm", n=N_NUMBERS, all=n_dims)
    nothing, here = _("nothing is added"), _("order enters here")
    layers = [ngettext("One layer", "{n} layers", n_layers), _("how far copies are apart")]
    heads = [_("head {n} of {all}", n=n + 1, all=n_heads) for n in range(n_heads)]
    looks = [_("Attention of “{token}”", token=last), heads[way.head[1]]]
    return {
        "tokens": [_("Tokens"), _("in A’s order")],
        "vectors": [_("Token vectors"), _("one row of a table each")],
        "positions": [_("+ positions"), _("one row for each place") if adds else _none_added(way)],
        "input": [_("= input"), shown],
        "looks": looks if is_looks else layers,
        "heads": heads if is_looks else [],
        "itself": _("+ itself"),
        "layer": _("layer {n}"),
        "after": [_("“{token}” after it", token=last), _("then MLP and norm")],
        "answer": [_("Next word"), ""] if traced.answers else [_("How alike"), _("cosine")],
        "nothing": nothing,
        "dotted": [_("dotted: positions off"), _("dotted: positions on")],
        "fixed": _("This model has no positions to switch."),
        "hidden": _("{n} other tokens are not drawn"),
        "enters": {"positions": here, "attention": here, "mask": _("order enters here, by the mask")},
        "right": _("right word"),
        "wrong": _("wrong word"),
        "same": _("same answer"),
        "swap": _("Drag this token onto another one, or press Enter on both: they change places in B."),
        "key": paragraph([
            _("One line: identical in A and B. Two lines: A solid, B dashed."),
            paragraph([
                _("Width: how much “{token}” looks there, in one head of {all}.", token=last, all=n_heads),
                _("The head that looks most differently in B comes first."),
            ])
            if is_looks
            else _("Grey: which tokens of A look at which, by their mean weight."),
        ]),
        "ruler": _("as far as unlike tokens"),
        "unrelated": _("with an unrelated sentence:"),
    }  # fmt: skip


def models_nearby(way: WholeWay) -> list[tuple[str, str, bool]]:
    """The small GPTs in which order enters elsewhere: name, what it is called, whether it is the one that is drawn."""
    if not (way.question and way.reader):
        return []
    named = {
        "small-gpt": _("learned positions"),
        "small-gpt-rope": _("RoPE"),
        "small-gpt-none-2": _("no positions, 2 layers"),
    }
    return [(name, text, way.reader.name == name) for name, text in named.items()]


def _none_added(way: WholeWay) -> str:
    """Why there is nothing in the column of positions."""
    return _("none: RoPE turns later") if way.full.layers_read_positions else _("nothing is added")


def whole_picture(way: WholeWay) -> dict[str, Any]:
    """All of the picture: each state with its words."""
    states = [state(way, share) for share in way.traces]
    return picture(states, way.head, columns(way), is_encoder=way.is_encoder)
