"""The map of the page "Vocabulary": its tokens, PCA or what stands in until a layout is done, and what is lit."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from embedviz.base.concurrency.jobs import Progress
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, ngettext, paragraph, series, told
from embedviz.text.visible import isolated
from embedviz.ui import label_of, literal, show_error, stop_at_error, turns, visitor
from embedviz.ui.components.cloud.cloud import Marks, name
from embedviz.ui.inputs import bringing
from embedviz.vectors.spec import Spec
from embedviz.vocabulary import token_map
from embedviz.vocabulary.token_map import Map, View
from embedviz.vocabulary.vocabulary import Vocabulary, vocabulary
from pages.vocabulary.finding import Found, about
from pages.vocabulary.settings import MapSettings

HEIGHT = "clamp(20rem, calc(100vh - 22.6rem), 60rem)"
_MANY = 50_000


def found_map(chosen: MapSettings, view: View) -> Map:
    """The map, or what stands in for it while t-SNE or UMAP are not done; a message if there is none."""
    try:
        if view.method in ("tsne", "umap"):
            return _layout(chosen.spec, view) or _drawn(chosen.spec, View(only=view.only, sphereize=view.sphereize))
        return _drawn(chosen.spec, view)
    except EmbedvizError as error:
        show_error(error)
    with stop_at_error():
        return _drawn(chosen.spec, View(only=view.only))


def _drawn(spec: Spec, view: View) -> Map:
    with turns.pause(unless=token_map.is_ready(spec, view)):
        return token_map.draw(spec, view)


def _layout(spec: Spec, view: View) -> Map | None:
    """The map by t-SNE or UMAP if it is there; otherwise a button, or how far it is."""
    with turns.pause():
        key = token_map.layout_key(spec, view)
        wanted = st.session_state.get("layout") == key
        try:
            found = token_map.layout(spec, view, visitor(), start=wanted)
        except EmbedvizError as error:
            if not wanted:
                raise
            # Too many wait. Without the button there would be no way to try again.
            st.session_state.pop("layout", None)
            show_error(error)
            found = None
    if isinstance(found, Map):
        return found
    if found is None:
        _offer(key, view, len(view.only) or len(vocabulary(spec)))
    else:
        _progress(spec, view, key)
    return None


def _name(view: View) -> str:
    return label_of("map")(view.method)


def _offer(key: str, view: View, n_tokens: int) -> None:
    what = {"method": _name(view), "tokens": ngettext("{n:,} token", "{n:,} tokens", n_tokens)}
    if n_tokens < _MANY:
        label = _("Compute {method} of {tokens}. Until then you see PCA.", **what)
    else:
        label = _("Compute {method} of {tokens}, a minute or more. Until then you see PCA.", **what)
    on_click = partial(st.session_state.update, layout=key)
    st.button(label, icon=":material/play_arrow:", key="compute", on_click=on_click)


@st.fragment(run_every=1.0)
def _progress(spec: Spec, view: View, key: str) -> None:
    """Show how far the job is. The job goes on only while a page asks for it, and a page that was left asks no more."""
    try:
        found = token_map.layout(spec, view, visitor(), start=st.session_state.get("layout") == key)
    except EmbedvizError:  # the job was given up, and now the line is full, which the page says
        found = None
    if not isinstance(found, Progress):
        st.rerun()
    if found.error:
        st.error(_("{method} failed: {doing}", method=_name(view), doing=literal(found.error)), icon=":material/error:")
        st.button(_("Try again"), key="again", on_click=lambda: token_map.jobs.leave(visitor(), key))
        return
    before = _("{place} before it in line", place=found.place) if found.place else found.said
    said = _("{method}: {before}. Until it is done you see PCA.", method=_name(view), before=literal(before))
    bringing.bar(found, said, key="cancel", cancel=partial(_cancel, key))


def _cancel(key: str) -> None:
    st.session_state.pop("layout", None)
    token_map.jobs.leave(visitor(), key)


def axis_names(drawn: Map, chosen: MapSettings, ends: tuple[str, str]) -> list[str]:
    """Return the names of the axes, with their shares of the variance if the method has them."""
    if np.isnan(drawn.explained).any():
        return []
    n = 2 if chosen.flat else 3
    shares = [f"{share:.2%}" for share in drawn.explained[:n]]
    if chosen.view.method == "axis" and chosen.view.ends[0] != chosen.view.ends[1]:
        rest = [_("what is left, PC {n}: {share}", n=k + 1, share=share) for k, share in enumerate(shares[1:])]
        return [told(f"{ends[0]} → {ends[1]}", shares[0]), *rest]
    return [_("PC {n}: {share}", n=k + 1, share=share) for k, share in enumerate(shares)]


def marks_of(drawn: Map, chosen: MapSettings, view: View, looked: Found, tokens: Vocabulary) -> Marks:
    """What is lit, and what the map shows now in words."""
    ends = tuple(isolated(name(tokens.texts[end])) for end in view.ends)
    names = axis_names(drawn, replace(chosen, view=view), ends)
    arrow = None
    if looked.moved and len(drawn.components) and not view.sphereize:
        start = token_map.place_of(chosen.spec, drawn, looked.picked)
        arrow = np.stack([start, drawn.place(looked.moved.total)])
    lit, alt = [] if view.only else looked.lit, described(drawn, names, looked, tokens)
    return Marks(alt, chosen.flat, chosen.colour, lit, looked.picked, names, arrow)


def described(drawn: Map, names: Sequence[str], looked: Found, tokens: Vocabulary) -> str:
    """The text alternative: how many tokens, in which axes, and what is looked for."""
    n_tokens = len(drawn.ids)
    sizes = {"n": n_tokens, "total": len(tokens), "tokenizer": tokens.tokenizer}
    what = _("Map of {n:,} of {total:,} tokens of {tokenizer}.", **sizes)
    if n_tokens == len(tokens):
        what = _("Map of {n:,} tokens of {tokenizer}.", **sizes)
    shares = _("Axes, with their shares of the variance: {names}.", names=series(names))
    how = shares if names else _("Its axes mean nothing by themselves.")
    return paragraph([what, how, about(looked, tokens)])
