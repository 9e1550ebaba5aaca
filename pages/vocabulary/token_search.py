"""What the page "Vocabulary" looks for: a token by a part of it, and its neighbours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, listed, ngettext, numeral, paragraph, translated
from embedviz.text.visible import isolated
from embedviz.ui import Card, literal, mistake_place, one_of, text_within, turns
from embedviz.ui.components.cloud.cloud import name
from embedviz.ui.components.ranking.ranking import Ranked, Ranking, rankings
from embedviz.vectors import tables
from embedviz.vectors.neighbours import METRICS, Neighbours, nearest
from embedviz.vectors.spec import Spec
from embedviz.vocabulary.search import MAX_TEXT, search
from embedviz.vocabulary.vocabulary import KINDS, Vocabulary
from embedviz.vocabulary.word_map import N_NEIGHBOURS, WordMap

MAX_LISTED = 60  # hits; the others are lit on the map
MAX_LIT = 5000
_IN_TITLE = 3  # neighbours that the headline names
_HEIGHT = "clamp(11rem, calc(100vh - {}rem), 50rem)"
_DEFAULTS = (" cat", "#0")


@dataclass(frozen=True)
class SearchResult:
    """What is lit, which token it is about, and its neighbours.

    hits: IDs (N,), as `search` orders them. picked: if it is one.
    """

    picked: int | None = None
    lit: list[int] = field(default_factory=list)
    typed: str = ""
    hits: np.ndarray = field(default_factory=lambda: np.array([], np.int64))
    neighbours: Neighbours | None = None

    @property
    def nearest(self) -> list[int]:
        """The neighbours that the headline names, and to which lines lead; none if all are equally near."""
        if self.neighbours is None or len({*self.neighbours.values.tolist()}) < 2:
            return []
        return self.neighbours.ids[:_IN_TITLE].tolist()


def claim(result: SearchResult, tokens: Vocabulary) -> list[Card]:
    """Which tokens are the nearest, if some are nearer than others; or how many contain what is typed."""
    if not result.neighbours:
        return [Card(_matches(result, tokens).title, "")]
    if not result.nearest:
        return []
    nearest_ones = listed(_named(id_, tokens) for id_ in result.nearest)
    token = _named(cast("int", result.picked), tokens)
    return [Card(_("Nearest to {token}: {others}", token=token, others=nearest_ones), "")]


def show_lists(result: SearchResult, tokens: Vocabulary, rem: float) -> None:
    """The list itself; a click picks a token. rem: how much room what is above and below takes."""
    lists = _lists(result, tokens)
    if lists:
        rankings(lists, key="ranking", height=_HEIGHT.format(rem), on_pick=pick_from("ranking", tokens))


def pick_from(key: str, tokens: Vocabulary):
    """A callback that takes the token clicked in a component into the field."""

    def take() -> None:
        clicked = st.session_state[key].picked
        if isinstance(clicked, (int, float)) and 0 <= clicked < len(tokens):
            st.session_state["token"] = written(int(clicked), tokens)

    return take


def written(id_: int, tokens: Vocabulary) -> str:
    """Write a token as a visitor would type it: as its visible text if that leads back to the token, else as its ID."""
    text = name(tokens.texts[id_])
    return text if _id_of(text, tokens) == id_ else f"#{id_}"


def _id_of(text: str, tokens: Vocabulary) -> int | None:
    """The token that this text names; None if there is none."""
    try:
        return tokens.find(text)
    except EmbedvizError:
        return None


def token_field(label: str, default: str, tokens: Vocabulary, *, key: str) -> int:
    """Show a field for one token. After a mistake, show a message and keep the last good token."""
    text = text_within(
        st.text_input, label, default, MAX_TEXT, key=key, help=_help(_("One token, or an ID such as #262."))
    )
    return _read(text, tokens, key)


def _help(search_help: str) -> str:
    return paragraph([search_help, _("␣ or a space is its leading space. Or click a point on the map.")])


def _read(text: str, tokens: Vocabulary, key: str) -> int:
    kept = f"{key}_kept_{tokens.tokenizer}"
    try:
        id_ = tokens.find(text)
    except EmbedvizError as error:
        last = min(st.session_state.get(kept, tokens.find(first_of(_DEFAULTS, tokens))), len(tokens) - 1)
        reason = error if text.strip() else _("Type a token.")
        mistake_place(key).error(literal(_("{error} Still shown: {token}.", error=reason, token=_named(last, tokens))))
        return last
    st.session_state[kept] = id_
    return id_


def _metric() -> str:
    return one_of(_("Nearness"), METRICS, key="metric", label_visibility="collapsed")


def in_table(spec: Spec, tokens: Vocabulary) -> SearchResult:
    """The tokens whose rows are nearest to that of one, and the fields for both."""
    text = _wanted(tokens, _help(_("A token or a part of one, or an ID such as #262.")))
    metric = _metric()

    def near(id_: int) -> Neighbours:
        with turns.release_lock():
            table = tables.token_table(len(tokens), spec)
            return nearest(table[id_], table, N_NEIGHBOURS, metric, exclude=(id_,))

    return _search(text, tokens, near)


def on_word_map(words: WordMap) -> SearchResult:
    """The neighbours of a word on the map that comes with the app, and the field for it."""
    text = _wanted(words.tokens, _("A word or a part of one. Or click a point on the map."))
    return _search(text, words.tokens, words.near)


def _wanted(tokens: Vocabulary, help_: str) -> str:
    with ui.on_every_slide("token"):
        default = first_of(_DEFAULTS, tokens)
        return text_within(st.text_input, _("Token"), default, MAX_TEXT, key="token", help=help_)


def _search(text: str, tokens: Vocabulary, near: Callable[[int], Neighbours]) -> SearchResult:
    """The neighbours of the token that is typed, or else the tokens that contain what is typed."""
    hits = search(tokens, text)
    if len(hits) and _id_of(text, tokens) is None:
        return SearchResult(lit=hits[:MAX_LIT].tolist(), typed=text, hits=hits)
    id_ = _read(text, tokens, "token")
    neighbours = near(id_)
    return SearchResult(id_, [id_, *neighbours.ids.tolist()], text, hits, neighbours)


def first_of(forms: Sequence[str], tokens: Vocabulary) -> str:
    """The first of some tokens that the vocabulary has, as one would type it."""
    known = (id_ for form in forms if (id_ := _id_of(form, tokens)) is not None)
    return next((written(id_, tokens) for id_ in known), "#0")


def _lists(result: SearchResult, tokens: Vocabulary) -> list[Ranking]:
    lists = []
    if result.neighbours:
        title = _("Nearest to {token} (ID {id})", token=_named(cast("int", result.picked), tokens), id=result.picked)
        lists = [Ranking(title, _ranked(result.neighbours, tokens), _by(result.neighbours.metric))]
    if len(result.hits) > len(lists):  # a token that nothing else contains is no news
        lists.append(_matches(result, tokens))
    return lists


def _matches(result: SearchResult, tokens: Vocabulary) -> Ranking:
    n = len(result.hits)
    title = ngettext(
        "{n:,} token has “{text}” in it", "{n:,} tokens have “{text}” in them", n, text=isolated(result.typed)
    )
    more = [_("The first {n} are listed.", n=MAX_LISTED)] if n > MAX_LISTED else []
    more += [_("The first {n:,} are highlighted.", n=MAX_LIT)] if n > MAX_LIT and result.picked is None else []
    rows = [
        Ranked(id_, name(tokens.texts[id_]), f"{id_}", id_ == result.picked)
        for id_ in result.hits[:MAX_LISTED].tolist()
    ]
    return Ranking(title, rows, paragraph([_("With their IDs."), *more]))


def _by(metric: str) -> str:
    return _("cosine similarity, all dimensions") if metric == "cosine" else _("Euclidean distance, all dimensions")


def _ranked(near: Neighbours, tokens: Vocabulary) -> Sequence[Ranked]:
    return [
        Ranked(id_, name(tokens.texts[id_]), numeral(value, ".4f"))
        for id_, value in zip(near.ids.tolist(), near.values.tolist(), strict=True)
    ]


def _named(id_: int, tokens: Vocabulary) -> str:
    """The token's text in a sentence."""
    return isolated(name(tokens.texts[id_]))


def result_in_words(result: SearchResult, tokens: Vocabulary) -> str:
    """What is lit, in words, for those who cannot see it."""
    if result.picked is None:
        n = ngettext("{n:,} token", "{n:,} tokens", len(result.hits))
        return _("Contain what is typed: {tokens}.", tokens=n)
    picked = _(
        "Picked: {token}, ID {id}, {kind}.",
        token=_named(result.picked, tokens),
        id=result.picked,
        kind=translated(KINDS[tokens.kinds[result.picked]]),
    )
    near = result.neighbours
    if near is None or not len(near.ids):
        return picked
    first = {"metric": near.metric, "first": _named(near.ids[0], tokens), "value": near.values[0]}
    return paragraph([picked, _("Nearest by {metric}: {first}, {value:.4f}.", **first)])
