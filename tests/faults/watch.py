"""Asks a server again and again whether it lives, and prints after how many seconds it said so.

A process of its own, since an attack keeps the tests' process busy: python -m tests.faults.watch PORT. It goes on
until it is ended.
"""

import sys
import time

from tests.ask import ask

PAUSE = 0.1  # seconds


def main(port: int) -> None:
    while True:
        start = time.perf_counter()
        answer = ask(port, "/healthz")
        print(time.perf_counter() - start if answer.status == 200 else answer.status, flush=True)
        time.sleep(PAUSE)


if __name__ == "__main__":
    main(int(sys.argv[1]))
