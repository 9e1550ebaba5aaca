"""Work that is done once at the start, so that no visitor waits for it: the first picture, tables, memory."""

import ctypes
import gc
import logging
import threading

import numpy as np
from threadpoolctl import threadpool_limits

from embedviz.base import data_files, log
from embedviz.base.i18n import language
from embedviz.base.settings import configured
from embedviz.layers import model_queue
from embedviz.layers.runnable import runnable
from embedviz.server.html import without_scripts
from embedviz.text import samples
from embedviz.text.samples import usual_pair
from embedviz.ui.components.cloud.cloud import packed_texts
from embedviz.ui.whole_way.pair import Asked, whole_way_of
from embedviz.vectors import tables
from embedviz.vectors.projection import project
from embedviz.vectors.spec import Spec
from embedviz.vocabulary import token_map
from embedviz.vocabulary.vocabulary import vocabulary
from embedviz.vocabulary.word_map import word_map

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None

_FILES = 4  # that a session holds open: its connection, and three of the event loop that Streamlit makes for it
_SESSIONS_KEPT = 128  # sessions that Streamlit keeps for two minutes after their connections have ended
_OTHERS = 256  # files that others hold open: the server, training, requests of pages and their files
_LEAST = 2**12  # of which a quarter may wait for the server: the phones of a hall of 500 that press twice at once
_USUAL_FILES = 1024  # where a program cannot ask how many it may open
_MANY = 2**13  # more of them make no difference
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # their numbers in glibc's malloc.h
_LARGE = 2**22  # bytes; more than the arrays of an edit
LATER = 3.0  # seconds after the start


def warm_up() -> None:
    """Load what the default page needs, then take it out of the garbage collector's sight."""
    data_files.check()
    frugal_heaps()
    many_files(configured().sessions)
    pair = usual_pair()
    whole_way_of(Asked((pair.a, pair.b)))
    without_scripts.copies()
    settle()
    later = threading.Timer(LATER, warm_the_rest)
    later.daemon = True
    later.start()


def settle() -> None:
    """What has been loaded stays: it works in one thread, and the garbage collector looks at it no more."""
    # The matrices of a page are small, so a second thread would only wait for the first, and would keep a core busy.
    # The limit holds only for libraries that are loaded by then.
    threadpool_limits(1, user_api="blas")
    gc.collect()
    gc.freeze()


def frugal_heaps() -> bool:
    """Let all threads share two heaps and give large blocks back. Return whether the C library can do that.

    Streamlit begins a thread for each run of a script. glibc gives the threads up to eight heaps for each core, and
    memory that is freed in one heap is not used again by another: with 60 visitors, some 40 MB are lost. Once glibc has
    seen a large block freed, it also takes the next large blocks from a heap. They stay there as long as anything lies
    behind them: after some messages of 16 MB, that was 66 MB.
    """
    try:
        options = {_M_ARENA_MAX: 2, _M_MMAP_THRESHOLD: _LARGE, _M_TRIM_THRESHOLD: 2 * _LARGE}
        return all(ctypes.CDLL(None).mallopt(option, value) == 1 for option, value in options.items())
    except (AttributeError, OSError, TypeError):  # not glibc
        return False


def many_files(n_sessions: int) -> None:
    """Let the process open as many files as this number of sessions needs, or as many as the system allows.

    Most systems start a program with 1,024, which 150 to 250 sessions use up. As many again are for clients that keep
    the server waiting (`lifecycle.be_patient`).
    """
    if resource is None:
        return
    needed = max(_LEAST, 2 * (_FILES * (n_sessions + _SESSIONS_KEPT) + _OTHERS))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (ValueError, OSError):  # macOS allows fewer than it says
            most = soft
    if most < needed:
        log.event("few files", logging.WARNING, may_open=most, needed=needed)


def files_at_most() -> int:
    """How many files the process may open, as far as it matters here."""
    if resource is None:
        return _USUAL_FILES
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MANY if soft == resource.RLIM_INFINITY else min(soft, _MANY)


def warm_the_rest() -> None:
    """After the first picture, so that it need not wait: what pairs and PCA take, the default map, and transformers if
    there is a model to run."""
    spec = Spec()
    tables.position_table(samples.encoding(spec.tokenizer).n_vocab, spec)
    project(np.eye(2))  # imports scikit-learn
    settle()
    warm_map()
    if runnable():
        model_queue.warm_up()


def warm_map() -> None:
    """Make ready the map on which the page "Vocabulary" opens, and that of random vectors, which one switch shows."""
    token_map.draw(Spec(), token_map.View())
    for tokens in (word_map().tokens, vocabulary(Spec())):
        packed_texts(tokens, (), language())
