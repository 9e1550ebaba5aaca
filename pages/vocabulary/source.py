"""Where the page's vectors come from: the field, what it opens on, and the download of a table that is not here yet."""

from typing import NoReturn

import streamlit as st

from embedviz import models
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.jobs import Progress
from embedviz.server.streamlit_inside.address import write_into_address
from embedviz.ui import turns
from embedviz.ui.controls import chosen_source, whose
from embedviz.ui.fields import literal
from embedviz.ui.messages import show_error, stop, stop_at_error
from embedviz.ui.visitor import visitor
from embedviz.vectors import tables
from embedviz.vectors.sources import SOURCES, is_model
from embedviz.vectors.spec import Spec
from embedviz.vocabulary import fetching
from embedviz.vocabulary.vocabulary import Vocabulary, vocabulary

_OF_RANDOM = ("tokenizer", "output_dim", "seed", "lower_case")
_REFUSED = "vocabulary_refused"  # in the session


def source_field() -> str:
    """Return the source that the address names. If it names none, take one, and write it there at once."""
    if not st.query_params.get("source"):
        write_into_address("source", _opens_on())
    return chosen_source(_opens_on(), is_written=True)


def _opens_on() -> str:
    """Random vectors if the address has a setting that only they have, as older links do; else learned ones."""
    return "random" if any(name in st.query_params for name in _OF_RANDOM) else learned()


def learned() -> str:
    """The vectors of the best model whose table lies on this machine and fits; those of the small GPT if none does."""
    fit = (name for name in models.here() if tables.model_bytes(name) <= tables.MAX_TABLE_BYTES)
    return next(fit, "trained")


def lead(source: str) -> str:
    """Whose vectors these are, for the line under the title; nothing if the source is none, as a message says then."""
    try:
        return whose(source) if source in SOURCES else literal(whose(source))
    except EmbedvizError:
        return ""


def tokens_of(spec: Spec) -> Vocabulary:
    """All tokens, their table made ready. If it cannot be had now, the page says so, or offers it, and stops."""
    with stop_at_error(spec.source), turns.pause():
        if is_model(spec.source):
            tables.check_model(spec.source)  # before anything of it is downloaded
        found = vocabulary(spec)
        is_missing = _is_missing(found, spec)
    if is_missing:
        _bring(spec.source)
    return found


def _is_missing(found: Vocabulary, spec: Spec) -> bool:
    try:
        tables.token_table(len(found), spec)
    except models.NotDownloaded:
        return True
    return False


def _bring(source: str) -> NoReturn:
    """Offer to download a model's table, or show how far it is. The page stops here until the table is there."""
    found = fetching.downloads.look(source, visitor())
    if found and not found.error:
        _watch(source)
    else:
        _offer(source, found.error if found else st.session_state.pop(_REFUSED, ""))
    stop()


def _offer(source: str, problem: str) -> None:
    if problem:
        show_error(problem)
    layout = models.layout(source)
    st.button(
        _(
            "Download the token table of {model}: {n_rows:,} × {n_dims:,} numbers, {size}",
            model=literal(models.title(source)),
            n_rows=layout.vocab_size,
            n_dims=layout.output_dim,
            size=_megabytes(models.size(source) or tables.model_bytes(source)),
        ),
        icon=":material/download:",
        key="bring",
        on_click=_ask,
        args=(source,),
    )
    st.info(
        _(
            "It is not on this machine yet. Once it is here, it stays. You can cancel the download, and go on later "
            "where it stopped. The sources random and trained need no network."
        )
    )


def _megabytes(nbytes: float) -> str:
    return _("{size:,.1f} MB", size=nbytes / 1e6) if nbytes < 1e7 else _("{size:,.0f} MB", size=nbytes / 1e6)


def _ask(source: str) -> None:
    try:
        fetching.fetch(source, visitor())
    except EmbedvizError as error:
        st.session_state[_REFUSED] = str(error)


@st.fragment(run_every=0.5)
def _watch(source: str) -> None:
    """Show how far the download is. It goes on only while a page asks for it, and a page that was left asks no more."""
    found = fetching.downloads.look(source, visitor())
    if found is None or found.error:
        st.rerun()
    bar, button = st.columns([5, 1], vertical_alignment="center")
    with bar:
        st.progress(min(found.share, 1.0), literal(_said(source, found)))
    with button:
        st.button(_("Cancel"), key="cancel_bring", on_click=_cancel, args=(source,), width="stretch")


def _said(source: str, found: Progress) -> str:
    if found.place:
        return _("Downloads before it in line: {place}", place=found.place)
    if not found.numbers:
        return _("Asking for {model}", model=models.title(source))
    done, total = (_megabytes(found.numbers[name]) for name in ("done", "total"))
    return _("{model}: {done} of {total}", model=models.title(source), done=done, total=total)


def _cancel(source: str) -> None:
    fetching.downloads.leave(visitor(), source)
