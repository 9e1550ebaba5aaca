"""The app's process before its first visitor, step by step: python -m tests.server.starting FOLDER prints as JSON what
is then so.

FOLDER stands in for data/ at the first start. The port of the metrics should be taken, so that the second start ends.
"""

import asyncio
import ctypes
import json
import os
import resource
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

LIBC = ctypes.CDLL(None)
LIBC.malloc.restype = ctypes.c_void_p
LIBC.malloc.argtypes = [ctypes.c_size_t]
LIBC.free.argtypes = [ctypes.c_void_p]
LIBC.sbrk.restype = ctypes.c_void_p
LIBC.sbrk.argtypes = [ctypes.c_ssize_t]
LIBC.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]


def heap_of(address: int) -> int:
    """A number for the heap in which the address lies."""
    return 0 if address < LIBC.sbrk(0) else address >> 26


def n_heaps() -> int:
    """How many heaps six threads have of the C library.

    The first ends where the program's own memory does, wherever it begins. Each other one lies behind it, at a multiple
    of 64 MB, its size as big.
    """
    barrier = threading.Barrier(6)
    found = set()

    def work() -> None:
        barrier.wait()
        found.update(heap_of(LIBC.malloc(1000)) for _ in range(50))
        barrier.wait()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(found)


def mib_kept() -> int:
    """Of large blocks that came and went, each with a small one behind it that stays."""
    LIBC.free(LIBC.malloc(24 << 20))
    before = _mib_used()
    held = []
    for _ in range(8):
        held.append(LIBC.malloc(16 << 20))
        LIBC.memset(held[-1], 1, 16 << 20)
        LIBC.malloc(100_000)
    for each in held:
        LIBC.free(each)
    return _mib_used() - before


def _mib_used() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def files() -> int:
    """How many the process may open."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def main(folder: Path) -> Iterator[tuple[str, object]]:
    """What is so after each step, by name."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 8000))
    app = import_module("app")
    yield "loaded", sorted(sys.modules)
    warm_up = import_module("embedviz.server.warm_up")
    warm_up.LATER = 3600.0  # seconds: the default map is another matter
    with data_in(folder):
        yield "said of the data", said(lambda: asyncio.run(entered(app)))
    yield "code", exit_code()
    yield "loaded then", sorted(sys.modules)
    yield "files", files()
    yield "first edit", needs(edit)
    warm_up.warm_the_rest()
    yield "first PCA", needs(pca)
    yield "heaps", n_heaps()
    yield "kept", mib_kept()
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 8000))
    warm_up.many_files(1)
    yield "files for one session", files()
    for soft, hard in ((7000, 8000), (256, 1000)):
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        warm_up.many_files(600)
        yield f"files of {soft}", files()


@contextmanager
def data_in(folder: Path) -> Iterator[None]:
    """Let another folder be data/."""
    data_files = import_module("embedviz.base.data_files")
    before, data_files.DATA = data_files.DATA, folder
    data_files.sums.cache_clear()
    yield
    data_files.DATA = before
    data_files.sums.cache_clear()


def said(do: Callable[[], None]) -> str:
    """What is said by the error with which it ends."""
    try:
        do()
    except ValueError as error:
        return str(error)
    return ""


async def entered(app: object) -> None:
    """Be ready for visitors, and end."""
    async with app.lifespan(app.app):
        pass


def exit_code() -> int:
    """With which a real server ends."""
    try:
        import_module("uvicorn").run("app:app", port=0, log_config=None)
    except SystemExit as end:
        return end.code
    return 0


def needs(do: Callable[[], None]) -> list[str]:
    """The modules that are loaded for it."""
    before = set(sys.modules)
    do()
    return sorted(set(sys.modules) - before)


def edit() -> None:
    """Of the first view."""
    view = import_module("pages.compare.whole").WHOLE
    asked = import_module("embedviz.ui.whole_way.pair").Asked(("the cat saw the dog who sat ?", "the dog saw the cat"))
    view.program(view.compute(asked))


def pca() -> None:
    """Of two sentences, and of a tall table."""
    ev, projection = import_module("embedviz"), import_module("embedviz.vectors.projection")
    compared = ev.compare(*(ev.embed(text, ev.Spec()) for text in ("the cat sat", "sat the cat")))
    projection.scene(compared)
    ev.project(compared.a.token_embeddings.repeat(4000, axis=0)[:, :8])


if __name__ == "__main__":
    print(json.dumps(dict(main(Path(sys.argv[1])))))
