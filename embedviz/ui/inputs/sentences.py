"""Two sentences: their fields, ready pairs of them, their tokens, and their vectors."""

from collections.abc import Sequence
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, first_and_more, language, ngettext
from embedviz.base.pages import page_at
from embedviz.base.settings import ENGLISH, configured
from embedviz.text.samples import SentencePair, pairs, usual_pair
from embedviz.text.tokens import TOKENIZERS, Tokens, build_vocabulary, tokenize
from embedviz.text.visible import quoted
from embedviz.text.whitespace_tokens import SPACES
from embedviz.ui import presenting, turns
from embedviz.ui.inputs.fields import give_way, ready_picker, text_within
from embedviz.ui.messages import literal, stop, stop_at_error
from embedviz.vectors import tables
from embedviz.vectors.embedding import Embedded, embed_tokens, tokenize_for, with_vocabulary
from embedviz.vectors.sources import source_of
from embedviz.vectors.spec import Spec

MAX_CHARACTERS = 2000  # two sentences of this length still make a URL that servers take
MAX_TOKENS = configured().tokens
MAX_DRAWN = min(64, MAX_TOKENS)  # where weights are drawn: they have as many cells as the square of it
_MAX_NAMED = 12  # characters that a sentence names
_SMALL_DIM = 64  # of a table with 200,019 rows, for which any server has room


def check_drawn(n_tokens: int) -> None:
    """Raise EmbedvizError if these are more tokens than weights are drawn of."""
    if n_tokens > MAX_DRAWN:
        raise EmbedvizError("{n:,} tokens are too many to draw. Take at most {most}.", n=n_tokens, most=MAX_DRAWN)


def columns(
    widths: Sequence[float], *, vertical_alignment: Literal["top", "center", "bottom"] = "top"
) -> list[DeltaGenerator]:
    """Columns for the fields of sentences. A phone and a hall arrange them in ways of their own."""
    return st.container(key="frame_sentences").columns(widths, vertical_alignment=vertical_alignment)


def sentence(column: DeltaGenerator, name: str, default: str) -> str:
    """Show a text field that updates during typing. A text that is too long is cut, and the page says so."""
    key = name.lower()
    give_way(key, default)
    with column:
        return text_within(st.text_input, _("Sentence {name}", name=name), default, MAX_CHARACTERS, key=key)


def both(left: DeltaGenerator, right: DeltaGenerator) -> tuple[str, str]:
    """The fields of both sentences, which begin with the site's pair."""
    usual = usual_pair()
    return sentence(left, "A", usual.a), sentence(right, "B", usual.b)


def has_own() -> bool:
    """Whether the visitor has written a sentence, or chosen a pair, that is not the usual one."""
    usual = usual_pair()
    return (written("a", usual.a), written("b", usual.b)) != (usual.a, usual.b)


def written(key: str, default: str) -> str:
    """What a sentence's field holds, also before it is drawn."""
    return st.session_state.get(key, st.query_params.get(key, default))


def pair_picker(current: tuple[str, str, bool], tokenizer: str) -> None:
    """Show the ready pairs: English ones, and those of the visitor's language that the tokenizer cuts alike."""
    if st.session_state.pop("took_pair", False):
        st.rerun()  # the whole page: the switch for the space before the first word is outside this part
    offered = [pair for pair in pairs(language()) if pair.language == ENGLISH or _is_honest(pair, tokenizer)]
    ready = {pair.name: (pair.a, pair.b, pair.prefix_space) for pair in offered}
    ready_picker(_("Example pairs"), ready, current, key="pair", fields=("a", "b", "prefix_space"), take=_take_pair)


def _is_honest(pair: SentencePair, tokenizer: str) -> bool:
    """Whether both sentences have the same tokens under a tokenizer."""
    texts = (pair.a, pair.b)
    tokenizer = "words" if tokenizer == SPACES else tokenizer
    words = build_vocabulary(texts, lower_case=False)
    try:
        a, b = (sorted(tokenize(text, tokenizer, pair.prefix_space, vocabulary=words).ids) for text in texts)
    except EmbedvizError:
        return False  # a model's tokenizer that cannot be had; where the tokens would be, the page says why
    return a == b


def _take_pair() -> None:
    chosen = [pair for pair in pairs(language()) if pair.name == st.session_state["pair"]]
    for pair in chosen:
        st.session_state.update({"a": pair.a, "b": pair.b, "prefix_space": pair.prefix_space, "took_pair": True})


def begin_in_own_language(*, reads: bool) -> None:
    """Begin with a pair in the visitor's language that GPT-2 cuts into bytes, if no address says otherwise.

    reads: whether the page begins with a model that reads both, which those of this app can do in English alone.
    """
    own = [pair for pair in pairs(language()) if pair.language != ENGLISH]
    is_new = not set(st.query_params) - {"lang", "present", "view"} and not st.session_state.get("has_begun")
    st.session_state["has_begun"] = True
    if reads or not own or not is_new:
        return
    first = own[0]
    if tokenizer := cut_best((first.a, first.b), Spec().tokenizer):
        texts = {"a": first.a, "b": first.b, "tokenizer": tokenizer}
        st.session_state.update(texts, prefix_space=first.prefix_space, output_dim=_SMALL_DIM)
        st.query_params.update(texts, prefix_space=str(first.prefix_space).lower(), output_dim=str(_SMALL_DIM))


def cut_best(texts: Sequence[str], tokenizer: str) -> str:
    """The byte-pair tokenizer that cuts the fewest characters of these texts into bytes; none if this one does."""

    def n_bytes(name: str) -> int:
        return sum(sum(tokenize(text, name).partial) for text in texts)

    others = [name for name in TOKENIZERS if name not in ("words", tokenizer)]
    best = min(others, key=n_bytes)
    return best if n_bytes(best) < n_bytes(tokenizer) else ""


def tour_link() -> None:
    """The link to the tour of these sentences."""
    if not presenting.is_on():
        with st.container(key="tour_link", width="content"):
            st.page_link(page_at("tour").script, label=_("Take the tour"), icon=":material/tour:")


def spec_or_message(settings: dict[str, Any], *texts: str) -> Spec:
    """Return the Spec under which all texts share one backend. Without one, show a message and stop the page there."""
    source = source_of(settings["source"])
    with stop_at_error(source.name), turns.release_lock(unless=source.is_at_hand()):
        return with_vocabulary(Spec(**settings), *texts)


def tokens(
    columns: Sequence[DeltaGenerator],
    texts: Sequence[str],
    spec: Spec,
    most: int = MAX_TOKENS,
    *,
    says_empty: bool = True,
) -> list[Tokens]:
    """The tokens of both sentences, or of A alone, at most `most` each. A column says if it has too many, or none."""
    with stop_at_error(spec.tokenizer):  # only that of a model can be out of reach
        found = [tokenize_for(text, spec) for text in texts]
    for column, name, whole in zip(columns, "AB"[: len(found)], found, strict=True):
        with column:
            if len(whole) > most:
                st.warning(
                    _("{n:,} tokens are too many to show; the first {most} are used.", n=len(whole), most=most),
                    icon=":material/content_cut:",
                )
            say_if_lost(whole)
            if says_empty and is_empty(whole):
                st.info(_("Sentence {name} is empty: type a few words.", name=name), icon=":material/edit:")
    return [whole.head(most) for whole in found]


def is_empty(tokens: Tokens) -> bool:
    """Whether there is nothing in the field but white space. A text without a token is no empty one."""
    return not tokens.ids and not tokens.text.strip()


def lost(tokens: Tokens) -> str:
    """Say which characters of a text are in none of its tokens; nothing if all of them are in one."""
    if tokens.missing:
        return ngettext(
            "{n:,} word has no vector among your own, and is left out: {words}.",
            "{n:,} words have no vectors among your own, and are left out: {words}.",
            len(tokens.missing),
            words=first_and_more([*map(quoted, dict.fromkeys(tokens.missing))], _MAX_NAMED),
        )
    if not tokens.lost:
        return ""
    return ngettext(
        "{n:,} character is in none of the tokens: {characters}. The tokenizer {tokenizer} has no token for it, or "
        "takes it away before it cuts.",
        "{n:,} characters are in none of the tokens: {characters}. The tokenizer {tokenizer} has no token for them, or "
        "takes them away before it cuts.",
        len(tokens.lost),
        characters=first_and_more([*map(quoted, dict.fromkeys(tokens.lost))], _MAX_NAMED),
        tokenizer=tokens.tokenizer,
    )


def say_if_lost(tokens: Tokens) -> None:
    """Show what `lost` says, where it says something."""
    if said := lost(tokens):
        st.warning(literal(said), icon=":material/content_cut:")


def embed_or_message(tokens: Sequence[Tokens], spec: Spec) -> list[Embedded]:
    """Return the sentences as vectors. If the Spec does not allow it, show a message and stop the page there."""
    if not any(each.ids for each in tokens):
        stop()
    with stop_at_error(spec.origin.name):
        return embedded(tokens, spec)


def embedded(tokens: Sequence[Tokens], spec: Spec) -> list[Embedded]:
    """Return the sentences as vectors. Others have their turn while tables are made. Raises as `embed_tokens` does."""
    with turns.release_lock(unless=are_ready(tokens, spec)):
        return [embed_tokens(each, spec) for each in tokens]


def are_ready(tokens: Sequence[Tokens], spec: Spec) -> bool:
    """Whether the vectors of these tokens are there already, so that nobody has to wait for them."""
    return all(tables.is_ready(each.vocab_size, spec, each.ids) for each in tokens)
