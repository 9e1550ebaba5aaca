"""The process that trains. queue.py starts it, and it ends when nobody has asked for a run for a while.

It reads settings as lines of JSON and answers each line with messages: the run so far, four times a second, and at
the end the finished run. A line "stop" ends a run early; the answer to it is an empty message.
"""

import contextlib
import json
import os
import queue
import sys
import threading
from dataclasses import asdict
from typing import BinaryIO

import torch

from embedviz.base.errors import EmbedvizError
from embedviz.training.run import follow, pack
from embedviz.training.train import TrainingSettings

EVERY = 0.25  # seconds between two messages
IDLE = 120.0  # seconds without a run after which the process ends, since it holds some 300 MB
STOP = b"stop\n"


def request(settings: TrainingSettings) -> bytes:
    """The line that asks for a run."""
    return json.dumps(asdict(settings)).encode() + b"\n"


def send_line(stream: BinaryIO, line: bytes) -> None:
    """Send a line to the process: one that asks for a run, or one that says that a run may stop."""
    stream.write(line)
    stream.flush()


def send(stream: BinaryIO, message: bytes) -> None:
    """Write a message: first its length (uint32, little-endian), then its bytes."""
    stream.write(len(message).to_bytes(4, "little") + message)
    stream.flush()


def receive(stream: BinaryIO) -> bytes:
    """Read the next message. Raises EOFError if the other end is gone."""
    head = stream.read(4)
    length = int.from_bytes(head, "little")
    message = stream.read(length) if len(head) == 4 else b""
    if len(head) < 4 or len(message) < length:
        raise EOFError("the other end is gone")
    return message


def main() -> None:
    """Answer requests until nobody asks any more, or until nobody can."""
    if hasattr(os, "nice"):  # Windows has no such function
        os.nice(10)  # only now, since somebody waits for PyTorch; at 19, seconds become minutes on a busy machine
    torch.set_num_threads(1)
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while line := lines.get(timeout=IDLE):
            if line != STOP:  # a stop that came after the run had ended
                _answer(line, lines)
    os._exit(0)  # ends at once, even if the other thread still reads


def _listen(lines: queue.Queue[bytes]) -> None:
    """Pass lines on, with an empty line at the end."""
    while True:
        line = sys.stdin.buffer.readline()
        lines.put(line)
        if not line:
            return


def _answer(line: bytes, lines: queue.Queue[bytes]) -> None:
    try:
        for run in follow(TrainingSettings(**json.loads(line)), EVERY):
            if not lines.empty() and not run.is_finished:
                break
            send(sys.stdout.buffer, pack(run))
        else:
            return
    except EmbedvizError:
        pass  # the server has checked the settings, so no visitor waits for this message
    send(sys.stdout.buffer, b"")


if __name__ == "__main__":
    main()
