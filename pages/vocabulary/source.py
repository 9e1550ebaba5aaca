"""Where the page's vectors come from: the field, what it opens on, and the download of a table that is not here yet."""

from typing import NoReturn, cast

import streamlit as st

from embedviz.base.i18n import _, paragraph
from embedviz.base.pages import page_at
from embedviz.models import HubModel, NotDownloaded
from embedviz.server.streamlit_inside.address import write_into_address
from embedviz.ui import literal, stop, stop_at_error, turns, visitor
from embedviz.ui.inputs import download_field
from embedviz.ui.inputs.source_field import chosen_source
from embedviz.vectors import tables
from embedviz.vectors.sources import NAMES, Source
from embedviz.vectors.spec import Spec
from embedviz.vocabulary import fetching, word_map
from embedviz.vocabulary.vocabulary import Vocabulary, vocabulary

WORD_MAP = page_at("vocabulary").keeps["source"]  # what the address calls the map that comes with the app
_OF_RANDOM = ("tokenizer", "output_dim", "seed", "lower_case")


def source_field() -> Source | None:
    """Return the source that the address names; None for the map that comes with the app.

    If the address names none, take one, and write it there at once.
    """
    if not st.query_params.get("source"):
        write_into_address("source", _opens_on())
    about = _("{name}: a map that comes with the app.", name=WORD_MAP)
    return chosen_source(_opens_on(), is_set_by_page=True, extra_option=WORD_MAP, about_extra=about)


def _opens_on() -> str:
    """Random vectors if the address has a setting that only they have; else the map of words."""
    return "random" if any(name in st.query_params for name in _OF_RANDOM) else WORD_MAP


def lead(source: Source | None) -> str:
    """Whose vectors these are, for the line under the title."""
    if source is None:
        return paragraph([_("The trained vectors of {model}.", model=word_map.MODEL), _("The map comes with the app.")])
    return source.whose if source.name in NAMES else literal(source.whose)


def tokens_of(spec: Spec) -> Vocabulary:
    """All tokens, their table made ready. If it cannot be had now, the page says so, or offers it, and stops."""
    with stop_at_error(spec.origin.name), turns.release_lock():
        if isinstance(spec.origin, HubModel):
            tables.check_model(spec.origin)  # before anything of it is downloaded
        tokens = vocabulary(spec)
        is_missing = _is_missing(tokens, spec)
    if is_missing:
        _bring(cast("HubModel", spec.origin))  # no other source lacks one
    return tokens


def _is_missing(vocabulary: Vocabulary, spec: Spec) -> bool:
    try:
        tables.token_table(len(vocabulary), spec)
    except NotDownloaded:
        return True
    return False


def _bring(source: HubModel) -> NoReturn:
    """Offer to download a model's table, or show how far it is. The page stops here until the table is there."""
    if not download_field.is_coming(fetching.downloads, source.name, source.title):
        _download_field(source)
    stop()


def _download_field(source: HubModel) -> None:
    layout = source.layout()
    tensor = source.tensor(layout.token)
    label = _(
        "Download the token table of {model}: {n_rows:,} × {n_dims:,} numbers, {size}",
        model=literal(source.title),
        n_rows=layout.vocab_size,
        n_dims=layout.output_dim,
        size=download_field.megabytes(tensor.nbytes if tensor else source.table_bytes),
    )
    download_field.button(label, "bring", lambda: fetching.fetch(source, visitor()))
    st.info(
        _(
            "It is not on this machine yet. Once it is here, it stays. You can cancel the download, and go on later "
            "where it stopped. The sources random and trained need no network."
        )
    )
