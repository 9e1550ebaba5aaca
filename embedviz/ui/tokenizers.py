"""The parts of the page "Tokenizers"."""

from collections.abc import Sequence

import streamlit as st

from embedviz.figures.labels import quoted
from embedviz.segmentation import Cut, Segmentation, Spelled, first_with_space
from embedviz.spec import TOKENIZERS
from embedviz.texts import N_, _, joined, ngettext, translated
from embedviz.ui.cards import Card
from embedviz.ui.controls import MAX_CHARACTERS
from embedviz.ui.fields import text_within
from embedviz.ui.proof import reasons
from embedviz.variants import variants

FIELD = _("Text")
TEXTS = {
    N_("The cat on the mat"): "the cat sat on the mat",
    N_("One word, many spellings"): "The end: the END, the end.\nTheend",
    N_("Code and numbers"): "def area(r):\n    return 3.14159 * r**2  # 1234567",
    N_("Emoji and Chinese"): "A cat 🐈 is 猫, and 👩\u200d💻 is one picture.",
    N_("A long rare word"): "antidisestablishmentarianism, honorificabilitudinitatibus",
}
_DEFAULT = next(iter(TEXTS.values()))


def text_field() -> str:
    """A text area that updates while one types; a longer text is cut, and the page says so."""
    return text_within(
        st.text_area, FIELD, _DEFAULT, MAX_CHARACTERS, key="text", height=68, label_visibility="collapsed"
    )


def text_picker(current: str) -> None:
    """Ready texts; shows the one on screen, or none once it was edited."""
    names = list(TEXTS)
    on_screen = [name for name in names if TEXTS[name] == current]
    st.session_state["ready_text"] = on_screen[0] if on_screen else None
    st.selectbox(
        _("Ready texts"),
        names,
        index=None,
        format_func=translated,
        key="ready_text",
        on_change=_take_text,
        placeholder=_("Your own"),
        required=False,
    )


def _take_text() -> None:
    name = st.session_state["ready_text"]
    if name in TEXTS:
        st.session_state["text"] = TEXTS[name]


def chosen() -> list[str]:
    """The tokenizers to compare, in their usual order; a message, and nothing after it, without any."""
    names = st.pills(
        _("Tokenizers"),
        TOKENIZERS,
        selection_mode="multi",
        default=TOKENIZERS,
        key="tokenizers",
        help=_(
            "words: the words and punctuation marks of this text, sorted. The others are the byte-pair "
            "tokenizers of GPT-2 (50,257 tokens), GPT-4 (100,277) and GPT-4o (200,019)."
        ),
        bind="query-params",
    )
    return [name for name in TOKENIZERS if name in names]


def prefix_space() -> bool:
    """Whether to put a space before the text."""
    return st.toggle(
        _("Add prefix space"),
        key="leading_space",
        help=_(
            "Put a space before the first word, so that a byte-pair tokenizer gives it the ID it has inside a sentence."
        ),
        bind="query-params",
    )


def needs(text: str, names: Sequence[str]) -> None:
    """Say what is missing, if anything is."""
    if not text:
        st.info(_("The text is empty: type a few words, or pick a ready text."), icon=":material/edit:")
    if not names:
        st.info(_("Choose at least one tokenizer."), icon=":material/segment:")


def findings(found: Segmentation) -> list[Card]:
    """Cards: who needs fewest tokens, where the cuts agree, what Ġ is, words with several IDs.

    None while the text is empty.
    """
    if not found.text:
        return []
    return [
        _counts(found.cuts),
        *([_cuts(found)] if len(found.cuts) > 1 else []),
        _letter(first_with_space(found.text, found.prefix_space)),
        *_variants(found),
    ]


def _counts(cuts: Sequence[Cut]) -> Card:
    sizes = ", ".join(f"{cut.tokens.tokenizer} {cut.tokens.vocab_size:,}" for cut in cuts)
    numbers = [len(cut.tokens) for cut in cuts]
    low, high = min(numbers), max(numbers)
    text = _("Tokens in the vocabularies: {sizes}.", sizes=sizes)
    if "words" in _names(cuts):
        text += " " + _("words knows the words of this text alone, and drops white space.")
    if len(cuts) == 1:
        return Card(ngettext("{n:,} token", "{n:,} tokens", low), text)
    if low == high:
        return Card(ngettext("{n:,} token each", "{n:,} tokens each", low), text)
    return Card(
        _("Fewest tokens: {tokenizers}", tokenizers=_with(cuts, low)),
        _("Most: {tokenizers}. {text}", tokenizers=_with(cuts, high), text=text),
    )


def _with(cuts: Sequence[Cut], n: int) -> str:
    return f"{joined([name for name, cut in zip(_names(cuts), cuts, strict=True) if len(cut.tokens) == n])}, {n:,}"


def _cuts(found: Segmentation) -> Card:
    n_shared, n_differing = len(found.shared), len(found.differing)
    split = [f"{cut.tokens.tokenizer} {cut.n_split:,}" for cut in found.cuts if cut.n_split]
    inside = (
        " " + _("Characters spread over several tokens, dashed: {tokenizers}.", tokenizers=", ".join(split))
        if split
        else ""
    )
    if not n_differing:
        return Card(
            _("The same cuts"),
            _(
                "Between characters, all of them cut at {places}.{inside}",
                places=ngettext("{n:,} place", "{n:,} places", n_shared),
                inside=inside,
            ),
            "same",
        )
    return Card(
        _(
            "{n_shared:,} of {cuts} shared",
            n_shared=n_shared,
            cuts=ngettext("{n:,} cut", "{n:,} cuts", n_shared + n_differing),
        ),
        _(
            "Orange: {places} between characters where some of them cut and others do not.{inside}",
            places=ngettext("{n:,} place", "{n:,} places", n_differing),
            inside=inside,
        ),
        "different",
    )


def _letter(first: Spelled | None) -> Card:
    rule = _(
        "GPT-2's vocabulary file has a printable character for each byte: Ġ (U+0120) for the space, byte "
        "32; Ċ for the newline."
    )
    if first is None:
        return Card(_("Ġ is a space"), _("{rule} No GPT-2 token of this text begins with a space.", rule=rule))
    return Card(
        _("Ġ is a space"),
        _(
            "{rule} So {token} ({id}) stands there as {letters}.",
            rule=rule,
            token=quoted(first.text),
            id=first.id,
            letters=quoted(first.name),
        ),
    )


def _variants(found: Segmentation) -> list[Card]:
    named = [(cut.tokens.tokenizer, variant) for cut in found.cuts for variant in variants(cut.tokens)]
    if not named:
        return []
    sentences = reasons([variant for _, variant in named], [f"{name} " for name, _ in named])
    if not found.prefix_space and any(variant.by_space for _, variant in named):
        sentences.append(_("Try “Add prefix space”."))
    several = any(len(variant.forms) > 2 for _, variant in named)
    return [Card(_("One word, several IDs") if several else _("One word, two IDs"), " ".join(sentences), "note")]


def _names(cuts: Sequence[Cut]) -> list[str]:
    return [cut.tokens.tokenizer for cut in cuts]
