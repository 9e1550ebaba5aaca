"""Whose pages may speak with the server, and under which names."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit import net_util
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from embedviz.server.guards.origins import Origins

EVIL, SITE = "evil.example", "embedviz.example.org"


def answered(
    host: str | None, origin: str | None = None, *more: tuple[str, str], names: tuple[str, ...] = (), **scope: str
) -> tuple[int, list[tuple[bytes, bytes]]]:
    """The status with which a request is refused, or 0 with the headers that go on to the app."""
    given_ = [("host", host), ("origin", origin), *more]
    headers = [(name.encode(), value.encode("latin-1")) for name, value in given_ if value is not None]
    asked = {"type": "websocket", "headers": headers, "extensions": {"websocket.http.response": {}}} | scope
    got, sent = [], []

    async def app(passed: dict, *_: object) -> None:
        got.append(passed["headers"])

    async def receive() -> dict:
        return {"type": "websocket.connect"}

    async def send(message: dict) -> None:
        sent.append(message)

    asyncio.run(Origins(app, names)(asked, receive, send))
    assert bool(got) != bool(sent)
    return (0, got[0]) if got else (sent[0]["status"], [])


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:8501", "http://127.0.0.1:8501"),
        ("localhost:8501", "http://localhost:8501"),
        ("192.168.1.20:8501", "http://192.168.1.20:8501"),
        ("[fe80::1]:8501", "http://[fe80::1]:8501"),
        ("hall", "http://hall"),
        ("Hall.local.:80", "http://hall.LOCAL"),
        ("pc7.lan:443", "https://pc7.lan"),
        ("127.0.0.1:8501", None),  # no browser: each of them says where its page is from
    ],
)
def test_its_own_pages_come_in_where_nothing_is_set(host, origin):
    assert answered(host, origin)[0] == 0
    assert answered(host, origin, names=(SITE,))[0] == 0


@pytest.mark.parametrize(
    "origin",
    [
        f"https://{EVIL}",
        f"http://{EVIL}:8501",
        f"http://127.0.0.1:8501.{EVIL}",
        "http://127.0.0.1:8501@" + EVIL,
        "http://127.0.0.1:8501/",
        "http://127.0.0.1:8502",
        "http://127.0.0.1",
        "http://localhost:8501",
        "ws://127.0.0.1:8501",
        "null",
        "file://",
        "",
        "http://",
        "http://[::",
        "http://127.0.0.1:8501, http://127.0.0.1:8501",
        "127.0.0.1:8501",
        "\xff",
    ],
)
def test_pages_of_others_do_not(origin):
    for kind in ({}, {"type": "http", "method": "PUT"}, {"type": "http", "method": "OPTIONS"}):
        assert answered("127.0.0.1:8501", origin, **kind)[0] == 403
    assert answered("127.0.0.1:8501", origin, names=(SITE,))[0] == 403


def test_who_names_two_origins_or_two_hosts_does_not():
    own = "http://127.0.0.1:8501"
    assert answered("127.0.0.1:8501", own, ("origin", own))[0] == 403
    assert answered("127.0.0.1:8501", own, ("host", EVIL))[0] == 403
    assert answered(None, own)[0] == 403


@pytest.mark.parametrize("host", [EVIL, f"{EVIL}:8501", "127.0.0.1.evil.example", "a@127.0.0.1", "127.0.0.1/x", ""])
def test_a_name_that_another_site_may_have_is_refused(host):
    """Its owner can let it lead to this machine; a browser then takes the page for one of ours."""
    assert answered(host, f"http://{host}")[0] == 403
    assert answered(host)[0] == 403
    assert answered(host, f"http://{host}", names=(SITE,))[0] == 403


def test_a_name_that_is_set_or_that_a_proxy_passes_on_is_taken():
    passed = ("x-forwarded-for", "203.0.113.9")
    assert answered(SITE, f"https://{SITE}", passed)[0] == 0
    assert answered(SITE, f"https://{SITE}", names=(SITE,))[0] == 0
    assert answered("localhost:8501", f"https://{SITE}", names=(SITE,))[0] == 0  # the proxy calls it by another name
    assert answered("localhost:8501", f"https://{EVIL}", passed)[0] == 403
    assert answered(EVIL, f"https://{EVIL}", passed, names=(SITE,))[0] == 403


def test_reading_is_left_to_browsers_but_a_page_under_a_strange_name_says_why_it_would_not_work():
    read = {"type": "http", "method": "GET"}
    page = ("accept", "text/html,*/*;q=0.8")
    assert answered(EVIL, f"https://{EVIL}", **read)[0] == 0
    assert answered(EVIL, None, page, **read)[0] == 421
    assert answered("127.0.0.1", None, page, **read)[0] == 0
    assert answered(SITE, None, page, names=(SITE,), **read)[0] == 0


HOSTS = st.sampled_from(["127.0.0.1:8501", "localhost", EVIL, SITE, "[::1]", "hall:80"]) | st.text(max_size=8)
LATIN = st.characters(max_codepoint=255)


@given(HOSTS.filter(str.isascii), st.sampled_from(["http://", "https://", ""]), HOSTS | st.text(LATIN), st.booleans())
def test_whatever_goes_on_streamlit_asks_nobody(host, scheme, name, is_passed_on):
    """Streamlit's own check with the headers that it gets, where asking raises an error."""
    more = [("x-forwarded-for", "203.0.113.9")] if is_passed_on else []
    origin = (scheme + name).encode("latin-1", "replace").decode("latin-1")
    refused, headers = answered(host, origin, *more)
    if refused:
        return
    found = {key.decode(): value.decode("latin-1") for key, value in headers}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(net_util, "get_external_ip", lambda: pytest.fail("asked outside"))
        assert _is_origin_allowed(found.get("origin"), found.get("host"))


def test_a_server_takes_and_refuses_them(site):
    assert site.ask("/_stcore/upload_file/a/b", "PUT", b"", Origin=f"https://{EVIL}").status == 403
    page = site.ask("/lookup", Host=EVIL, Accept="text/html")
    assert (page.status, "EMBEDVIZ_HOSTS" in page.text) == (421, True)
    assert "default-src 'self'" in page.headers["Content-Security-Policy"]


CLOSED = ["/_stcore/metrics", "/_stcore/agent/mcp", "/component/a/b", "/auth/login", "/auth/logout", "/oauth2callback"]


@pytest.mark.parametrize("path", CLOSED)
def test_what_no_page_needs_of_streamlit_is_not_there(site, path):
    before = len(site.log.read_text().splitlines())
    answer = site.ask(path)
    assert answer.status == 404
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert not any('"ERROR"' in line for line in site.log.read_text().splitlines()[before:])
