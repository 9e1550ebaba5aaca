"""The field that chooses where the vectors come from."""

from typing import cast, overload

import streamlit as st

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import _, paragraph, translated
from embedviz.layers.trace import default_spec
from embedviz.text.grammar import VOCABULARY
from embedviz.ui import turns
from embedviz.ui.inputs.fields import BOUND, give_way, mistake_place
from embedviz.ui.inputs.options import OPTIONS
from embedviz.ui.inputs.own_vectors import own_vectors
from embedviz.ui.messages import literal
from embedviz.vectors.own.brought import UploadedVectors
from embedviz.vectors.sources import NAMES, RANDOM, Source, source_of
from embedviz.vectors.spec import Spec

FITS = "fits"  # in the address: the source that fits the sentences best


@overload
def chosen_source(default: str = RANDOM.name, *, is_set_by_page: bool = False) -> Source: ...


@overload
def chosen_source(
    default: str = RANDOM.name, *, is_set_by_page: bool = False, extra_option: str, about_extra: str
) -> Source | None: ...


def chosen_source(
    default: str = RANDOM.name, *, is_set_by_page: bool = False, extra_option: str = "", about_extra: str = ""
) -> Source | None:
    """Return where the tables come from: a source of the list, or any model on the Hub by its name.

    It is `default` if the address does not say. A name that cannot be used stays in the field with a message below it,
    and the last good source stays in use. is_set_by_page: whether the page writes the source into the address itself.
    extra_option: the name of what this view alone can show besides sources, for which None is returned; about_extra
    says in a sentence what that is.
    """
    help_ = _(
        "Where the tables come from. random: {random}. trained: {trained}. own: a file of yours. All others are "
        "real models. You can also type the name of any other model on the Hugging Face Hub, such as "
        "Qwen/Qwen3-1.7B: owner, slash, name. Only the rows of your sentences are read.",
        random=_("standard normal numbers, as PyTorch fills a new table"),
        trained=_("the two tables of the small GPT on the page “Training”, which knows {n} words", n=len(VOCABULARY)),
    )
    give_way("source", default)
    options = [*([extra_option] if extra_option else []), *NAMES, UploadedVectors.name]
    typed = st.selectbox(
        _("Source"),
        options,
        None if is_set_by_page else options.index(default),
        key="source",
        format_func=_label,
        accept_new_options=True,
        help=paragraph([help_, about_extra]),
        required=is_set_by_page,
        **BOUND,
    )
    if typed == UploadedVectors.name:
        return cast("Source | None", own_vectors()) or _without_own(default, extra_option)
    if (typed or default) == extra_option:
        return None
    source = None
    try:
        source = source_of(str(typed or default).strip())
        with turns.release_lock(unless=source.is_at_hand()):
            source.layout()  # which says what is wrong with a model
    except Unavailable:
        return source  # where the vectors would be, the page says why they are not
    except EmbedvizError as error:
        kept = st.session_state.get("source_kept", default)
        mistake_place("source").error(
            literal(_("{error} The source {kept} stays in use.", error=error, kept=_label(kept)))
        )
        if "source_kept" not in st.session_state:  # the name came with the address, and "Settings" may hide the field
            st.toast(literal(str(error)), icon=":material/error:", duration="long")
        return None if kept == extra_option else source_of(kept)
    st.session_state["source_kept"] = source.name
    return source


def _label(name: object) -> str:
    """What a source is called in the field: a model by its name, in every language."""
    labels = OPTIONS["source"]
    return translated(labels[name]) if isinstance(name, str) and name in labels else str(name)


def _without_own(default: str, extra_option: str) -> Source | None:
    """What stays in use while the visitor has brought no vectors. Somebody else's link may have named them."""
    kept = st.session_state.get("source_kept", default)
    said = _(
        "A link does not take vectors of one's own along. Choose a file; {kept} is in use until then.",
        kept=_label(kept),
    )
    st.info(literal(said), icon=":material/upload_file:")
    if "source_kept" not in st.session_state:  # the name came with the address, and "Settings" may hide the field
        st.toast(literal(said), icon=":material/upload_file:", duration="long")
    return None if kept == extra_option else source_of(kept)


def spec_source(source: Source) -> str | UploadedVectors:
    """The source as a Spec takes it: by its name, or the vectors of one's own themselves."""
    return source if isinstance(source, UploadedVectors) else source.name


def source_that_fits() -> Source | None:
    """Return the source that the visitor has chosen; None if it is to be the one that fits the sentences best."""
    about = _("As it fits the sentences: the small GPT if it knows all their words, or else a real model.")
    return chosen_source(FITS, extra_option=FITS, about_extra=about)


def spec_for(source: Source | None, *texts: str) -> Spec:
    """The settings under which these sentences are read: by the source, or by the one that fits them best."""
    if source is None:
        return default_spec(*texts)
    return Spec(source=spec_source(source))
