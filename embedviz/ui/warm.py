"""What the first visitor should not wait for, and what no visitor should."""

import gc
import socket
import threading

from threadpoolctl import threadpool_limits

from embedviz import datafiles, maps, samples, tables
from embedviz.spec import Spec
from embedviz.ui.cloud import packed_texts
from embedviz.vocabulary import vocabulary

_LATER = 3.0  # seconds after the start


def warm_up() -> None:
    """Load what the default page needs, then take it out of the garbage collector's sight."""
    # The matrices of a page are small: a second thread would only wait for the first, and cost a core.
    threadpool_limits(1, user_api="blas")
    datafiles.check()
    spec = Spec()
    tables.position_table(samples.encoding(spec.tokenizer).n_vocab, spec)
    send_at_once()
    gc.collect()
    gc.freeze()
    later = threading.Timer(_LATER, warm_map)
    later.daemon = True
    later.start()


def warm_map() -> None:
    """The default map of the page "Vocabulary", for which the first chart should not wait."""
    tokens = vocabulary(Spec())
    maps.draw(Spec(), maps.View())
    packed_texts(tokens, ())


def send_at_once() -> None:
    """Turn Nagle's algorithm off on the sockets that listen; those they accept inherit it.

    asyncio does so for sockets that it makes itself, but `streamlit run` brings its own, and then each
    edit waits 40 ms for the browser's delayed acknowledgement.
    """
    listening = [thing for thing in gc.get_objects() if type(thing) is socket.socket]
    for server in listening:
        if server.family in (socket.AF_INET, socket.AF_INET6):
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
