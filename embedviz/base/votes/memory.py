"""Where the votes of one server lie: in its memory, where each is gone after two hours."""

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import cachetools

from embedviz.base.errors import EmbedvizError

SECONDS = 2 * 60 * 60  # for which a vote is kept, here or in Valkey
MOST_OPEN = 200  # votes in memory
IDLE_SECONDS = 10 * 60  # a running vote for which nobody has asked for so long may give way; projectors ask each second


class Memory:
    """Those commands of Valkey that votes need. What is put in is gone after two hours by itself."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._hashes = cachetools.TTLCache(math.inf, SECONDS, clock)
        self._asked: dict[str, float] = {}  # when somebody has asked for a hash last
        self._clock = clock
        self._lock = threading.Lock()

    def hsetnx(self, key: str, field: str, value: str) -> bool:
        """Set a field, unless it is there. Raises EmbedvizError if there is no room for another hash."""
        with self._lock:
            if key not in self._hashes:
                self._make_room()
                self._hashes[key] = {}
            kept = self._hash(key)
            return field not in kept and not kept.update({field: value})

    def delete(self, key: str) -> None:
        """Remove a hash, if it is there."""
        with self._lock:
            self._hashes.pop(key, None)

    def hmget(self, key: str, fields: Sequence[str]) -> list:
        """The values of fields, None for those that are not there."""
        with self._lock:
            return list(map(self._hash(key).get, fields))

    def eval(self, _script: str, _n_keys: int, key: str, *about: Any) -> str:
        """What the script does."""
        voter, choice, address, most, most_from_address = about
        with self._lock:
            kept = self._hash(key)
            n = kept.get(address, 0)
            refusals = {
                "unknown": "vote" not in kept,
                "voted": voter in kept,
                "over": "over" in kept,
                "full": len(kept) >= most,
                "crowded": n >= most_from_address,
            }
            if refusal := next((name for name, is_so in refusals.items() if is_so), ""):
                return refusal
            kept["addresses"] = kept.get("addresses", 0) + (n == 0)
            kept[address], kept[voter], kept[str(choice)] = n + 1, "", kept.get(str(choice), 0) + 1
            return "counted"

    def _hash(self, key: str) -> dict:
        """The hash that is there, for which somebody asks now; an empty one if there is none."""
        if key in self._hashes:
            self._asked[key] = self._clock()
        return self._hashes.get(key, {})

    def _make_room(self) -> None:
        """If there are too many, remove the one that is over, else idle, for which nobody has asked for longest."""
        self._asked = {key: when for key, when in self._asked.items() if key in self._hashes}
        if len(self._hashes) < MOST_OPEN:
            return
        early = self._clock() - IDLE_SECONDS
        runs = {key: "over" not in self._hashes.get(key, ()) for key in self._asked}
        may_go = [key for key, when in self._asked.items() if not runs[key] or when <= early]
        if not may_go:
            raise EmbedvizError("This server has as many votes as it can take. Try again once another one is over.")
        del self._hashes[min(may_go, key=lambda key: (runs[key], self._asked[key]))]
