"""The process that trains. queue.py starts it, and it ends when nobody has asked for a run for a while.

It reads messages that hold settings as JSON, and answers each with several: the run so far, four times a second, and at
the end the finished run. An empty message ends a run early; the answer to it is an empty message too.
"""

import contextlib
import json
import os
import queue
import sys
import threading
from dataclasses import asdict

import torch

from embedviz.base.concurrency import pipe_messages
from embedviz.base.errors import EmbedvizError
from embedviz.training.run import follow, pack
from embedviz.training.train import TrainingSettings

EVERY = 0.25  # seconds between two messages
IDLE = 120.0  # seconds without a run after which the process ends, since it holds some 300 MB


def request(settings: TrainingSettings) -> list[bytes]:
    """The message that asks for a run."""
    return [json.dumps(asdict(settings)).encode()]


def main() -> None:
    """Answer requests until nobody asks any more, or until nobody can."""
    if hasattr(os, "nice"):  # Windows has no such function
        os.nice(10)  # only now, since somebody waits for PyTorch; at 19, seconds become minutes on a busy machine
    torch.set_num_threads(1)
    asked: queue.Queue[list[bytes] | None] = queue.Queue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while (message := asked.get(timeout=IDLE)) is not None:
            if message:  # else it was to stop a run that had ended before
                _answer(message[0], asked)
    os._exit(0)  # ends at once, even if the other thread still reads


def _listen(asked: queue.Queue[list[bytes] | None]) -> None:
    """Pass messages on, with None at the end."""
    with contextlib.suppress(EOFError):
        while True:
            asked.put(pipe_messages.receive(sys.stdin.buffer))
    asked.put(None)


def _answer(settings: bytes, asked: queue.Queue[list[bytes] | None]) -> None:
    try:
        for run in follow(TrainingSettings(**json.loads(settings)), EVERY):
            if not asked.empty() and not run.is_finished:
                break
            pipe_messages.send(sys.stdout.buffer, [pack(run)])
        else:
            return
    except EmbedvizError:
        pass  # the server has checked the settings, so no visitor waits for this message
    pipe_messages.send(sys.stdout.buffer, [])


if __name__ == "__main__":
    main()
