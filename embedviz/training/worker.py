"""The process that trains, started by queue.py. It ends when nobody has asked for a while.

It reads settings as lines of JSON and answers each with messages: the run so far, four times a second, and at
last the finished one. A line "stop" ends a run early, which is answered with an empty message.
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
IDLE = 120.0  # seconds without a run after which the process ends: it holds some 300 MB
STOP = b"stop\n"


def request(settings: TrainingSettings) -> bytes:
    """The line that asks for a run."""
    return json.dumps(asdict(settings)).encode() + b"\n"


def send_line(stream: BinaryIO, line: bytes) -> None:
    """Ask for a run, or say that it may stop."""
    stream.write(line)
    stream.flush()


def send(stream: BinaryIO, message: bytes) -> None:
    """Write a message: its length (uint32, little-endian), then itself."""
    stream.write(len(message).to_bytes(4, "little") + message)
    stream.flush()


def receive(stream: BinaryIO) -> bytes:
    """The next message. Raises EOFError if the other end is gone."""
    head = stream.read(4)
    length = int.from_bytes(head, "little")
    message = stream.read(length) if len(head) == 4 else b""
    if len(head) < 4 or len(message) < length:
        raise EOFError("the other end is gone")
    return message


def main() -> None:
    """Answer requests until nobody asks any more, or can."""
    if hasattr(os, "nice"):  # Windows has none
        os.nice(19)  # only now: at this priority a busy machine takes minutes to load PyTorch, and somebody waits
    torch.set_num_threads(1)
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    with contextlib.suppress(queue.Empty):
        while line := lines.get(timeout=IDLE):
            if line != STOP:  # one that came after the run had ended
                _answer(line, lines)
    os._exit(0)  # at once, whatever the other thread still reads


def _listen(lines: queue.Queue[bytes]) -> None:
    """Pass lines on; an empty one at the end."""
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
        pass  # whoever asks has checked, so this is nobody's message
    send(sys.stdout.buffer, b"")


if __name__ == "__main__":
    main()
