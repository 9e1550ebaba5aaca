"""The view on left padding: pads that are counted shift the positions of all tokens, and a model says another word."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple, cast

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, _, label_value, listed, ngettext, numeral, paragraph, translated
from embedviz.layers.forward import forward
from embedviz.layers.trace import small_gpt_knows
from embedviz.programs.inputs import pytorch_padding
from embedviz.programs.next_word import pytorch_next_word
from embedviz.text.questions import asked
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import Tokens, tokenize
from embedviz.text.visible import in_words
from embedviz.training.answers import PROMPTS, answers
from embedviz.training.bundled import BUNDLED, SEEDS, bundled, tried
from embedviz.training.placement import Placement
from embedviz.training.run import Run
from embedviz.ui import Guide, Picture, Program, View, chips, literal, text_within, turns
from embedviz.ui.components.chips.chips import NextWord
from embedviz.vectors.batches import positions_from_edge, positions_from_mask
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.forward import Forward
from embedviz.vectors.sources import FINISHED, TRAINED
from embedviz.vectors.spec import Spec

_MAX_PADDED = 200  # characters of a padded sentence
SHORT = "the dog bites the man , who bites ?"  # a token less than the question about the site's own sentence
_SMALL_GPT = Spec(source=TRAINED.name)
WAYS = {  # to count positions, each with its title, and what it makes of a word that depends on it
    "edge": (positions_from_edge, N_("Counted from the edge"), "wrong"),
    "real": (positions_from_mask, N_("Counted from the first real token"), "right"),
}


# Of all questions of the small GPT: by which run they are answered, and after which change.
_MEASURED = {"on": (FINISHED, "on"), "padded": (FINISHED, "padded"), "rope": ("rope", "padded")}


class Padded(NamedTuple):
    """Two sentences as a batch has them, T places wide.

    mask: which places are tokens and not padding, (2, T). places: by the names of WAYS, the position of each, (2, T).
    outputs: by these names, what the small GPT makes of each sentence; none if it does not know every word.
    n_right: how many of its questions it then answers right, by what is counted: "on" no pad, "padded" one, and
    "rope" one by the same GPT with RoPE.
    """

    sentences: Sequence[Tokens]
    mask: np.ndarray
    places: Mapping[str, np.ndarray]
    outputs: Mapping[str, Sequence[Forward]]
    n_right: Mapping[str, int]

    @property
    def n_pads(self) -> int:
        """How many pads the shorter sentence has."""
        return int((self.mask.shape[1] - self.mask.sum(axis=1)).max())

    def next_words(self, way: str) -> list[str]:
        """The word that is the likeliest to follow each sentence, if its positions are counted in this way."""
        return _run().texts(map(_likeliest, self.outputs.get(way, ())))


def _likeliest(output: Forward) -> int:
    return int(output.chances.argmax())


def _run(name: str = FINISHED) -> Run:
    return cast("Run", bundled(BUNDLED[name]))


def fields(_frame: ui.Frame, _settings: None) -> list[str]:
    """Two sentences. Without a word in either, a message asks for one, and nothing follows."""
    short, long = st.columns(2)
    texts = [
        _sentence(short, _("Short"), SHORT, "short"),
        _sentence(long, _("Long"), asked([usual_pair().a])[0], "long"),
    ]
    if not any(map(tokenize, texts)):
        st.info(_("Type a few words."), icon=":material/edit:")
        ui.stop()
    return texts


def _sentence(column: DeltaGenerator, label: str, default: str, key: str) -> str:
    with column:
        return text_within(st.text_input, label, default, _MAX_PADDED, key=key)


def padded(texts: Sequence[str]) -> Padded:
    """Pad the shorter sentence on the left. The small GPT reads both if it knows their words, and else nobody does.

    A pad is masked out, so that nothing of it reaches a token: what it does is to push the tokens to later positions.
    """
    is_read = small_gpt_knows(*texts)
    sentences = [tokenize_for(text, _SMALL_GPT) if is_read else tokenize(text) for text in texts]
    width = max(map(len, sentences))
    mask = np.array([[0] * (width - len(tokens)) + [1] * len(tokens) for tokens in sentences])
    places = {name: count(mask) for name, (count, _title, _tone) in WAYS.items()}
    outputs = {
        name: [forward(text, _SMALL_GPT, row[real == 1]) for text, row, real in zip(texts, at, mask, strict=True)]
        for name, at in places.items()
        if is_read
    }
    n_right = {name: answers(_run(run), change).n_right for name, (run, change) in _MEASURED.items() if is_read}
    return Padded(sentences, mask, places, outputs, n_right)


def waiting(_texts: Sequence[str]) -> AbstractContextManager[object]:
    """Others have their turn while all questions are answered, which is done once."""
    known = (answers.cache_key(_run(run), change) in answers.cache for run, change in _MEASURED.values())
    return turns.release_lock(unless=all(known))


def pictures(result: Padded) -> list[Picture]:
    """Both sentences counted in two ways, each of which is a slide with the finding that it shows."""
    edge, real = (partial(_draw, result, way) for way in WAYS)
    fix = _fix() if result.n_pads else None
    return [Picture(edge, "edge", is_whole=True), Picture(real, "real", is_whole=True, claim=fix)]


def _draw(result: Padded, way: str) -> None:
    title = translated(WAYS[way][1])
    likeliest = [_likeliest(output) for outputs in result.outputs.values() for output in outputs]
    order = [*(id_ for tokens in reversed(result.sentences) for id_ in tokens.ids), *likeliest]
    ui.reader_caption(f"**{literal(title)}**")
    for n, (tokens, places) in enumerate(zip(result.sentences, result.places[way], strict=True)):
        chips(
            tokens,
            key=f"{way}_{n}",
            label=label_value(title, (_("short"), _("long"))[n]),
            colour_order=order,
            places=places,
            padding=result.mask.shape[1] - len(tokens),
            next_word=_next_word(result, way, n) if result.outputs else None,
        )


def _next_word(result: Padded, way: str, n: int) -> NextWord:
    output = result.outputs[way][n]
    id_ = _likeliest(output)
    is_same = len({_likeliest(outputs[n]) for outputs in result.outputs.values()}) == 1
    return NextWord(id_, _run().texts([id_])[0], float(output.chances[id_]), "pale" if is_same else WAYS[way][2])


def about_padding(result: Padded) -> list[ui.Card]:
    """What the pads do to the positions of the tokens behind them, and to what a model says."""
    if not result.n_pads:
        return [_no_pads()]
    return [_shift(result), *([_measured(result.n_right)] if result.n_right else []), _fix()]


def _no_pads() -> ui.Card:
    return ui.Card(_("No padding, no shift"), _("Both sentences have the same number of tokens."))


def _fix() -> ui.Card:
    text = _(
        "Start counting at the first real token: position_ids = (attention_mask.cumsum(-1) - 1).clamp(min=0). "
        "Pads are masked out, so any position that has a row will do for them."
    )
    return ui.Card(_("The fix: count real tokens only"), text, "right")


def _shift(result: Padded) -> ui.Card:
    flipped = [pair for pair in zip(*map(result.next_words, WAYS), strict=True) if pair[0] != pair[1]]
    why = _("The first word no longer gets the vector for position 0. This matters where positional vectors are added.")
    if not result.outputs:
        unread = _(
            "The small GPT does not know all of these words, so no next word is shown. It knows those of “{text}”.",
            text=SHORT,
        )
        why = paragraph([why, unread])
    if flipped:
        title = ngettext(
            "If the pad is counted, the model says “{wrong}” instead of “{right}”",
            "If the pads are counted, the model says “{wrong}” instead of “{right}”",
            result.n_pads,
            wrong=in_words(flipped[0][0]),
            right=in_words(flipped[0][1]),
        )
    else:
        title = ngettext(
            "{n} padding token: every later position is {n} too high",
            "{n} padding tokens: every later position is {n} too high",
            result.n_pads,
        )
    return ui.Card(title, why, "wrong")


def _measured(n_right: Mapping[str, int]) -> ui.Card:
    """How many questions the small GPT answers right behind a pad that is counted, and one with RoPE beside it."""
    title = _(
        "With one pad counted, {right:,} of {total:,} answers are right", right=n_right["padded"], total=len(PROMPTS)
    )
    texts = [
        _("These are the questions that the model never saw. Without a pad it answers {n:,} right.",
          n=n_right["on"]),
        _("The same model, trained with seeds 1 to {n}: {counts}. No run was left out.", n=len(SEEDS),
          counts=listed(numeral(n_right) for n_right, _other in tried()[FINISHED]["padded"])),
        _("The same GPT with RoPE answers {n:,} right with the pad counted, since RoPE reads only distances.",
          n=n_right["rope"]),
    ]  # fmt: skip
    return ui.Card(title, paragraph(texts), "wrong")


def program(result: Padded) -> Program:
    """The positions in PyTorch, and what the small GPT says with them."""
    text = pytorch_padding([tokens.ids for tokens in result.sentences])
    if result.outputs:
        prompts = [
            (tokens.text, Placement(positions=tuple(row[real == 1].tolist())))
            for at in result.places.values()
            for tokens, row, real in zip(result.sentences, at, result.mask, strict=True)
        ]
        positions = text.removeprefix("import torch\n\n")
        text = f"{pytorch_next_word(BUNDLED[FINISHED], prompts)}\n{positions}"
    return Program(text, _("Padding on the left"))


PADDING = View(
    page="batches",
    name="padding",
    guide=Guide(
        N_("Compare the positions above the tokens: one panel counts the padding, the other does not."),
        N_("A model with added positions would otherwise see a sentence begin at position 4, say, and not at 0."),
        "batch padding position absolute mask",
    ),
    fields=fields,
    compute=padded,
    waiting=waiting,
    findings=about_padding,
    pictures=pictures,
    program=program,
    examples=(
        {},
        {"short": "the cat", "long": "the cat sat on the mat"},
        {"short": "Grüße", "long": "the cat sat on the mat"},
        {"short": "dog", "long": "dog"},
        {"short": "", "long": ""},
    ),
)  # fmt: skip
