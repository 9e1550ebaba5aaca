"""What the page "Compare" asks for once all else is drawn."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.layers.likeness import likeness
from embedviz.layers.probe import SOURCE
from embedviz.server.likeness import ROUTE, Likeness
from tests.models.shelf import on_shelf

A, B = "the cat sat on the mat", "on the mat the cat sat"


@pytest.fixture
def client(models_folder):
    on_shelf("bert", models_folder / SOURCE, A)
    return TestClient(Starlette(routes=[ROUTE]))


def test_the_ends_come_first_and_what_lies_between_when_it_is_asked_for(client):
    answer = client.get("/likeness", params={"a": A, "b": B})
    assert answer.json() == dict(zip(["0", "100"], likeness(A, B, [0, 1]), strict=True))
    assert "max-age" in answer.headers["cache-control"]  # the same texts again cost nothing
    between = client.get("/likeness", params={"a": A, "b": B, "between": "between"}).json()
    assert [*between] == [str(share) for share in range(10, 100, 10)]
    assert between["50"] == likeness(A, B, [0.5])[0]


def test_what_the_model_cannot_read_has_no_answer(client):
    answer = client.get("/likeness", params={"a": A, "b": "the " * 3000})
    assert (answer.status_code, answer.content) == (204, b"")


def request(*, is_gone: bool) -> Request:
    async def receive() -> dict[str, str]:
        if not is_gone:
            await asyncio.sleep(10)
        return {"type": "http.disconnect"}

    return Request({"type": "http", "method": "GET", "query_string": b"a=cat&b=cat", "headers": []}, receive)


def test_a_visitor_who_has_typed_on_is_not_answered(client, monkeypatch):
    asked = []
    monkeypatch.setattr("embedviz.server.likeness.likeness", lambda *about: asked.append(about) or [1.0])
    both = Likeness()
    assert asyncio.run(both.answer(request(is_gone=True))).status_code == 204
    assert asked == []
    assert asyncio.run(both.answer(request(is_gone=False))).status_code == 200
    assert [shares for _a, _b, shares in asked] == [[0.0], [1.0]]


def test_when_too_many_ask_they_are_told_to_come_again(client, monkeypatch):
    monkeypatch.setattr("embedviz.server.likeness._MOST", 1)
    both = Likeness()

    async def ask_twice() -> list[int]:
        answers = await asyncio.gather(both.answer(request(is_gone=False)), both.answer(request(is_gone=False)))
        return [answer.status_code for answer in answers]

    assert asyncio.run(ask_twice()) == [200, 503]
    assert asyncio.run(both.answer(request(is_gone=False))).status_code == 200


def test_a_question_about_many_shares_lets_another_one_through(client, monkeypatch):
    answered = []
    monkeypatch.setattr(
        "embedviz.server.likeness.likeness", lambda a, _b, shares: answered.append(a) or [1.0] * len(shares)
    )
    both = Likeness()

    def asking(text: bytes, more: bytes = b"") -> Request:
        found = request(is_gone=False)
        return Request(found.scope | {"query_string": b"a=" + text + b"&b=cat" + more}, found.receive)

    async def ask_both() -> None:
        await asyncio.gather(both.answer(asking(b"long", b"&between=between")), both.answer(asking(b"short")))

    asyncio.run(ask_both())
    assert (answered.count("long"), answered.count("short")) == (9, 2)
    assert "long" in answered[-5:]
    assert answered.index("short") < 2


@pytest.mark.parametrize(("error", "is_kept"), [(Unavailable("not now."), False), (EmbedvizError("never."), True)])
def test_only_an_answer_that_stays_is_kept_by_the_browser(client, monkeypatch, error, is_kept):
    def refuse(*_about: object) -> None:
        raise error

    monkeypatch.setattr("embedviz.server.likeness.likeness", refuse)
    answer = client.get("/likeness", params={"a": A, "b": B})
    assert answer.status_code == 204
    assert ("max-age" in answer.headers.get("cache-control", "")) == is_kept
