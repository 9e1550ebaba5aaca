"""What browsers send, as Streamlit gets it."""

import asyncio
import math
from itertools import pairwise
from urllib.parse import parse_qs

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from embedviz.server.guards.incoming import CheckedMessages
from tests.server import timeless

MOST = 100_000  # bytes


def passed_on(*contents: bytes, preferred: str = "", sent: list | None = None) -> list[tuple[float, bytes]]:
    """What reaches the app of these messages, which come all at once, and when. sent: takes what is sent back."""

    async def app(_scope: dict, receive, send) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            got.append((asyncio.get_running_loop().time(), message["bytes"]))
        await send({"type": "websocket.send", "text": "after the end"})

    got: list[tuple[float, bytes]] = []
    coming = [{"type": "websocket.receive", "bytes": each} for each in contents] + [{"type": "websocket.disconnect"}]

    async def receive() -> dict:
        return coming.pop(0)

    async def send(message: dict) -> None:
        if sent is not None:
            sent.append(message)

    scope = {"type": "websocket", "headers": [(b"accept-language", preferred.encode())]}
    timeless.run(CheckedMessages(app, MOST, lambda _session: False)(scope, receive, send))
    return got


def read(*contents: bytes, preferred: str = "") -> list[bytes]:
    """What reaches the app of these messages."""
    return [content for _at, content in passed_on(*contents, preferred=preferred)]


def address(query: str, preferred: str = "", page: str = "") -> dict[str, list[str]]:
    asked = {"query_string": query, "context_info": {"url": f"http://localhost:8501/{page}?{query}"}}
    (content,) = read(BackMsg(rerun_script=asked).SerializeToString(), preferred=preferred)
    return parse_qs(BackMsg.FromString(content).rerun_script.query_string, keep_blank_values=True)


def test_a_message_that_is_none_or_asks_for_no_page_reaches_streamlit_as_it_is():
    contents = [b"\xff\xff", b"", BackMsg(stop_script=True).SerializeToString()]
    assert read(*contents) == contents


@pytest.mark.parametrize("kind", ["load_git_info", "clear_cache"])
def test_messages_for_developers_do_not_reach_streamlit(kind):
    stop = BackMsg(stop_script=True).SerializeToString()
    assert read(BackMsg(**{kind: True}).SerializeToString(), stop) == [stop]


@pytest.mark.parametrize("view", ["orders", "All orders", "Alle Reihenfolgen", "orders)."])
def test_streamlit_reads_an_option_by_what_its_control_shows(view):
    assert address(f"view={view}&lang=de&seed=&x=1&x=2") == {
        "view": ["Alle Reihenfolgen"], "lang": ["de"], "seed": [""], "x": ["1", "2"]
    }  # fmt: skip
    assert address("view=orders", preferred="ja") == {"view": ["すべての語順"]}
    assert address("view=orders&lang=en", preferred="ja")["view"] == ["All orders"]


def test_a_link_that_went_through_html_says_the_same():
    assert address("a=cats+%26amp%3B+dogs&amp;b=dog&amp%3Bseed=7") == {
        "a": ["cats &amp; dogs"], "b": ["dog"], "seed": ["7"]
    }  # fmt: skip


def test_an_address_of_more_parameters_than_streamlit_reads_is_left_alone():
    query = "&".join(f"view={n}" for n in range(1001))
    (content,) = read(BackMsg(rerun_script={"query_string": query}).SerializeToString())
    assert BackMsg.FromString(content).rerun_script.query_string == query


@pytest.mark.parametrize(
    "forged",
    [{"id": "forged", "int_value": 1}, *({"id": "$$ID-3", "double_value": x} for x in (math.nan, math.inf, -math.inf))],
)
def test_only_controls_have_values_and_only_numbers_that_end(forged):
    widgets = [{"id": "$$ID-1", "string_value": "a"}, forged, {"id": "$$ID-2"}]
    message = BackMsg(rerun_script={"widget_states": {"widgets": widgets}, "fragment_id": "a part"})
    (content,) = read(message.SerializeToString())
    del message.rerun_script.widget_states.widgets[1]
    assert BackMsg.FromString(content) == message
    without = BackMsg(rerun_script={"page_name": "tour"})
    (content,) = read(without.SerializeToString())
    assert BackMsg.FromString(content) == without


def test_a_message_that_is_too_large_ends_the_connection_and_says_why():
    sent: list[dict] = []
    assert [content for _at, content in passed_on(b"", b"x" * (MOST + 1), b"later", sent=sent)] == [b""]
    assert sent == [{"type": "websocket.close", "code": 1009, "reason": "A message may have 97 KiB at most."}]


def test_of_messages_that_come_at_once_all_but_the_first_are_read_one_after_the_other_and_none_is_lost():
    contents = [BackMsg(rerun_script={"page_name": str(n)}).SerializeToString() for n in range(100)]
    times, got = zip(*passed_on(*contents), strict=True)
    assert list(got) == contents
    first, rest = times[:6], times[5:]
    assert set(first) == {0.0}
    assert [later - earlier for earlier, later in pairwise(rest)] == pytest.approx([0.01] * 94)
