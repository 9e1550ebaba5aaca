"""A whole hall votes on a real server."""

import asyncio
import json
from contextlib import ExitStack

from tests.hall import PANEL, at_once, opened, phones
from tests.server.conftest import SETTINGS, Site
from tests.session import visiting

HALL = 500


def n_counted(site: Site, code: str) -> int:
    return json.loads(site.ask(f"/vote/{code}/count").text)["n"]


def test_a_hall_of_500_that_votes_at_once_is_counted_once_each_though_all_press_twice(site):
    """They come from one address. How long it takes is measured by benchmarks/votes.py."""
    before = site.count("embedviz_votes_counted_total"), site.count("embedviz_votes_opened_total")
    with opened(site.port) as (lecturer, code):
        hall = phones(HALL, [site.port], code)
        asyncio.run(at_once(hall, 2, presses=2))
        assert [sorted(each.statuses) for each in hall] == [[200, 200, 409]] * HALL
        assert n_counted(site, code) == HALL
        lecturer.edit(PANEL, "end", "vote")
        late = phones(1, [site.port], code)
        asyncio.run(at_once(late, 2))
        assert late[0].statuses == [410, 410]
        assert n_counted(site, code) == HALL
    after = site.count("embedviz_votes_counted_total"), site.count("embedviz_votes_opened_total")
    assert (after[0] - before[0], after[1] - before[1]) == (HALL, 1)


def test_phones_vote_on_a_server_that_is_full(site):
    with ExitStack() as stack:
        _lecturer, code = stack.enter_context(opened(site.port))
        for _n in range(int(SETTINGS["SESSIONS"]) - 1):
            stack.enter_context(visiting(site.port))
        assert site.ask("/").status == 503
        hall = phones(2, [site.port], code)
        asyncio.run(at_once(hall, 2))
        assert [each.statuses for each in hall] == [[200, 200]] * 2


def test_a_page_of_another_site_votes_for_nobody(site):
    with opened(site.port) as (_lecturer, code):
        cookie = site.ask(f"/vote/{code}").headers["Set-Cookie"].partition(";")[0]
        answer = site.ask(f"/vote/{code}", "POST", b"choice=0", Cookie=cookie, Origin="https://evil.example")
        assert answer.status == 403
        assert n_counted(site, code) == 0
        assert site.ask(f"/vote/{code}", "POST", b"choice=0", Cookie=cookie).status == 200


def test_the_log_says_nothing_of_a_vote(site):
    """Neither the question nor the code, nor who voted for what."""
    with opened(site.port, a="Zimbabwe bites man", b="man bites Zimbabwe") as (_lecturer, code):
        assert "Zimbabwe" in site.ask(f"/vote/{code}").text
        hall = phones(3, [site.port], code)
        asyncio.run(at_once(hall, 2))
        said = site.log.read_text()  # all of it, since the same line is written once a second at most
        assert "session opened" in said
        for secret in ("Zimbabwe", code, *(each.cookie.partition("=")[2] for each in hall)):
            assert secret not in said
