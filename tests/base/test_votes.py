"""Votes of a hall, in the memory of one process and in a real Valkey: the same promises."""

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import embedviz as ev
from embedviz.base import votes as module
from embedviz.base.errors import Unavailable
from embedviz.base.valkey import Valkey
from embedviz.base.votes import CHOICES, LETTERS, MOST_OPEN, SECONDS, Memory, Vote, Votes
from tests.browser.server import free_port
from tests.valkey import running

ASKED = Vote("Which?", ["this", "that", "neither"], "de", "the lecturer's browser")


def now(*counts: int, **how: bool) -> Vote:
    return replace(ASKED, counts=list(counts), **how)


def client(address: str) -> Valkey:
    return Valkey.from_url(address, decode_responses=True)


@pytest.fixture(scope="module")
def valkey(tmp_path_factory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("valkey")) as address:
        yield address


@pytest.fixture(params=["memory", "valkey"])
def votes(request) -> Votes:
    if request.param == "memory":
        return Votes(Memory())
    server = client(request.getfixturevalue("valkey"))
    server.flushall()
    return Votes(server)


def test_a_vote_from_its_opening_to_its_end(votes):
    code = votes.open(ASKED)
    assert len(code) == 5
    assert set(code) <= set(LETTERS)
    assert votes.look(code) == now(0, 0, 0)
    assert votes.cast(code, "a", 1)
    assert not votes.cast(code, "a", 2)  # a second vote
    assert votes.cast(code, "b", 1)
    assert votes.cast(code, "c", 0)
    assert votes.look(code, "a") == now(1, 2, 0, has_voted=True)
    assert votes.look(code, "d") == now(1, 2, 0)
    votes.end(code)
    assert not votes.cast(code, "d", 0)
    assert votes.look(code) == now(1, 2, 0, is_over=True)


def test_of_a_code_that_is_not_there_nothing_is_known(votes):
    for code in ("BBBBB", "", "x" * 10_000, "\0", "猫"):
        assert votes.look(code) is None
        assert not votes.cast(code, "a", 0)
        votes.end(code)
        assert not votes.cast(code, "a", 0)
        assert votes.look(code, "a") is None


def test_votes_do_not_mix(votes):
    one, other = votes.open(ASKED), votes.open(ASKED)
    assert one != other
    assert votes.cast(one, "a", 0)
    assert votes.cast(other, "a", 2)
    votes.end(one)
    assert votes.look(one).counts == [1, 0, 0]
    assert votes.look(other, "a") == now(0, 0, 1, has_voted=True)


def test_who_votes_many_times_at_once_is_counted_once(votes):
    code = votes.open(ASKED)
    voters = [f"voter {n}" for n in range(60)]
    barrier = threading.Barrier(8)

    def press(_thread: int) -> int:
        barrier.wait()
        return sum(votes.cast(code, voter, n % 3) for n, voter in enumerate(voters))

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(press, range(8))) == 60
    assert votes.look(code).counts == [20, 20, 20]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 2))))
def test_counts_are_those_of_a_plain_loop(votes, cast):
    code = votes.open(ASKED)
    first = {}
    for voter, choice in cast:
        assert votes.cast(code, voter, choice) == (voter not in first)
        first.setdefault(voter, choice)
    wanted = Counter(first.values())
    assert votes.look(code).counts == [wanted[n] for n in range(3)]


def test_a_vote_has_room_for_so_many_and_then_it_is_full(votes, monkeypatch):
    monkeypatch.setattr(module, "MOST_FIELDS", 4)
    code = votes.open(ASKED)
    assert [votes.cast(code, voter, 0) for voter in "abc"] == [True, True, False]
    assert votes.look(code, "c") == now(2, 0, 0)


def test_a_code_that_is_taken_is_not_given_again(votes, monkeypatch):
    letters = iter("BBBBB" + "BBBBB" + "BBBBB" + "CCCCC")
    monkeypatch.setattr(module.secrets, "choice", lambda _letters: next(letters))
    assert [votes.open(ASKED), votes.open(ASKED)] == ["BBBBB", "CCCCC"]


def test_in_memory_a_vote_is_gone_after_two_hours():
    clock = [0.0]
    votes = Votes(Memory(lambda: clock[0]))
    code = votes.open(ASKED)
    clock[0] = SECONDS - 1
    assert votes.cast(code, "a", 0)
    clock[0] = SECONDS
    assert votes.look(code) is None
    assert not votes.cast(code, "b", 0)


def test_in_memory_one_vote_too_many_pushes_out_that_for_which_nobody_has_asked_for_longest():
    votes = Votes(Memory())
    watched, left = votes.open(ASKED), votes.open(ASKED)
    for _n in range(2 * MOST_OPEN):
        votes.open(ASKED)
        assert votes.look(watched) == now(0, 0, 0)  # as its projector asks
    assert votes.look(left) is None


def test_in_valkey_all_that_is_kept_of_a_vote_is_gone_after_two_hours(valkey):
    server = client(valkey)
    server.flushall()
    votes = Votes(server)
    code = votes.open(ASKED)
    [key] = server.keys()
    assert 0 < server.ttl(key) <= SECONDS
    server.expire(key, 100)  # as if most of its time were over
    votes.cast(code, "a", 0)
    votes.end(code)
    assert server.keys() == [key]
    assert 0 < server.ttl(key) <= 100
    server.delete(key)
    votes.end(code)  # it was gone between two questions
    assert not votes.cast(code, "a", 0)
    assert votes.look(code) is None
    assert all(server.ttl(each) > 0 for each in server.scan_iter())


def test_two_servers_with_one_valkey_know_the_same_votes_and_two_without_do_not(valkey):
    one, other = (Votes(client(valkey)) for _server in range(2))
    code = one.open(ASKED)
    assert other.cast(code, "a", 0)
    assert not one.cast(code, "a", 1)
    assert one.look(code, "a") == other.look(code, "a") == now(1, 0, 0, has_voted=True)
    assert Votes(Memory()).look(Votes(Memory()).open(ASKED)) is None


def test_a_valkey_that_is_away_is_said_in_a_sentence():
    votes = Votes(client(f"redis://127.0.0.1:{free_port()}"))
    for ask in (
        lambda: votes.open(ASKED),
        lambda: votes.look("BBBBB"),
        lambda: votes.cast("BBBBB", "a", 0),
        lambda: votes.end("BBBBB"),
    ):
        with pytest.raises(Unavailable, match="cannot be reached just now"):
            ask()


def test_nothing_in_valkey_says_who_chose_what(valkey):
    server = client(valkey)
    server.flushall()
    votes = Votes(server)
    code = votes.open(ASKED)
    for n in range(9):
        votes.cast(code, f"voter {n}", n % 3)
    [key] = server.keys()
    kept = server.hgetall(key)
    assert {name: kept.pop(name) for name in ("0", "1", "2")} == dict.fromkeys("012", "3")
    assert set(kept) == {"vote", *(f"voter {n}" for n in range(9))}
    assert {kept[f"voter {n}"] for n in range(9)} == {""}


@pytest.mark.parametrize(
    ("question", "choices"),
    [("", ["a", "b"]), (" \n", ["a", "b"]), ("?", []), ("?", ["a"]), ("?", ["a", "a"]), ("?", list("abcdefg"))],
)
def test_what_can_be_no_vote_is_refused_with_what_would_be_one(question, choices):
    with pytest.raises(ev.EmbedvizError, match="has a question, and 2 to 6 choices, each on a line of its own, no two"):
        Vote(question, choices, "en", "")


@pytest.mark.parametrize("n", range(CHOICES[0], CHOICES[1] + 1))
def test_a_vote_has_as_many_counts_as_choices(n, votes):
    asked = Vote("猫?\n</b>", list("abcdef"[:n]), "ja", "x")
    code = votes.open(asked)
    assert votes.cast(code, "a", n - 1)
    assert votes.look(code) == replace(asked, counts=[0] * (n - 1) + [1])


def test_the_setting_says_where_votes_are(valkey, configure):
    module.votes.cache_clear()
    assert isinstance(module.votes()._server, Memory)
    configure(votes=valkey)
    module.votes.cache_clear()
    assert isinstance(module.votes()._server, Valkey)
    assert module.votes().look(module.votes().open(ASKED)) == now(0, 0, 0)
    module.votes.cache_clear()
