"""The fields that bring vectors of one's own, which stay in the visitor's session and go nowhere else."""

from collections.abc import Callable
from threading import Semaphore
from typing import Any, TypeVar, cast
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import ScriptRunContext, get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, pgettext
from embedviz.base.networks import network_of
from embedviz.text.tokens import TOKENIZERS
from embedviz.ui import turns
from embedviz.ui.inputs.fields import BOUND
from embedviz.ui.messages import file_is_gone, literal, show_error
from embedviz.vectors import tables
from embedviz.vectors.own.brought import UploadedVectors
from embedviz.vectors.own.number_arrays import MOST_MIB
from embedviz.vectors.own.vector_files import Origin, Texts, VectorFile, read, read_texts, reasons, source_from

_KINDS = ["tsv", "csv", "npz", "npy", "safetensors"]
_READING = Semaphore(2)  # files at a time, since each takes up to 350 MiB until it is read
FILES: WeakKeyDictionary[VectorFile, str] = WeakKeyDictionary()  # those that sessions hold, and whose network has each
_OF_IDS = [name for name in TOKENIZERS if name != "words"]
_IN_SESSION = "own_made"  # in the session: of what the vectors were made, and the vectors
_Read = TypeVar("_Read", VectorFile, Texts)  # what a field's file holds


def own_vectors() -> UploadedVectors | None:
    """The vectors of the visitor's file. After a mistake, a message, and the last good ones; None if there are none."""
    help_ = _(
        "vectors.tsv of the Embedding Projector, CSV or NPZ as saved below a page, NPY, or safetensors. The file stays "
        "in your session, and a link does not take it along."
    )
    file = _file(_("Vectors of your own, at most {most} MiB", most=MOST_MIB), _KINDS, read, key="own_file", help=help_)
    about = st.container()
    if file:
        try:
            _make(file)
        except EmbedvizError as error:
            show_error(error)
    if source := uploaded():
        in_use = cast("Origin", source.origin).file  # since it was read from one
        about.caption(_("In use: {name}", name=literal(in_use.name)))
        if in_use.left_aside:
            about.info(literal(reasons(in_use.left_aside)), icon=":material/info:")
    return source


def uploaded() -> UploadedVectors | None:
    """The vectors that the visitor has brought in this session."""
    return st.session_state.get(_IN_SESSION, (None, None))[1]


def _file(label: str, kinds: list[str], reading: Callable[[str, bytes], _Read], *, key: str, help: str) -> _Read | Any:
    """What the newest good file of this field holds. What is wrong with another one stands below the field."""
    given = st.file_uploader(label, kinds, key=key, help=help, max_upload_size=MOST_MIB)
    kept_as, named = f"{key}_read", st.session_state[key]  # which names a file also when its bytes are gone
    seen, found, problem = st.session_state.get(kept_as, ("", None, None))
    if named and named.file_id != seen:
        problem = None
        try:
            if not given:
                raise file_is_gone()
            with st.spinner(_("Reading {name}.", name=literal(given.name))), turns.release_lock(), _READING:
                found = _with_room(reading(given.name, given.getvalue()))
        except EmbedvizError as error:
            problem = error.without_frames()
        st.session_state[kept_as] = named.file_id, found, problem
        if given:
            _empty(named)
    if named and problem:
        show_error(problem)
    return found


def _with_room(file: VectorFile | Texts) -> VectorFile | Texts:
    """Count the tables of a file. Raises EmbedvizError if all visitors' files would take too much memory, or one's own.

    Whoever sits behind one address may have half of the room, so that the other half is there for everybody else.
    """
    if isinstance(file, VectorFile):
        address = network_of(st.context.ip_address or "")
        held = [(each.nbytes, whose) for each, whose in list(FILES.items())]
        if sum(n for n, _whose in held) + file.nbytes > tables.BUDGET_BYTES:
            raise EmbedvizError("The vectors of other visitors take all room just now. Try again in a few minutes.")
        if sum(n for n, whose in held if whose == address) + file.nbytes > tables.BUDGET_BYTES // 2:
            raise EmbedvizError(
                "Visitors from your network have brought as many vectors as one network may. Close a tab that has "
                "some, and try again in a few minutes."
            )
        FILES[file] = address
    return file


def _empty(file: UploadedFile) -> None:
    """Free the bytes of a file, which was read or refused. The browser goes on naming it."""
    run = cast("ScriptRunContext", get_script_run_ctx())  # a page runs
    manager = cast("MemoryUploadedFileManager", run.uploaded_file_mgr)
    manager.remove_file(run.session_id, file.file_id)
    file.truncate(0)  # the session keeps this object as the field's value, and the field gives copies of it


def _make(file: VectorFile) -> None:
    """Make the source from the tables that the visitor chooses, where the file leaves a choice."""
    token, position = file.likely
    if len(file.tables) > 1:
        token = _table(_("Token table"), [*file.tables], token, key="own_token")
        others = ["", *(name for name in file.tables if name != token)]
        position = _table(_("Positional table"), others, position or "", key="own_position")
    if token is None:
        st.info(_("Choose the token table of this file."), icon=":material/table_rows:")
        return
    texts, tokenizer = None, ""
    if token not in file.texts:
        help_ = _("metadata.tsv of the Embedding Projector, or a text with one token in each line.")
        texts = _file(_("Texts of the tokens"), ["tsv", "txt"], read_texts, key="own_texts", help=help_)
        tokenizer = "" if texts else st.session_state.get("tokenizer")
        tokenizer = tokenizer if tokenizer in ("", *_OF_IDS) else _OF_IDS[0]
    _keep(file, token, position or None, texts, tokenizer)
    if tokenizer:  # after the vectors are there: a page without them has a field of this name itself
        _keep(file, token, position or None, texts, _tokenizer())


def _keep(*made_of: Any) -> None:
    """Make the source of this, unless the visitor has it already. Raises EmbedvizError as `source_from` does."""
    before, _source = st.session_state.get(_IN_SESSION, ((), None))
    if before != made_of:
        with turns.release_lock():
            st.session_state[_IN_SESSION] = made_of, source_from(*made_of)


def _table(label: str, names: list[str], likely: str | None, *, key: str) -> str | None:
    """One of a file's tables. The address does not hold its name, which is the visitor's own."""
    before = st.session_state.get(f"{key}_kept")
    before = before if before in names else likely
    index = names.index(before) if before in names else None
    chosen = st.selectbox(label, names, index, key=key, format_func=lambda name: name or pgettext("no table", "None"))
    st.session_state[f"{key}_kept"] = chosen
    return chosen


def _tokenizer() -> str:
    """The tokenizer whose IDs the rows are."""
    return st.selectbox(_("Without texts, row n is the vector of ID n of"), _OF_IDS, key="tokenizer", **BOUND)
