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
from embedviz.base.errors import Unavailable
from embedviz.base.votes import votes as module
from embedviz.base.votes.memory import IDLE_SECONDS, MOST_OPEN, SECONDS, Memory
from embedviz.base.votes.valkey import Valkey
from embedviz.base.votes.votes import (
    LETTERS,
    MOST_CHOICES,
    MOST_FROM_ADDRESS,
    MOST_OF_ADDRESS,
    MOST_OF_OWNER,
    Vote,
    Votes,
)
from tests.browser.server import free_port
from tests.valkey import running

ASKED = Vote("Which?", ["this", "that", "neither"], "de", "the lecturer's browser")


def now(*counts: int, **how: object) -> Vote:
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
    marks = [votes.look(code).new_mark() for _voter in range(4)]
    a, b, c, d = (votes.look(code, mark).voter for mark in marks)
    assert votes.cast(code, a, 1, "here") == "counted"
    assert votes.cast(code, a, 2, "there") == "voted"
    assert votes.cast(code, b, 1, "here") == "counted"
    assert votes.cast(code, c, 0, "there") == "counted"
    assert votes.look(code, marks[0]) == now(1, 2, 0, n_addresses=2, voter=a, has_voted=True)
    assert votes.look(code, marks[3]) == now(1, 2, 0, n_addresses=2, voter=d)
    votes.end(code)
    assert votes.cast(code, d, 0) == "over"
    assert votes.look(code) == now(1, 2, 0, n_addresses=2, is_over=True)


def test_of_a_code_that_is_not_there_nothing_is_known(votes):
    for code in ("BBBBB", "", "x" * 10_000, "\0", "猫"):
        assert votes.look(code) is None
        assert votes.cast(code, "a", 0) == "unknown"
        votes.end(code)
        assert votes.cast(code, "a", 0) == "unknown"
        assert votes.look(code, "a") is None


def test_votes_do_not_mix(votes):
    one, other = votes.open(ASKED), votes.open(ASKED)
    assert one != other
    assert votes.cast(one, "a", 0) == "counted"
    assert votes.cast(other, "a", 2) == "counted"
    votes.end(one)
    assert votes.look(one).counts == [1, 0, 0]
    assert votes.look(other) == now(0, 0, 1, n_addresses=1)


def test_a_mark_is_good_for_one_vote_and_nobody_can_make_one(votes):
    one, other = votes.open(ASKED), votes.open(ASKED)
    mark = votes.look(one).new_mark()
    assert votes.look(one, mark).voter == mark[:32]
    for false in ("0" * 64, mark[:32], f"{mark[:63]}g", mark.upper(), f"{mark}0", "vote", "é" * 64, ""):
        assert votes.look(one, false).voter == "", false
    assert votes.look(other, mark).voter == ""


def test_who_votes_many_times_at_once_is_counted_once(votes):
    code = votes.open(ASKED)
    voters = [f"voter {n}" for n in range(60)]
    barrier = threading.Barrier(8)

    def press(_thread: int) -> int:
        barrier.wait()
        return sum(votes.cast(code, voter, n % 3) == "counted" for n, voter in enumerate(voters))

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(press, range(8))) == 60
    assert votes.look(code).counts == [20, 20, 20]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 2))))
def test_counts_are_those_of_a_plain_loop(votes, cast):
    code = votes.open(ASKED)
    first = {}
    for voter, choice in cast:
        assert votes.cast(code, voter, choice) == ("voted" if voter in first else "counted")
        first.setdefault(voter, choice)
    wanted = Counter(first.values())
    assert votes.look(code).counts == [wanted[n] for n in range(3)]


def test_a_vote_has_room_for_so_many_and_then_it_is_full(votes, monkeypatch):
    monkeypatch.setattr(module, "MOST_FIELDS", 6)
    code = votes.open(ASKED)
    assert [votes.cast(code, voter, 0) for voter in "abc"] == ["counted", "counted", "full"]
    assert votes.look(code) == now(2, 0, 0, n_addresses=1)


def test_one_address_leaves_most_places_to_others_and_a_hall_of_500_behind_one_has_room(votes):
    code = votes.open(ASKED)
    came = [votes.cast(code, f"script {n}", 0, "one script") for n in range(MOST_FROM_ADDRESS + 20)]
    assert Counter(came) == {"counted": MOST_FROM_ADDRESS, "crowded": 20}
    assert {votes.cast(code, f"hall {n}", 1, "a hall") for n in range(500)} == {"counted"}
    assert votes.look(code) == now(MOST_FROM_ADDRESS, 500, 0, n_addresses=2)
    assert 5 * MOST_FROM_ADDRESS < module.MOST_FIELDS


def test_a_code_that_is_taken_is_not_given_again(votes, monkeypatch):
    letters = iter("BBBBB" + "BBBBB" + "BBBBB" + "CCCCC")
    monkeypatch.setattr(module.secrets, "choice", lambda _letters: next(letters))
    assert [votes.open(ASKED), votes.open(ASKED)] == ["BBBBB", "CCCCC"]


def test_in_memory_a_vote_is_gone_after_two_hours():
    clock = [0.0]
    votes = Votes(Memory(lambda: clock[0]))
    code = votes.open(ASKED)
    clock[0] = SECONDS - 1
    assert votes.cast(code, "a", 0) == "counted"
    clock[0] = SECONDS
    assert votes.look(code) is None
    assert votes.cast(code, "b", 0) == "unknown"


def lecturer(n: int) -> tuple[Vote, str]:
    """The vote of somebody else, and an address that is not that of others."""
    return replace(ASKED, owner=f"browser {n}"), f"address {n}"


def test_who_opens_many_loses_their_own_oldest_and_nobody_elses(votes):
    others = votes.open(*lecturer(1))
    mine = [votes.open(ASKED, "address 2") for _n in range(MOST_OF_OWNER + 2)]
    assert [votes.look(code) is None for code in mine] == [True] * 2 + [False] * MOST_OF_OWNER
    assert votes.look(others).counts == [0, 0, 0]


def test_from_one_address_so_many_run_and_one_that_is_over_makes_room(votes):
    """A script that takes a new cookie each time, at the address of a school."""
    codes = [votes.open(lecturer(n)[0], "school") for n in range(MOST_OF_ADDRESS)]
    with pytest.raises(ev.EmbedvizError, match="votes that were opened from your network are running"):
        votes.open(lecturer(99)[0], "school")
    assert all(votes.look(code) for code in codes)
    assert votes.open(*lecturer(99))
    votes.end(codes[3])
    assert votes.open(lecturer(100)[0], "school")
    assert [n for n, code in enumerate(codes) if votes.look(code) is None] == [3]


def test_in_memory_a_running_vote_stays_while_others_can_go_and_when_all_run_a_sentence_says_so():
    clock = [0.0]
    votes = Votes(Memory(lambda: clock[0]))
    codes = [votes.open(*lecturer(n)) for n in range(MOST_OPEN)]
    with pytest.raises(ev.EmbedvizError, match="as many votes as it can take"):
        votes.open(*lecturer(MOST_OPEN))
    votes.end(codes[7])
    clock[0] = IDLE_SECONDS - 1
    for code in codes[10:]:
        votes.look(code)  # as its projector asks
    votes.open(*lecturer(MOST_OPEN))
    assert votes.server.hmget(f"embedviz:ballot:{codes[7]}", ["vote"]) == [None]
    clock[0] = IDLE_SECONDS
    votes.open(*lecturer(MOST_OPEN + 1))
    votes.open(*lecturer(MOST_OPEN + 2))
    assert [n for n, code in enumerate(codes) if votes.look(code) is None] == [0, 1, 7]


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
    assert votes.cast(code, "a", 0) == "unknown"
    assert votes.look(code) is None
    assert all(server.ttl(each) > 0 for each in server.scan_iter())


def test_two_servers_with_one_valkey_know_the_same_votes_and_two_without_do_not(valkey):
    one, other = (Votes(client(valkey)) for _server in range(2))
    code = one.open(ASKED)
    mark = one.look(code).new_mark()
    voter = other.look(code, mark).voter
    assert other.cast(code, voter, 0) == "counted"
    assert one.cast(code, voter, 1) == "voted"
    assert one.look(code, mark) == other.look(code, mark) == now(1, 0, 0, n_addresses=1, voter=voter, has_voted=True)
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
        votes.cast(code, f"voter {n}", n % 3, votes.look(code).hashed("192.0.2.7"))
    [key] = server.keys()
    kept = server.hgetall(key)
    assert {name: kept.pop(name) for name in ("0", "1", "2")} == dict.fromkeys("012", "3")
    origin = f"from {votes.look(code).hashed('192.0.2.7')}"
    assert set(kept) == {"vote", "addresses", origin, *(f"voter {n}" for n in range(9))}
    assert {kept[f"voter {n}"] for n in range(9)} == {""}
    assert (kept["addresses"], kept[origin]) == ("1", "9")
    assert "192.0.2.7" not in str(kept)


@pytest.mark.parametrize("n", range(1, MOST_CHOICES + 1))
def test_a_vote_has_as_many_counts_as_choices(n, votes):
    asked = Vote("猫?\n</b>", list("abcdef"[:n]), "ja", "x")
    code = votes.open(asked)
    assert votes.cast(code, "a", n - 1) == "counted"
    assert votes.look(code) == replace(asked, counts=[0] * (n - 1) + [1], n_addresses=1)


@pytest.mark.parametrize(
    ("language", "counts", "n_addresses", "votes", "origins"),
    [
        ("en", [0, 0, 0], 0, "0 votes so far", ""),
        ("en", [1, 0, 0], 1, "1 vote so far", "from 1 network address"),
        ("en", [1, 1200, 0], 3, "1,201 votes so far", "from 3 network addresses"),
    ],
)
def test_the_count_is_said_with_the_right_plural(language, counts, n_addresses, votes, origins):
    vote = replace(ASKED, language=language, counts=counts, n_addresses=n_addresses)
    assert vote.summary() == {"n": sum(counts), "votes": votes, "origins": origins}


def test_the_setting_says_where_votes_are(valkey, configure):
    module.votes.cache_clear()
    assert isinstance(module.votes().server, Memory)
    configure(votes=valkey)
    module.votes.cache_clear()
    assert isinstance(module.votes().server, Valkey)
    assert module.votes().look(module.votes().open(ASKED)) == now(0, 0, 0)
    module.votes.cache_clear()
