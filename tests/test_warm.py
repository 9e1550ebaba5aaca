"""What the server does before its first visitor."""

import subprocess
import sys

# Before what is to be seen of the C library's heaps, as they are or as the server wants them.
LIBC = """
import ctypes, os, threading
from embedviz.ui.warm import frugal_heaps
if {frugal}:
    assert frugal_heaps()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
"""
# Counts the heaps beside the main one: each lies at a multiple of 64 MB, its size as big.
HEAPS = """
barrier = threading.Barrier(6)
found = set()
def work():
    barrier.wait()
    found.update(libc.malloc(1000) >> 26 for _ in range(50))
    barrier.wait()
threads = [threading.Thread(target=work) for _ in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(found))
"""


def printed(script: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)


def usual_and_frugal(script: str) -> list[int]:
    """What it prints with the C library's own heaps, and with the server's."""
    return [int(printed(LIBC.replace("{frugal}", str(frugal)) + script).stdout) for frugal in (False, True)]


def test_threads_share_heaps():
    usual, frugal = usual_and_frugal(HEAPS)
    assert frugal <= 2 < usual


# Large blocks that come and go, each with a small one behind it that stays.
LARGE = """
libc.free.argtypes = [ctypes.c_void_p]
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
def used():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
libc.free(libc.malloc(24 << 20))
before = used()
held = []
for _ in range(8):
    held.append(libc.malloc(16 << 20))
    libc.memset(held[-1], 1, 16 << 20)
    libc.malloc(100_000)
[libc.free(each) for each in held]
print(used() - before)
"""


def test_large_blocks_are_given_back():
    usual, frugal = usual_and_frugal(LARGE)
    assert frugal < 10  # MiB
    assert usual > 100


FILES = """
import resource
from embedviz.ui.warm import many_files
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
many_files(600)
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


def test_a_process_opens_as_many_files_as_it_needs_or_may_and_says_if_those_are_few():
    found = {}
    for soft, hard in ((256, 4000), (3500, 4000), (256, 1000)):
        done = printed(FILES.format(soft=soft, hard=hard))
        found[soft, hard] = int(done.stdout), "few files" in done.stderr
    assert found == {(256, 4000): (3168, False), (3500, 4000): (3500, False), (256, 1000): (1000, True)}
