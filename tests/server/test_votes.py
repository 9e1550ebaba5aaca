"""The page on which phones vote, and what it says to whoever cannot."""

import re
import types
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from embedviz.base import metrics
from embedviz.base.errors import Unavailable
from embedviz.base.votes import votes as in_memory
from embedviz.base.votes.memory import SECONDS
from embedviz.base.votes.votes import MOST_CHOICES, Vote
from embedviz.server import notice, votes
from embedviz.server.guards.headers import SafeHeaders, hashes
from embedviz.server.html.head import INSIDE
from embedviz.server.languages import Languages
from embedviz.server.streamlit_inside.runs import Bucket

ASKED = Vote("Is it <b>so</b> & not “otherwise”?", ["Yes", "No", "<i>Both</i>"], "en", "x")
LARGEST = 30_000  # bytes of the page
LONGEST = 2000  # characters of a question, which may hold a token of a sentence


@pytest.fixture(autouse=True)
def _empty(monkeypatch) -> Iterator[None]:
    """No votes, and nobody who has asked."""
    in_memory.votes.cache_clear()
    monkeypatch.setattr(votes, "everyone", Bucket(*votes.ALL))
    votes.by_address.clear()
    yield
    in_memory.votes.cache_clear()


def phone(address: str = "192.0.2.7", scheme: str = "http", **headers: str) -> TestClient:
    """A browser with cookies of its own."""
    layers = [Middleware(Languages), Middleware(SafeHeaders, INSIDE, ["https:"])]
    app = Starlette(routes=votes.ROUTES, middleware=layers)
    return TestClient(app, f"{scheme}://hall", client=(address, 1), headers=headers)


@pytest.fixture
def code() -> str:
    return in_memory.votes().open(ASKED)


def counts(code: str) -> list[int]:
    return in_memory.votes().look(code).counts


class Page(HTMLParser):
    """What a browser makes of it: texts by their tags, how many tags there are, and all attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: dict[str, list[str]] = {}
        self.attributes: list[tuple[str, str, str | None]] = []
        self.tags = Counter()
        self._in: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, *each) for each in attributes]
        if tag not in ("meta", "link"):
            self._in.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._in.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._in:
            self.texts[self._in[-1]][-1] += data


def test_the_page_has_the_question_and_a_button_for_each_choice(code):
    answer = phone().get(f"/vote/{code}")
    page = Page(answer.text)
    assert answer.status_code == 200
    assert page.texts["h1"] == [ASKED.question]
    assert page.texts["button"] == ASKED.choices
    assert [value for tag, name, value in page.attributes if (tag, name) == ("button", "value")] == ["0", "1", "2"]
    assert ("form", "method", "post") in page.attributes


def test_a_vote_is_counted_and_then_the_page_says_so(code):
    before = metrics.REGISTRY.get_sample_value("embedviz_votes_counted_total")
    browser = phone()
    browser.get(f"/vote/{code}")
    answer = browser.post(f"/vote/{code}", data={"choice": "2"})
    page = Page(answer.text)
    assert (answer.status_code, page.texts["h1"]) == (200, ["Your vote is counted"])
    assert page.texts["p"][0] == "You chose “<i>Both</i>”."
    assert counts(code) == [0, 0, 1]
    for ask in (browser.get, browser.post):
        again = ask(f"/vote/{code}")
        assert (again.status_code, Page(again.text).texts["h1"]) == (409, ["You have voted"])
        assert "button" not in Page(again.text).tags
    assert counts(code) == [0, 0, 1]
    assert metrics.REGISTRY.get_sample_value("embedviz_votes_counted_total") == before + 1


def test_one_cookie_alone_tells_a_second_vote_and_lives_as_long_as_the_vote(code):
    for scheme, is_safe in (("http", False), ("https", True)):
        answer = phone(scheme=scheme).get(f"/vote/{code}")
        [cookie] = answer.headers.get_list("set-cookie")
        value, *rules = cookie.split("; ")
        assert re.fullmatch("embedviz_vote=[0-9a-f]{64}", value)
        wanted = {"HttpOnly", "SameSite=lax", f"Path=/vote/{code}", f"Max-Age={SECONDS}", *["Secure"] * is_safe}
        assert set(rules) == wanted


def test_a_browser_that_has_its_cookie_gets_no_other(code):
    browser = phone()
    assert "set-cookie" in browser.get(f"/vote/{code}").headers
    assert "set-cookie" not in browser.get(f"/vote/{code}").headers


def test_without_a_cookie_nothing_is_counted_and_a_sentence_says_why(code):
    foreign = in_memory.votes().look(in_memory.votes().open(ASKED)).new_mark()
    for value in ("", "=", "=mine", f"={'0' * 4000}", f"={'0' * 64}", f"={foreign}"):
        cookie = f"embedviz_vote{value}"
        answer = phone(cookie=cookie).post(f"/vote/{code}", data={"choice": "0"})
        page = Page(answer.text)
        assert answer.status_code == 400
        assert "set-cookie" in answer.headers
        assert page.texts["p"] == ["Your browser kept no cookie, by which a second vote is told. Allow it, and vote."]
        assert page.texts["button"] == ASKED.choices
    assert counts(code) == [0, 0, 0]


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 400, "No choice came with your vote."),
        (b"choice=", 400, "No choice came with your vote."),
        (b"choice=one", 400, "No choice came with your vote."),
        (b"choice=0&choice=1", 400, "No choice came with your vote."),
        ("choice=٣".encode(), 400, "No choice came with your vote."),
        (b"choice=-1", 400, "No choice came with your vote."),
        (b"\xff\xfe\0", 400, "No choice came with your vote."),
        (b"choice=3", 400, "There is no choice of this number."),
        (b"choice=9", 400, "There is no choice of this number."),
        (b"choice=0" * 1000, 413, "A vote is the number of a choice."),
    ],
)
def test_what_is_no_vote_is_said_in_a_sentence_and_the_choices_stay(code, body, status, said):
    browser = phone()
    browser.get(f"/vote/{code}")
    answer = browser.post(f"/vote/{code}", content=body)
    assert answer.status_code == status
    assert said in answer.text
    assert (Page(answer.text).texts.get("button", []) == ASKED.choices) == (status == 400)
    assert counts(code) == [0, 0, 0]
    assert browser.post(f"/vote/{code}", content=b"choice=0").status_code == 200


@pytest.mark.parametrize("name", ["BBBBB", "bbbbb", "B", "B" * 500, "%3Cb%3E", "AEIOU", "12345", "%00", "compare"])
def test_a_code_that_is_not_here_is_said_so_for_ended_ones_and_those_of_another_server(name):
    answer = phone().get(f"/vote/{name}")
    assert answer.status_code == 404
    [line] = Page(answer.text).texts["p"]
    assert line.startswith("This server has no vote with this code, or it has ended.")
    assert "set-cookie" not in answer.headers
    assert phone().get(f"/vote/{name}/count").status_code == 404


@pytest.mark.parametrize(
    "path",
    ["https:evil.example", "https:evil", "javascript:alert(1)", "%2F%2Fevil.example", "%5C%5Cevil.example", "x/y", "",
     "bbbbb/x", "bbbbb/count/x", "bbbbb%0a", "bbbb\u017f", "bbbb\u212a", "b" * 5000],
)  # fmt: skip
def test_what_can_be_no_code_leads_nowhere(path):
    answer = phone().get(f"/vote/{path}", follow_redirects=False)
    assert (answer.status_code, Page(answer.text).texts["h1"]) == (404, ["No such vote"])


def test_a_code_in_small_letters_leads_to_the_same_page_and_cookie(code):
    browser = phone()
    answer = browser.get(f"/vote/{code.lower()}")
    assert (answer.status_code, answer.url.path) == (200, f"/vote/{code}")
    assert browser.post(f"/vote/{code}", data={"choice": "0"}).status_code == 200


def test_a_vote_that_is_over_or_gone_is_said_so(code):
    browser = phone()
    browser.get(f"/vote/{code}")
    in_memory.votes().end(code)
    for ask in (browser.get, lambda path: browser.post(path, data={"choice": "0"})):
        answer = ask(f"/vote/{code}")
        assert (answer.status_code, Page(answer.text).texts["h1"]) == (410, ["This vote is over"])
    in_memory.votes.cache_clear()
    assert browser.post(f"/vote/{code}", data={"choice": "0"}).status_code == 404


def test_a_vote_that_is_full_is_said_so(code, monkeypatch):
    monkeypatch.setattr(in_memory, "MOST_FIELDS", 4)
    for status, title in ((200, "Your vote is counted"), (409, "This vote is full")):
        browser = phone()
        browser.get(f"/vote/{code}")
        answer = browser.post(f"/vote/{code}", data={"choice": "0"})
        assert (answer.status_code, Page(answer.text).texts["h1"]) == (status, [title])


def test_whose_network_has_all_its_votes_reads_so_and_another_network_votes(code, monkeypatch):
    monkeypatch.setattr(in_memory, "MOST_FROM_ADDRESS", 1)
    said = []
    for address in ("192.0.2.7", "192.0.2.7", "2001:db8::1", "2001:db8::2", "192.0.2.8"):
        browser = phone(address)
        browser.get(f"/vote/{code}")
        answer = browser.post(f"/vote/{code}", data={"choice": "0"})
        said.append((answer.status_code, Page(answer.text).texts["h1"][0]))
    counted, refused = (200, "Your vote is counted"), (409, "Your network has no votes left")
    assert said == [counted, refused, counted, refused, counted]
    assert phone().get(f"/vote/{code}/count").json()["origins"] == "from 3 network addresses"


def test_votes_that_are_out_of_reach_are_said_so(code, monkeypatch):
    def away(*_about: object) -> None:
        raise Unavailable("The votes cannot be reached just now. Try again in a moment.")

    monkeypatch.setattr(in_memory.Votes, "look", away)
    answer = phone().get(f"/vote/{code}")
    assert answer.status_code == 503
    assert "cannot be reached just now" in answer.text
    assert phone().get(f"/vote/{code}/count").status_code == 503


def test_the_projector_hears_how_many_have_voted_and_nothing_else(code):
    for choice in "001":
        browser = phone()
        browser.get(f"/vote/{code}")
        browser.post(f"/vote/{code}", data={"choice": choice})
    wanted = {"n": 3, "votes": "3 votes so far", "origins": "from 1 network address"}
    assert phone().get(f"/vote/{code}/count").json() == wanted


def test_the_page_is_in_the_halls_language_and_all_else_in_the_phones(code):
    german = in_memory.votes().open(Vote("Was?", ["dies", "das"], "de", "x"))
    for name, tag in ((german, "de"), (code, "en"), ("BBBBB", "fr")):
        answer = phone(**{"Accept-Language": "fr"}).get(f"/vote/{name}")
        assert f'<html lang="{tag}"' in answer.text


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60).filter(str.strip)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=MOST_CHOICES, unique=True))
def test_whatever_is_asked_is_shown_literally(question, choices):
    code = in_memory.votes().open(Vote(question, choices, "en", "x"))
    page = Page(phone().get(f"/vote/{code}").text)
    assert page.texts["h1"] == [question]
    assert page.texts["button"] == choices
    usual = {"html", "head", "meta", "title", "link", "style", "body", "main", "h1", "form", "button"}
    assert set(page.tags) == usual
    assert not any(name.startswith("on") or name in ("src", "action") for _tag, name, _value in page.attributes)


def test_the_longest_page_is_one_request_of_30_kb():
    """With characters that take the most bytes as they are, and those that take the most when they are escaped."""
    for letter in ("😀", "'", '"'):
        choices = [letter * (83 - n) for n in range(MOST_CHOICES)]
        code = in_memory.votes().open(Vote(letter * LONGEST, choices, "en", "x"))
        answer = phone().get(f"/vote/{code}")
        assert len(answer.content) < LARGEST
        page = Page(answer.text)
        links = [value for _tag, name, value in page.attributes if name in ("src", "href", "srcset", "data")]
        assert links == ["data:,"]  # no icon
        assert not re.search(r"url\(|@import|<script", answer.text)


def test_the_page_may_run_nothing_and_load_nothing(code):
    policy = phone().get(f"/vote/{code}").headers["content-security-policy"]
    rules = {name: values for name, *values in (rule.split() for rule in policy.split(";"))}
    assert rules == {
        "default-src": ["'none'"],
        "style-src": hashes(notice.HTML, "style"),
        "img-src": ["data:"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
    assert len(rules["style-src"]) == 1
    style = re.search("<style>.*?</style>", notice.HTML, re.DOTALL)[0]
    assert style in phone().get(f"/vote/{code}").text


def test_nobody_keeps_the_page_or_a_connection(code):
    headers = phone().get(f"/vote/{code}").headers
    assert (headers["cache-control"], headers["connection"]) == ("no-store", "close")


def test_more_than_a_hall_from_one_address_is_refused_and_others_come_through(code, monkeypatch):
    monkeypatch.setattr("embedviz.server.votes.EACH", (1e-9, 3))
    refused = metrics.REGISTRY.get_sample_value("embedviz_refused_total", {"limit": "vote"})
    hall = phone()
    assert [hall.get(f"/vote/{code}").status_code for _n in range(5)] == [200, 200, 200, 429, 429]
    answer = hall.post(f"/vote/{code}", data={"choice": "0"})
    assert (answer.status_code, Page(answer.text).texts["h1"]) == (429, ["Too many votes at once"])
    assert hall.get(f"/vote/{code}/count").status_code == 429
    assert phone("192.0.2.8").get(f"/vote/{code}").status_code == 200
    assert metrics.REGISTRY.get_sample_value("embedviz_refused_total", {"limit": "vote"}) == refused + 4


def test_all_together_have_a_limit_too(code, monkeypatch):
    monkeypatch.setattr(votes, "everyone", Bucket(1e-9, 2))
    statuses = [phone(f"192.0.2.{n}").get(f"/vote/{code}").status_code for n in range(3)]
    assert statuses == [200, 200, 429]


def test_a_few_addresses_that_ask_all_the_time_do_not_use_up_what_all_may(code, monkeypatch):
    """Three floods, each of which has all that one address may have at once; a hall of 500 comes after them."""
    now = [0.0]
    monkeypatch.setattr(votes, "Bucket", lambda *limits: Bucket(*limits, lambda: now[0]))
    monkeypatch.setattr(votes, "everyone", votes.Bucket(*votes.ALL))
    request = types.SimpleNamespace(path_params={"code": code})

    def n_answered(address: str, n: int) -> int:
        request.scope = {"client": (address, 1)}
        return sum(votes.refusal_of(request, code) == "" for _n in range(n))

    for second in range(60):
        now[0] = float(second)
        for k in range(3):
            n_answered(f"192.0.2.{k}", 3000)
    assert n_answered("198.51.100.7", 1000) == 1000


def test_a_bucket_that_offers_is_not_emptied_by_whom_it_refuses():
    now = [0.0]
    bucket = Bucket(2.0, 3, lambda: now[0])
    assert [bucket.offers() for _n in range(9)] == [True] * 3 + [False] * 6
    now[0] = 0.5
    assert [bucket.offers() for _n in range(3)] == [True, False, False]
    now[0] = 100
    assert [bucket.offers() for _n in range(5)] == [True] * 3 + [False] * 2
