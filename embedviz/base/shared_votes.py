"""Votes that several servers share, in a Valkey or Redis. Its scripts run one at a time, so each vote counts once."""

import json
import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

from embedviz.base import log
from embedviz.base.errors import SetupError, Unavailable
from embedviz.base.votes import MOST_VOTERS, SECONDS, Standing, Vote, a_code, too_many

try:
    import redis
except ImportError as error:
    raise SetupError("EMBEDVIZ_VOTES needs the package redis: pip install 'embedviz[server]'") from error

_WAIT = 2.0  # seconds for an answer
_ALL = "embedviz:votes"  # what is open, by when it is gone; below it the same for each address

# KEYS: the vote, all votes, those of the address. ARGV: seconds, the most of all and of the address, the vote.
_OPEN = """
local now = tonumber(redis.call('TIME')[1])
for n = 2, 3 do
  redis.call('ZREMRANGEBYSCORE', KEYS[n], '-inf', now)
  if redis.call('ZCARD', KEYS[n]) >= tonumber(ARGV[n]) then return 'full' end
end
if redis.call('EXISTS', KEYS[1]) == 1 then return 'taken' end
redis.call('HSET', KEYS[1], 'vote', ARGV[4], 'address', KEYS[3])
for n = 2, 3 do redis.call('ZADD', KEYS[n], now + ARGV[1], KEYS[1]) end
for n = 1, 3 do redis.call('EXPIRE', KEYS[n], ARGV[1]) end
return 'open'
"""
# KEYS: the vote, its voters. ARGV: the voter, the choice, how many may vote.
_CAST = """
if redis.call('HEXISTS', KEYS[1], 'vote') == 0 or redis.call('HEXISTS', KEYS[1], 'over') == 1
  or redis.call('SCARD', KEYS[2]) >= tonumber(ARGV[3]) or redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 0 end
redis.call('EXPIRE', KEYS[2], redis.call('TTL', KEYS[1]))
redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
return 1
"""
_END = "if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'over', 1) end"
_FORGET = """
local address = redis.call('HGET', KEYS[1], 'address')
if address then redis.call('ZREM', address, KEYS[1]) end
redis.call('ZREM', KEYS[3], KEYS[1])
redis.call('DEL', KEYS[1], KEYS[2])
"""


def _keys(code: str) -> tuple[str, str]:
    """Those of a vote and of its voters."""
    return f"embedviz:vote:{code}", f"embedviz:voters:{code}"


class Shared:
    """Votes at an address such as redis://valkey:6379. most: open at a time, of all servers."""

    def __init__(self, address: str, most: int) -> None:
        waits = {"socket_timeout": _WAIT, "socket_connect_timeout": _WAIT}
        self._most, self._server = most, redis.Redis.from_url(address, decode_responses=True, **waits)
        self._open, self._cast, self._end, self._forget = map(
            self._server.register_script, (_OPEN, _CAST, _END, _FORGET)
        )

    def open(self, vote: Vote, address: str) -> str:
        """Find a code that is free."""
        about = [SECONDS, self._most, math.ceil(self._most / 10), json.dumps(asdict(vote))]
        said = "taken"
        while said == "taken":
            code = a_code()
            with _reached():
                said = self._open([_keys(code)[0], _ALL, f"{_ALL}:{address}"], about)
        if said == "full":
            raise too_many(self._most)
        return code

    def look(self, code: str, voter: str = "") -> Standing | None:
        """Say how it stands."""
        vote, voters = _keys(code)
        with _reached():
            found, has_voted = self._server.pipeline().hgetall(vote).sismember(voters, voter).execute()
        if not found:
            return None
        about = json.loads(found["vote"])
        choices = tuple(about.pop("choices"))
        counts = tuple(int(found.get(str(n), 0)) for n in range(len(choices)))
        return Standing(Vote(choices=choices, **about), counts, "over" in found, bool(has_voted))

    def cast(self, code: str, voter: str, choice: int) -> bool:
        """Count one choice of the voter."""
        with _reached():
            return bool(self._cast(_keys(code), [voter, choice, MOST_VOTERS]))

    def end(self, code: str) -> None:
        """Let nobody vote any more."""
        with _reached():
            self._end(_keys(code)[:1])

    def forget(self, code: str) -> None:
        """Take it away."""
        with _reached():
            self._forget([*_keys(code), _ALL])


@contextmanager
def _reached() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        log.event("EMBEDVIZ_VOTES cannot be reached", logging.ERROR, kind=type(error).__name__)
        raise Unavailable("The votes cannot be reached just now. Try again in a moment.") from error
