"""Votes of a hall: a question, its choices, and how often each was chosen. Each is gone after two hours.

A vote lies in a hash of Valkey, which several servers share, or of `Memory`, which does the same within one process. A
voter is a random name that a browser's cookie holds for this vote. It is kept apart from the counts, so that nobody can
say who chose what.
"""

import json
import math
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache

import cachetools

from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured

SECONDS = 2 * 60 * 60
LETTERS = "BCDFGHJKMNPQRTVWXZ"  # without vowels they make no words, and none looks like another one or like a digit
N_LETTERS = 5
MOST_FIELDS = 5000  # of a hash: the vote, its counts, and one for each voter
LIMITS = {"least": 2, "most": 6, "question": 500, "choice": 120}  # numbers of choices, then characters
# KEYS: the vote. ARGV: the voter, the choice, the most fields. Valkey runs one script at a time.
_CAST = """
local key = KEYS[1]
if redis.call('HEXISTS', key, 'vote') == 0 or redis.call('HEXISTS', key, 'over') == 1
  or redis.call('HLEN', key) >= tonumber(ARGV[3]) or redis.call('HSETNX', key, ARGV[1], '') == 0 then return 0 end
return redis.call('HINCRBY', key, ARGV[2], 1)
"""


@dataclass(frozen=True)
class Vote:
    """What is asked. language: that of the hall, as a tag. owner: the browser that may see and show the counts."""

    question: str
    choices: Sequence[str]
    language: str
    owner: str

    def __post_init__(self) -> None:
        n, longest = len(set(self.choices)), max(map(len, self.choices), default=0)
        is_long = len(self.question) > LIMITS["question"] or longest > LIMITS["choice"]
        if is_long or not self.question.strip() or not LIMITS["least"] <= n == len(self.choices) <= LIMITS["most"]:
            raise EmbedvizError(
                "A vote has a question of at most {question} characters, and {least} to {most} choices, each on a line "
                "of its own, of at most {choice} characters, no two of them the same.",
                **LIMITS,
            )


@dataclass(frozen=True)
class Standing:
    """How a vote stands. counts: of each choice. is_over: nobody votes any more. has_voted: whoever asks for this."""

    vote: Vote
    counts: list[int]
    is_over: bool = False
    has_voted: bool = False


class Memory:
    """Those commands of Valkey that votes need. What is put in is gone after two hours by itself."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._hashes = cachetools.TTLCache(math.inf, SECONDS, clock)
        self._lock = threading.Lock()

    def hsetnx(self, key: str, field: str, value: str) -> bool:
        """Set a field, unless it is there."""
        with self._lock:
            found = self._hashes.setdefault(key, {})
            return field not in found and not found.update({field: value})

    def hmget(self, key: str, fields: Sequence[str]) -> list:
        """The values of fields, None for those that are not there."""
        with self._lock:
            return list(map(self._hashes.get(key, {}).get, fields))

    def eval(self, _script: str, _n_keys: int, key: str, voter: str, choice: int, most: int) -> int:
        """What the script does."""
        with self._lock:
            found = self._hashes.get(key, {})
            if "vote" not in found or "over" in found or len(found) >= most or voter in found:
                return 0
            found[voter], found[str(choice)] = "", found.get(str(choice), 0) + 1
            return found[str(choice)]

    def delete(self, key: str) -> None:
        """Take a hash away."""
        with self._lock:
            self._hashes.pop(key, None)

    def expire(self, key: str, seconds: int, nx: bool) -> None:
        """All that is here ends by itself."""


class Votes:
    """Votes on a server. most: that are open at a time by way of it, a tenth of them from one address."""

    def __init__(self, server: Memory, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._server, self._most, self._lock = server, most, threading.Lock()
        self._from = cachetools.TTLCache(math.inf, SECONDS, clock)  # the address, by code

    def open(self, vote: Vote, address: str) -> str:
        """Return the vote's code. address: from where it is opened."""
        with self._lock:
            here = Counter(self._from.values())
            if here.total() >= self._most or here[address] >= math.ceil(self._most / 10):
                raise EmbedvizError(
                    "{most:,} votes are open at most, and a tenth of them from one network. Try later.", most=self._most
                )
            is_new = False
            while not is_new:
                code = "".join(secrets.choice(LETTERS) for _letter in range(N_LETTERS))
                is_new = self._set(code, "vote", json.dumps(asdict(vote)))
            self._from[code] = address
            return code

    def look(self, code: str, voter: str = "") -> Standing | None:
        """Say how it stands; None if it is not there, or not any more."""
        fields = ["vote", "over", voter, *map(str, range(LIMITS["most"]))]
        vote, over, voted, *counts = self._server.hmget(_key(code), fields)
        if vote is None:
            return None
        found = Vote(**json.loads(vote))
        return Standing(found, [int(n or 0) for n in counts[: len(found.choices)]], bool(over), voted is not None)

    def cast(self, code: str, voter: str, choice: int) -> bool:
        """Count one choice of the voter. False: it was not counted, and `look` says why."""
        return bool(self._server.eval(_CAST, 1, _key(code), voter, choice, MOST_FIELDS))

    def end(self, code: str) -> None:
        """Let nobody vote any more."""
        self._set(code, "over", "1")

    def forget(self, code: str) -> None:
        """Take it away, so that there is room for others."""
        with self._lock:
            self._from.pop(code, None)
        self._server.delete(_key(code))

    def _set(self, code: str, field: str, value: str) -> bool:
        is_new = self._server.hsetnx(_key(code), field, value)
        self._server.expire(_key(code), SECONDS, nx=True)
        return bool(is_new)


def _key(code: str) -> str:
    return f"embedviz:vote:{code}"


@cache
def votes() -> Votes:
    """The votes of this server: in its memory, or where the setting says."""
    address, most = configured().votes.get_secret_value(), configured().open_votes
    if not address:
        return Votes(Memory(), most)
    from embedviz.base.valkey import Valkey  # noqa: PLC0415 a server without the setting needs no such package

    waits = {"socket_timeout": 2.0, "socket_connect_timeout": 2.0}  # seconds
    return Votes(Valkey.from_url(address, decode_responses=True, **waits), most)
