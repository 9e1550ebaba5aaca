"""Floods of votes, of codes and of bodies."""

import asyncio
import contextlib
import json
import re
import secrets
import socket
import time
from contextlib import ExitStack

import pytest

from embedviz.base.votes.memory import MOST_OPEN
from embedviz.base.votes.votes import MOST_FROM_ADDRESS
from tests.ask import ask
from tests.hall import PANEL, Phone, at_once, opened, phones
from tests.session import visiting

MANY = 3000


def test_a_flood_of_requests_for_a_vote_is_refused_and_the_vote_goes_on(target):
    """From one address, for a page that is there and for those that are not; then the hall votes."""
    with opened(target.port) as (_lecturer, code):

        async def flood() -> set[int]:
            flooding = phones(MANY, [target.port], code) + phones(MANY, [target.port], "BBBBB")
            for start in range(0, len(flooding), 100):
                await asyncio.gather(*(each.ask("GET") for each in flooding[start : start + 100]))
            return {status for each in flooding for status in each.statuses}

        statuses = asyncio.run(flood())
        assert 429 in statuses
        assert statuses <= {200, 404, 429}
        _until_there_is_room(target.port, code)
        hall = phones(20, [target.port], code)
        asyncio.run(at_once(hall, 2))
        assert [each.statuses for each in hall] == [[200, 200]] * 20


def _until_there_is_room(port: int, code: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        time.sleep(0.5)
        if ask(port, f"/vote/{code}").status == 200:
            time.sleep(2)  # in which there is room for more than one again
            return
    raise AssertionError("The flood is over, and nobody may vote.")


@pytest.mark.parametrize("said", [True, False])
def test_a_body_that_never_ends_is_cut_off(target, said):
    """With its length told before, and in chunks without an end."""
    with opened(target.port) as (_lecturer, code):
        for _n in range(20):
            with socket.create_connection(("127.0.0.1", target.port)) as line:
                how = f"Content-Length: {2**40}" if said else "Transfer-Encoding: chunked"
                line.sendall(f"POST /vote/{code} HTTP/1.1\r\nHost: localhost\r\n{how}\r\n\r\n".encode())
                piece = b"x" * 2**16
                with contextlib.suppress(ConnectionError):
                    for _piece in range(400):
                        line.sendall(piece if said else b"10000\r\n" + piece + b"\r\n")
        phone = Phone(target.port, f"/vote/{code}")
        asyncio.run(phone.vote(0))
        assert phone.statuses == [200, 200]


def test_a_script_fills_no_vote_and_marks_that_it_makes_are_worth_nothing(target):
    """From one address: as many votes as it can cast in turn, with marks that the server gave, and with its own."""
    with opened(target.port) as (_lecturer, code), opened(target.port) as (_other, other):

        async def stuff() -> set[str]:
            """Fifty at a time, as fast as the server allows, until one is told that there are no votes left.

            How fast that is follows from the processor time that a vote takes: more than two minutes on a slow machine.
            """
            titles, until = set(), time.monotonic() + 600
            while "Your network has no votes left" not in titles:
                assert time.monotonic() < until
                stuffing = phones(50, [target.port], code)
                await asyncio.gather(*(each.ask("GET") for each in stuffing))
                pages = await asyncio.gather(*(each.ask("POST", b"choice=0") for each in stuffing))
                titles |= {re.search("<h1[^>]*>(.*)</h1>", page)[1] for page in pages}
            return titles

        made = phones(100, [target.port], code)
        for each in made:
            each.cookie = f"embedviz_vote={secrets.token_hex(32)}"
            asyncio.run(each.ask("POST", b"choice=0"))
        assert {status for each in made for status in each.statuses} == {400}
        assert "Your vote is counted" in asyncio.run(stuff())
        _until_there_is_room(target.port, other)
        counted = json.loads(ask(target.port, f"/vote/{code}/count").text)
        assert (counted["n"], counted["origins"]) == (MOST_FROM_ADDRESS, "from 1 network address")
        phone = Phone(target.port, f"/vote/{other}")
        asyncio.run(phone.vote(0))
        assert phone.statuses == [200, 200]


def test_phones_that_leave_in_the_midst_of_a_vote(target):
    with opened(target.port) as (_lecturer, code):
        for _n in range(200):
            with socket.create_connection(("127.0.0.1", target.port)) as line:
                line.sendall(f"POST /vote/{code} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8\r\n\r\nchoi".encode())
        assert ask(target.port, f"/vote/{code}").status == 200


def test_a_flood_of_votes_that_are_opened_takes_nobodys_vote_away(target):
    """A few visitors open more than there is room for, and nobody asks for the vote of another one meanwhile."""
    with opened(target.port) as (_lecturer, mine), ExitStack() as stack:
        for _visitor in range(4):
            session = stack.enter_context(visiting(target.port))
            session.run("view=same", page="tour")
            codes = []
            for _n in range(MOST_OPEN // 3):
                session.edit(PANEL, "open", "vote")
                codes.append(session.tab.query.partition("vote=")[2][:5])
            assert len(set(codes)) == len(codes)
            assert ask(target.port, f"/vote/{codes[0]}").status == 404
            assert ask(target.port, f"/vote/{codes[-2]}").status == 410
            assert ask(target.port, f"/vote/{codes[-1]}").status == 200
        assert ask(target.port, f"/vote/{mine}").status == 200
