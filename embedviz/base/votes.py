"""Votes of a hall: a question, its choices, and how often each was chosen. Each is gone after two hours.

A vote lies in a hash of Valkey, which several servers share, or of `Memory`, which does the same within one process. A
voter is a random name in a browser's cookie, kept apart from the counts, so that nobody can say who chose what.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import cachetools

from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured

SECONDS = 2 * 60 * 60
LETTERS = "BCDFGHJKMNPQRTVWXZ"  # without vowels they make no words, and none looks like another one or like a digit
MOST_OPEN = 200  # votes in memory; one more, and that for which nobody has asked for longest is gone
MOST_FIELDS = 5000  # of a vote's hash: what is asked, its counts, and one for each voter
CHOICES = (2, 6)
# KEYS: the vote. ARGV: the voter, the choice, the most fields. Valkey runs one script at a time.
_CAST = """
local key = KEYS[1]
if redis.call('HEXISTS', key, 'vote') == 0 or redis.call('HEXISTS', key, 'over') == 1
  or redis.call('HLEN', key) >= tonumber(ARGV[3]) or redis.call('HSETNX', key, ARGV[1], '') == 0 then return 0 end
return redis.call('HINCRBY', key, ARGV[2], 1)
"""


@dataclass(frozen=True)
class Vote:
    """What is asked, and how it stands. language: that of the hall. owner: who may see and show the counts.

    counts: of each choice. is_over: nobody votes any more. has_voted: whoever looks.
    """

    question: str
    choices: Sequence[str]
    language: str
    owner: str
    counts: Sequence[int] = ()
    is_over: bool = False
    has_voted: bool = False

    def __post_init__(self) -> None:
        least, most = CHOICES
        if not self.question.strip() or not least <= len(set(self.choices)) == len(self.choices) <= most:
            text = "A vote has a question, and {least} to {most} choices, each on a line of its own, no two the same."
            raise EmbedvizError(text, least=least, most=most)


class Memory:
    """Those commands of Valkey that votes need. What is put in is gone after two hours by itself."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._hashes = cachetools.TTLCache(MOST_OPEN, SECONDS, clock)
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


class Votes:
    """Votes on a server, each under a code that nobody can foresee."""

    def __init__(self, server: Memory) -> None:
        self._server, self._key = server, "embedviz:vote:{}".format

    def open(self, vote: Vote) -> str:
        """Return the vote's code."""
        about, is_new = json.dumps([vote.question, list(vote.choices), vote.language, vote.owner]), False
        while not is_new:
            code = "".join(secrets.choice(LETTERS) for _letter in range(5))
            is_new = self._server.hsetnx(self._key(code), "vote", about)
        return code

    def look(self, code: str, voter: str = "") -> Vote | None:
        """The vote as it stands; None if it is not there, or not any more."""
        fields = ["vote", "over", voter, *map(str, range(CHOICES[1]))]
        vote, over, voted, *counts = self._server.hmget(self._key(code), fields)
        if vote is None:
            return None
        question, choices, *about = json.loads(vote)
        counts = [int(n or 0) for n in counts[: len(choices)]]
        return Vote(question, choices, *about, counts, bool(over), voted is not None)

    def cast(self, code: str, voter: str, choice: int) -> bool:
        """Count one choice of the voter. False: it was not counted, and `look` says why."""
        return bool(self._server.eval(_CAST, 1, self._key(code), voter, choice, MOST_FIELDS))

    def end(self, code: str) -> None:
        """Let nobody vote any more."""
        self._server.hsetnx(self._key(code), "over", "1")


@cache
def votes() -> Votes:
    """The votes of this server: in its memory, or where the setting says."""
    address = configured().votes.get_secret_value()
    if not address:
        return Votes(Memory())
    from embedviz.base.valkey import Valkey  # noqa: PLC0415 a server without the setting needs no such package

    waits = {"socket_timeout": 2.0, "socket_connect_timeout": 2.0}  # seconds
    return Votes(Valkey.from_url(address, decode_responses=True, **waits))
