"""Votes of a hall: a question, its choices, and how often each of them was chosen.

A vote has a code, under which phones find it, and is gone after two hours. A voter is a random name that a browser's
cookie holds for this vote alone. It is kept apart from the counts, so that nobody can say who chose what.
"""

import math
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

import cachetools

from embedviz.base import metrics
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured

SECONDS = 2 * 60 * 60
LETTERS = "BCDFGHJKMNPQRTVWXZ"  # without vowels they make no words, and none looks like another one or like a digit
N_LETTERS = 5
CHOICES = (2, 6)
LONGEST = {"question": 500, "choice": 120}  # characters
MOST_VOTERS = 5000


@dataclass(frozen=True)
class Vote:
    """What is asked. language: that of the hall, as a tag. owner: the browser that may see and show the counts."""

    question: str
    choices: tuple[str, ...]
    language: str
    owner: str

    def __post_init__(self) -> None:
        least, most = CHOICES
        n_letters = {"question": len(self.question), "choice": max(map(len, self.choices), default=0)}
        if not self.question.strip():
            raise EmbedvizError("There is no question yet. Write one.")
        if not least <= len(set(self.choices)) == len(self.choices) <= most:
            raise EmbedvizError(
                "A vote has {least} to {most} choices, no two of them the same. Write each on a line of its own.",
                least=least,
                most=most,
            )
        if any(n > LONGEST[name] for name, n in n_letters.items()):
            raise EmbedvizError(
                "A question has {question:,} characters at most, and a choice {choice:,}. Shorten them.", **LONGEST
            )


@dataclass(frozen=True)
class Standing:
    """How a vote stands. counts: of each choice. is_over: nobody votes any more. has_voted: whoever asks for this."""

    vote: Vote
    counts: tuple[int, ...]
    is_over: bool = False
    has_voted: bool = False


class Votes(Protocol):
    """Where votes are. All that is said of a code that is not there, or not any more, is None or nothing."""

    def open(self, vote: Vote, address: str) -> str:
        """Return the vote's code. address: from where it is opened; one address may open a tenth of all."""

    def look(self, code: str, voter: str = "") -> Standing | None:
        """Say how it stands."""

    def cast(self, code: str, voter: str, choice: int) -> bool:
        """Count one choice of the voter. False: it was not counted, and `look` says why."""

    def end(self, code: str) -> None:
        """Let nobody vote any more."""

    def forget(self, code: str) -> None:
        """Take it away, so that there is room for others."""


def a_code() -> str:
    """A code that nobody can foresee."""
    return "".join(secrets.choice(LETTERS) for _letter in range(N_LETTERS))


def too_many(most: int) -> EmbedvizError:
    """The error for whoever opens one more."""
    return EmbedvizError(
        "{most:,} votes are open at most, and a tenth of them from one network. Try again once others have ended.",
        most=most,
    )


@dataclass
class _Open:
    vote: Vote
    address: str
    counts: list[int]
    voters: set[str] = field(default_factory=set)
    is_over: bool = False


class Memory:
    """Votes in the memory of this process. most: open at a time."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._votes = cachetools.TTLCache(math.inf, SECONDS, clock)
        self._lock = threading.Lock()

    def open(self, vote: Vote, address: str) -> str:
        """Find a code that is free."""
        with self._lock:
            here = Counter(each.address for each in self._votes.values())
            if here.total() >= self._most or here[address] >= math.ceil(self._most / 10):
                raise too_many(self._most)
            while (code := a_code()) in self._votes:
                pass
            self._votes[code] = _Open(vote, address, [0] * len(vote.choices))
        return code

    def look(self, code: str, voter: str = "") -> Standing | None:
        """Say how it stands."""
        with self._lock:
            found = self._votes.get(code)
            return found and Standing(found.vote, tuple(found.counts), found.is_over, voter in found.voters)

    def cast(self, code: str, voter: str, choice: int) -> bool:
        """Count one choice of the voter."""
        with self._lock:
            found = self._votes.get(code)
            if not found or found.is_over or voter in found.voters or len(found.voters) >= MOST_VOTERS:
                return False
            found.voters.add(voter)
            found.counts[choice] += 1
            return True

    def end(self, code: str) -> None:
        """Let nobody vote any more."""
        with self._lock:
            if found := self._votes.get(code):
                found.is_over = True

    def forget(self, code: str) -> None:
        """Take it away."""
        with self._lock:
            self._votes.pop(code, None)


@cache
def votes() -> Votes:
    """Where the votes of this server are: in its memory, or where the setting says."""
    address, most = configured().votes.get_secret_value(), configured().open_votes
    if not address:
        return Memory(most)
    from embedviz.base.shared_votes import Shared  # noqa: PLC0415 a server without the setting needs no such package

    return Shared(address, most)


def opened(vote: Vote, address: str) -> str:
    """Open a vote and return its code. address: from where."""
    code = votes().open(vote, address)
    metrics.votes_opened.inc()
    return code


def counted(code: str, voter: str, choice: int) -> bool:
    """Count a choice, unless this voter has chosen, the vote is over, or it is full."""
    is_counted = votes().cast(code, voter, choice)
    metrics.votes_counted.inc(is_counted)
    return is_counted
