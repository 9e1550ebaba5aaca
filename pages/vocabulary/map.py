"""The map of the page "Vocabulary": its points, and what is lit."""

from collections.abc import Sequence

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, join_semicolons, label_value, numeral, paragraph
from embedviz.text.visible import isolated
from embedviz.ui import show_error, stop_at_error, turns
from embedviz.ui.components.cloud.cloud import Marks, name
from embedviz.vectors.spec import Spec
from embedviz.vocabulary import token_map
from embedviz.vocabulary.token_map import Map, View
from embedviz.vocabulary.vocabulary import Vocabulary
from pages.vocabulary.token_search import SearchResult, result_in_words


def map_or_pca(spec: Spec, view: View) -> tuple[Map, View]:
    """The map and its view; if there is none, a message, and PCA in its place."""
    try:
        return _paused_draw(spec, view), view
    except EmbedvizError as error:
        show_error(error)
    with stop_at_error():
        return _paused_draw(spec, plain := View(only=view.only)), plain


def _paused_draw(spec: Spec, view: View) -> Map:
    with turns.release_lock(unless=token_map.is_ready(spec, view)):
        return token_map.draw(spec, view)


def axis_names(drawn: Map, view: View, tokens: Vocabulary) -> list[str]:
    """Return the names of both axes, with their shares of the variance."""
    first, second = (numeral(share, ".2%") for share in drawn.explained)
    if view.method == "axis":
        start, end = (isolated(name(tokens.texts[end])) for end in view.ends)
        return [label_value(f"{start} → {end}", first), _("what is left, PC {n}: {share}", n=1, share=second)]
    return [_("PC {n}: {share}", n=n, share=share) for n, share in ((1, first), (2, second))]


def marks_of(drawn: Map, colour: str, result: SearchResult, tokens: Vocabulary, axes: Sequence[str] = ()) -> Marks:
    """What is lit, where lines lead, and what the map shows now in words. axes: the names of its axes, if any."""
    return Marks(described(drawn, axes, result, tokens), colour, result.lit, result.picked, result.nearest, axes)


def described(drawn: Map, names: Sequence[str], result: SearchResult, tokens: Vocabulary) -> str:
    """The text alternative: how many tokens, in which axes, and what is result for."""
    n_tokens = len(drawn.ids)
    sizes = {"n": n_tokens, "total": len(tokens), "tokenizer": tokens.tokenizer}
    extent = _("Map of {n:,} of {total:,} tokens of {tokenizer}.", **sizes)
    if n_tokens == len(tokens):
        extent = _("Map of {n:,} tokens of {tokenizer}.", **sizes)
    shares = _("Axes, with their shares of the variance: {names}.", names=join_semicolons(names))
    axes = shares if names else _("Its axes mean nothing by themselves.")
    return paragraph([extent, axes, result_in_words(result, tokens)])
