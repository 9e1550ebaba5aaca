"""The controls and the map of the page "Vocabulary"."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import maps, pretrained, tables
from embedviz.checkpoints import CHECKPOINTS, VOCAB_SIZE
from embedviz.errors import EmbedvizError, Unavailable
from embedviz.figures.labels import isolated
from embedviz.jobs import Status
from embedviz.maps import Map, View
from embedviz.sources import SOURCES
from embedviz.spec import MAX_OUTPUT_DIM, TOKENIZERS, Spec
from embedviz.texts import N_, _, ngettext, translated
from embedviz.ui import turns
from embedviz.ui.cloud import COLOURS, Marks, name
from embedviz.ui.controls import chosen_source, seed_field, shown_as_fixed, size_field
from embedviz.ui.fields import whole_number
from embedviz.ui.finding import Found, about, first_of, token_field
from embedviz.ui.literal import literal
from embedviz.ui.unavailable import unavailable
from embedviz.vocabulary import Vocabulary, classes_of, vocabulary, words_of

NAMES = {"PCA": "pca", N_("Axis"): "axis", "t-SNE": "tsne", "UMAP": "umap"}
HEIGHT = "clamp(20rem, calc(100vh - 13.6rem), 60rem)"
_MANY = 50_000
_URL = {"bind": "query-params"}


@dataclass(frozen=True)
class Settings:
    """What the controls say: the backend, how the map is drawn, and its colours."""

    spec: Spec
    view: View
    flat: bool
    colour: str


def settings(columns: Sequence[DeltaGenerator]) -> Settings:
    """The controls above the map; a message, and nothing after it, if they do not go together."""
    cut, way, axes, colour, more = columns
    with more:
        popover = st.popover(_("More"), width="stretch", key="more")
    with popover:
        source = chosen_source()
    fixed = SOURCES[source].fixed
    with cut:
        tokenizer = shown_as_fixed("tokenizer", fixed["tokenizer"]) if "tokenizer" in fixed else _tokenizer()
    with way:
        method = NAMES[
            st.selectbox(_("Map"), list(NAMES), format_func=translated, key="map", help=_ABOUT_METHODS, **_URL)
        ]
    with axes:
        flat = st.selectbox(_("Axes"), ["2-D", "3-D"], key="axes", **_URL) == "2-D" or method == "tsne"
    with popover:
        spec = _spec({"source": source, "tokenizer": tokenizer} | _backend(source, tokenizer))
        view = _view(method)
    with colour:
        chosen = _colour(spec)
    return Settings(spec, View(method=method, n=2 if flat else 3, **view), flat, chosen)


def _tokenizer() -> str:
    return st.selectbox(_("Tokenizer"), TOKENIZERS, TOKENIZERS.index("gpt2"), key="tokenizer", **_URL)


def _spec(values: dict[str, object]) -> Spec:
    try:
        spec = Spec(**values)
    except EmbedvizError as error:
        st.error(literal(str(error)), icon=":material/error:")
        st.stop()
    return replace(spec, vocabulary=words_of(spec))


def _colour(spec: Spec) -> str:
    known = bool(classes_of(vocabulary(spec))) if spec.tokenizer == "words" else False
    names = [name for name in COLOURS if known or COLOURS[name] != "class"]
    default = list(COLOURS.values()).index("class") if known else 0
    return COLOURS[
        st.selectbox(_("Colour"), names, default, format_func=translated, key="colour", help=_ABOUT_COLOURS, **_URL)
    ]


_ABOUT_METHODS = _(
    "PCA: principal components of the whole table, exact. Axis: along the difference of two tokens. "
    "t-SNE and UMAP: neighbours stay neighbours, distances on the map mean little; both get the first 50 "
    "principal components."
)
_ABOUT_COLOURS = _(
    "merge rank (ID): the order in which byte pairs were merged when the tokenizer was made. Pairs that "
    "were frequent in its training text were merged first, so a low ID says roughly that a token is "
    "frequent; it is no count. In “words” the order is that of the alphabet."
)


def _backend(source: str, tokenizer: str) -> dict[str, object]:
    """Settings of the Spec that are changed less often; what the source decides is left to it."""
    output_dim = size_field("output_dim", source, MAX_OUTPUT_DIM)
    seed = seed_field(source)
    lower_case = st.toggle(
        _("Lower case"), key="lower_case", disabled=tokenizer != "words" or source != "random", **_URL
    )
    fixed = SOURCES[source].fixed
    values = {"output_dim": output_dim, "seed": seed, "lower_case": lower_case and source == "random"}
    return {name: value for name, value in values.items() if name not in fixed}


def _view(method: str) -> dict[str, object]:
    view: dict[str, object] = {
        "sphereize": st.toggle(
            _("Sphereize"),
            key="sphereize",
            help=_("Centre the vectors and bring each to length 1 before they are mapped."),
            **_URL,
        )
    }
    if method == "tsne":
        view["perplexity"] = float(whole_number(_("Perplexity"), 2, 200, 30, key="perplexity"))
        view["iterations"] = whole_number(_("Iterations"), 10, 2000, 500, key="iterations")
    if method == "umap":
        view["n_neighbors"] = whole_number(_("Neighbours (n_neighbors)"), 2, 200, 15, key="n_neighbors")
        view["min_dist"] = st.slider(_("Smallest distance (min_dist)"), 0.0, 0.99, 0.1, 0.01, key="min_dist", **_URL)
    return view


def axis_fields(tokens: Vocabulary) -> tuple[int, int]:
    """The two tokens that an axis leads from and to."""
    left, right = st.columns(2)
    with left:
        start = token_field(_("Axis from"), first_of((" man", " he", "#0"), tokens), tokens, key="from")
    with right:
        end = token_field(_("to"), first_of((" woman", " she", f"#{len(tokens) - 1}"), tokens), tokens, key="to")
    return start, end


def isolate(found: Found) -> tuple[int, ...]:
    """What is lit alone on the map, if the reader says so: its IDs in order, or nothing for all tokens."""
    alone = st.toggle(
        _("Map these alone"),
        key="alone",
        help=_("Isolate what is lit and project it again, without the other tokens."),
        **_URL,
    )
    if not alone:
        return ()
    if len(found.lit) < 2:
        st.info(_("Two tokens at least, to make a map of them."), icon=":material/info:")
        return ()
    return tuple(sorted(set(found.lit)))


def tokens_of(spec: Spec) -> Vocabulary:
    """All tokens, their table made ready; a message, and nothing after it, if it cannot be had."""
    with turns.pause():
        found = vocabulary(spec)
        problem = _problem(found, spec)
    if isinstance(problem, Unavailable) and spec.source in CHECKPOINTS:
        _bring(spec.source)
    elif problem:
        st.error(literal(str(problem)), icon=":material/error:")
        st.stop()
    return found


def _problem(found: Vocabulary, spec: Spec) -> EmbedvizError | None:
    try:
        tables.token_table(len(found), spec)
    except EmbedvizError as error:
        return error
    return None


def _bring(source: str) -> None:
    """Offer to download a pretrained table, and do so; nothing after it until it is there."""
    model = CHECKPOINTS[source]
    asked = st.button(
        _(
            "Download the token table of {model}: {n_rows:,} × {n_dims:,} numbers, once for all",
            model=model.title,
            n_rows=VOCAB_SIZE,
            n_dims=model.output_dim,
        ),
        icon=":material/download:",
        key="bring",
    )
    if not asked:
        st.info(_("It is not on this machine yet. The sources random and trained need no network."))
        st.stop()
    bar = st.progress(0.0, _("Asking for {model}", model=model.title))
    try:
        with turns.pause():
            pretrained.download(
                source,
                lambda done, total: bar.progress(
                    done / total, _("{done:,.0f} of {total:,.0f} MB", done=done / 1e6, total=total / 1e6)
                ),
            )
    except Unavailable as error:
        unavailable(error, source)
    st.rerun()


def found_map(chosen: Settings, view: View) -> Map:
    """The map, or what stands in for it while t-SNE or UMAP are not done; a message if there is none."""
    try:
        if view.method in ("tsne", "umap"):
            return _layout(chosen.spec, view) or _drawn(chosen.spec, View(only=view.only, sphereize=view.sphereize))
        return _drawn(chosen.spec, view)
    except EmbedvizError as error:
        st.error(literal(str(error)), icon=":material/error:")
        return _drawn(chosen.spec, View(only=view.only))


def _drawn(spec: Spec, view: View) -> Map:
    if maps.is_ready(spec, view):
        return maps.draw(spec, view)
    with turns.pause():
        return maps.draw(spec, view)


def _layout(spec: Spec, view: View) -> Map | None:
    """The map by t-SNE or UMAP if it is there; otherwise a button, or how far it is."""
    with turns.pause():
        key = maps.layout_key(spec, view)
        wanted = st.session_state.get("layout") == key
        try:
            found = maps.layout(spec, view, _visitor(), start=wanted)
        except EmbedvizError as error:
            if not wanted:
                raise
            # Too many wait. Without the button there would be no way to try again.
            st.session_state.pop("layout", None)
            st.error(literal(str(error)), icon=":material/error:")
            found = None
    if isinstance(found, Map):
        return found
    if found is None:
        _offer(key, view, len(view.only) or len(vocabulary(spec)))
    else:
        _progress(spec, view, key)
    return None


def _visitor() -> str:
    return st.session_state.setdefault("visitor", uuid.uuid4().hex)


def _name(view: View) -> str:
    return next(translated(name) for name, method in NAMES.items() if method == view.method)


def _offer(key: str, view: View, n_tokens: int) -> None:
    st.button(
        _offered(view, n_tokens),
        icon=":material/play_arrow:",
        key="compute",
        on_click=lambda: st.session_state.update(layout=key),
    )


def _offered(view: View, n_tokens: int) -> str:
    tokens = ngettext("{n:,} token", "{n:,} tokens", n_tokens)
    if n_tokens < _MANY:
        return _("Compute {method} of {tokens}. Until then you see PCA.", method=_name(view), tokens=tokens)
    return _(
        "Compute {method} of {tokens}, a minute or more. Until then you see PCA.", method=_name(view), tokens=tokens
    )


@st.fragment(run_every=1.0)
def _progress(spec: Spec, view: View, key: str) -> None:
    """Asking is what keeps the job alive: who leaves the page asks no more."""
    try:
        found = maps.layout(spec, view, _visitor(), start=st.session_state.get("layout") == key)
    except EmbedvizError:  # it was given up, and now the line is full: the page says so
        found = None
    if not isinstance(found, Status):
        st.rerun()
    if found.state == "failed":
        st.error(_("{method} failed: {doing}", method=_name(view), doing=literal(found.doing)), icon=":material/error:")
        st.button(_("Try again"), key="again", on_click=lambda: maps.jobs.give_up(key, _visitor()))
        return
    before = _("{place} before it in line", place=found.place) if found.state == "waiting" else found.doing
    bar, button = st.columns([5, 1], vertical_alignment="center")
    with bar:
        st.progress(
            min(found.share, 1.0),
            _("{method}: {before}. Until it is done you see PCA.", method=_name(view), before=literal(before)),
        )
    with button:
        st.button(_("Cancel"), key="cancel", on_click=_cancel, args=(key,), width="stretch")


def _cancel(key: str) -> None:
    st.session_state.pop("layout", None)
    maps.jobs.give_up(key, _visitor())


def axis_names(found: Map, chosen: Settings, ends: tuple[str, str]) -> list[str]:
    """What stands at the axes: shares of the variance where there are such."""
    if np.isnan(found.explained).any():
        return []
    n = 2 if chosen.flat else 3
    shares = [f"{share:.2%}" for share in found.explained[:n]]
    if chosen.view.method == "axis" and chosen.view.ends[0] != chosen.view.ends[1]:
        rest = [_("rest {n}: {share}", n=k + 1, share=share) for k, share in enumerate(shares[1:])]
        return [f"{ends[0]} → {ends[1]}: {shares[0]}", *rest]
    return [_("PC {n}: {share}", n=k + 1, share=share) for k, share in enumerate(shares)]


def marks_of(found: Map, chosen: Settings, view: View, looked: Found, tokens: Vocabulary) -> Marks:
    """What is lit, and what the map shows now in words."""
    ends = tuple(isolated(name(tokens.texts[end])) for end in view.ends)
    names = axis_names(found, replace(chosen, view=view), ends)
    arrow = None
    if looked.moved and len(found.components) and not view.sphereize:
        start = maps.place_of(chosen.spec, found, looked.picked)
        arrow = np.stack([start, found.place(looked.moved.total)])
    lit = [] if view.only else looked.lit
    return Marks(
        alt=described(found, names, looked, tokens),
        flat=chosen.flat,
        colour=chosen.colour,
        lit=lit,
        picked=looked.picked,
        axes=names,
        arrow=arrow,
    )


def described(found: Map, names: Sequence[str], looked: Found, tokens: Vocabulary) -> str:
    """The text alternative: how many tokens, in which axes, and what is looked for."""
    n_tokens = len(found.ids)
    if n_tokens == len(tokens):
        what = _("Map of {n:,} tokens of {tokenizer}.", n=n_tokens, tokenizer=tokens.tokenizer)
    else:
        what = _(
            "Map of {n:,} of {total:,} tokens of {tokenizer}.",
            n=n_tokens,
            total=len(tokens),
            tokenizer=tokens.tokenizer,
        )
    how = (
        " " + _("Axes, with their shares of the variance: {names}.", names="; ".join(names))
        if names
        else " " + _("Its axes mean nothing alone.")
    )
    return f"{what}{how} {about(looked, tokens)}".strip()
