"""Votes of a hall: a question, its choices, and how often each was chosen. Each is gone after two hours.

A vote lies in a hash of Valkey, which several servers share, or of `Memory`, which does the same within one process. A
voter is a random name in a browser's cookie, signed with a secret of the vote. Voters and the addresses they came from
are kept apart from the counts, so that nobody can say who chose what. Of an address nothing but a keyed hash is kept.
"""

import hmac
import json
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import cachetools

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import ngettext, use_language
from embedviz.base.settings import configured
from embedviz.base.votes.memory import SECONDS, Memory

LETTERS = "BCDFGHJKMNPQRTVWXZ"  # without vowels they make no words, and none looks like another one or like a digit
N_LETTERS = 5
MOST_OF_OWNER = 3  # votes that are kept; one more takes the place of the oldest
MOST_OF_ADDRESS = 20  # votes that are kept and were opened from one address, as that of a school
MOST_FIELDS = 10_000  # of a vote's hash: what is asked, its counts, and one for each voter and each address
MOST_FROM_ADDRESS = 1000  # voters of a vote. A hall of 500 fits twice, and no address takes a fifth of all places
MOST_CHOICES = 6
# KEYS: the vote. ARGV: the voter, the choice, the address, the most fields, the most voters from an address.
# Valkey runs one script at a time.
_CAST = """
local key, voter, choice, address = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
if redis.call('HEXISTS', key, 'vote') == 0 then return 'unknown' end
if redis.call('HEXISTS', key, voter) == 1 then return 'voted' end
if redis.call('HEXISTS', key, 'over') == 1 then return 'over' end
if redis.call('HLEN', key) >= tonumber(ARGV[4]) then return 'full' end
local n = redis.call('HINCRBY', key, address, 1)
if n > tonumber(ARGV[5]) then redis.call('HINCRBY', key, address, -1) return 'crowded' end
if n == 1 then redis.call('HINCRBY', key, 'addresses', 1) end
redis.call('HSET', key, voter, '')
redis.call('HINCRBY', key, choice, 1)
return 'counted'
"""


@dataclass(frozen=True)
class Vote:
    """What is asked, and how it stands. choices: MOST_CHOICES at most. language: that of the hall. owner: who may see
    and show the counts.

    secret: signs voters and hides addresses. counts: of each choice. n_addresses: from how many these votes came.
    is_over: nobody votes any more. voter: whoever looks, "" for somebody without a genuine mark. has_voted: the voter.
    """

    question: str
    choices: Sequence[str]
    language: str
    owner: str
    secret: str = field(default="", repr=False, compare=False)
    counts: Sequence[int] = ()
    n_addresses: int = 0
    is_over: bool = False
    voter: str = ""
    has_voted: bool = False

    def new_mark(self) -> str:
        """The cookie of a new voter: a random name, and the signature that shows where it comes from."""
        voter = secrets.token_hex(16)
        return voter + self.hashed(voter)

    def summary(self) -> dict[str, int | str]:
        """How many votes are counted, and from how many addresses, in words of the vote's own language too."""
        n = sum(self.counts)
        with use_language(self.language):
            votes = ngettext("{n:,} vote so far", "{n:,} votes so far", n)
            origins = ngettext("from {n:,} network address", "from {n:,} network addresses", self.n_addresses)
        return {"n": n, "votes": votes, "origins": origins if n else ""}

    def hashed(self, text: str) -> str:
        """What nobody can compute who does not have the vote's secret."""
        return _hashed(self.secret, text)


def _hashed(secret: str, text: str) -> str:
    return hmac.digest(secret.encode(), text.encode(), "sha256").hex()[:32]


class Votes:
    """Votes, each under a code that nobody can foresee. server: a `Memory`, or a client with its methods."""

    def __init__(self, server: Any) -> None:
        self.server, self._key = server, "embedviz:ballot:{}".format
        self._opened = cachetools.TTLCache(10_000, SECONDS)  # codes, by who has opened them
        self._secret = secrets.token_hex(16)
        self._lock = threading.Lock()

    def open(self, vote: Vote, address: str = "") -> str:
        """Return the vote's code. address: from which it is opened.

        Raises EmbedvizError if too many votes run that were opened from there, or if there is no room for another one.
        """
        owner, near = vote.owner, _hashed(self._secret, address)
        with self._lock:
            kept = {who: self._open_codes(who) for who in (owner, near)}
            if len(kept[owner]) >= MOST_OF_OWNER:
                self._remove(kept[owner][0])
            elif len(kept[near]) >= MOST_OF_ADDRESS:
                self._remove_one_that_is_over(kept[near])
            code = self._new(vote)
            for who, codes in kept.items():
                self._opened[who] = [*codes, code]
        return code

    def _new(self, vote: Vote) -> str:
        secret, is_new = secrets.token_hex(16), False
        about = json.dumps([vote.question, list(vote.choices), vote.language, vote.owner, secret])
        code = ""
        while not is_new:
            code = "".join(secrets.choice(LETTERS) for _letter in range(N_LETTERS))
            is_new = self.server.hsetnx(self._key(code), "vote", about)
        return code

    def _open_codes(self, who: str) -> list[str]:
        """The codes of the votes of an owner, or from an address, that are still there, the oldest first."""
        return [code for code in self._opened.get(who, ()) if self.look(code)]

    def _remove_one_that_is_over(self, codes: Sequence[str]) -> None:
        over = next((code for code in codes if (vote := self.look(code)) and vote.is_over), None)
        if over is None:
            raise EmbedvizError(
                "{n} votes that were opened from your network are running, and more are not allowed at a time. "
                "End one of them.",
                n=MOST_OF_ADDRESS,
            )
        self._remove(over)

    def _remove(self, code: str) -> None:
        self.server.delete(self._key(code))

    def look(self, code: str, mark: str = "") -> Vote | None:
        """The vote as it stands; None if it is not there, or not any more. mark: the cookie of whoever looks."""
        voter, signature = mark[:32], mark[32:]
        fields = ["vote", "over", "addresses", voter, *map(str, range(MOST_CHOICES))]
        kept, over, n_addresses, voted, *counts = self.server.hmget(self._key(code), fields)
        if kept is None:
            return None
        question, choices, language, owner, secret = json.loads(kept)
        counts = [int(n or 0) for n in counts[: len(choices)]]
        vote = Vote(question, choices, language, owner, secret, counts, int(n_addresses or 0), bool(over))
        if not hmac.compare_digest(vote.hashed(voter).encode(), signature.encode()):
            return vote
        return replace(vote, voter=voter, has_voted=voted is not None)

    def cast(self, code: str, voter: str, choice: int, address: str = "") -> str:
        """Count one choice of the voter, and return "counted"; else "unknown", "voted", "over", "full" or "crowded".

        voter: from a genuine mark. address: of the voter, as `Vote.hashed` hides it.
        """
        limits = MOST_FIELDS, MOST_FROM_ADDRESS
        return self.server.eval(_CAST, 1, self._key(code), voter, choice, f"from {address}", *limits)

    def end(self, code: str) -> None:
        """Let nobody vote any more."""
        if self.look(code):
            self.server.hsetnx(self._key(code), "over", "1")


@cache
def votes() -> Votes:
    """The votes of this server: in its memory, or where the setting says."""
    address = configured().votes.get_secret_value()
    if not address:
        return Votes(Memory())
    from embedviz.base.votes.valkey import Valkey  # noqa: PLC0415 a server without the setting needs no such package

    waits = {"socket_timeout": 2.0, "socket_connect_timeout": 2.0}  # seconds
    return Votes(Valkey.from_url(address, decode_responses=True, **waits))
