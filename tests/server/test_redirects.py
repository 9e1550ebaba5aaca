"""Whatever address somebody gives to a hall, it stays on the site, and no number or header makes a server fail."""

import re
import socket
import types
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import quote, urljoin, urlsplit

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.ask import PATIENCE

EVIL = "evil.example"
PAGE = ("", "compare", "lookup", "vote", "vote/bbbbb", "lesson/dog-bites-man", "lesson/dog-bites-man/1", "static",
    "assets/embedviz", "assets/plotly", "media", "_stcore", "_stcore/upload_file", "component", "auth",
    "x.y")  # fmt: skip
SIGNS = ["/", "//", "\\", "\\\\", "%2f", "%2F%2f", "%5c", "%5C%5c", "%09", "%0a", "%0d%0a", "\t", "%00", "@", ":",
    ".", "..", "%2e%2e", ";", "?", "#", "%23", "%3f", "&next=", "https:", "http:", "https://", "javascript:", EVIL, "%",
    "%zz",     "%e2%80%ae", "%25%32%66", "\xe9", "a", "1"]  # fmt: skip
BODIES = ("Content-Length", "Transfer-Encoding")
PARTS = st.lists(st.sampled_from([*SIGNS, *PAGE]), max_size=7).map("".join)


def answered(port: int, target: str, headers: Mapping[str, str] = types.MappingProxyType({})) -> tuple[int, str]:
    """The status and where it leads, for an address that is sent as it is; 0 if the server hangs up."""
    about = {"Host": f"127.0.0.1:{port}", "Connection": "close"} | headers
    request = "".join(f"{name}: {value}\r\n" for name, value in about.items())
    head = b""
    with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port), PATIENCE) as line:
        line.sendall(f"GET {target} HTTP/1.1\r\n{request}\r\n".encode("latin-1"))
        if not headers.keys().isdisjoint(BODIES):
            line.shutdown(socket.SHUT_WR)  # no body follows, whatever was announced
        while b"\r\n\r\n" not in head and (piece := line.recv(2**16)):
            head += piece
    if not head:
        return 0, ""
    lines = head.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    places = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("location:")]
    assert len(places) <= 1
    return int(lines[0].split()[1]), places[0] if places else ""


def as_browsers_read(address: str) -> str:
    """The URL standard: backslashes are slashes, tabs and line ends are dropped, and spaces around it too."""
    return re.sub(r"[\t\r\n]", "", address).strip(" \0").replace("\\", "/")


def leads_to(base: str, location: str) -> set[str]:
    """The sites to which this leads, by Python and by a browser."""
    read = as_browsers_read(location)
    scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", read)
    if scheme and scheme[0].lower() in ("http:", "https:"):  # a browser takes https:name and https:////name for a name
        read = f"{scheme[0]}//{read[len(scheme[0]) :].lstrip('/')}"
    elif re.match("/{2,}", read):
        read = f"//{read.lstrip('/')}"
    places = (urlsplit(urljoin(as_browsers_read(base), each)) for each in (location, read))
    return {f"{place.scheme}://{place.netloc}" for place in places}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=400)
@given(PARTS, PARTS)
@example("vote/https:evil.example", "")
@example("/evil.example/..", "")
@example("%5cevil.example/", "")
@example("x.y/%5c%5cevil.example/", "")
@example("compare", "/\\evil.example")
def test_no_address_leads_off_the_site(site, path, query):
    target = f"/{path}{'?' * bool(query)}{query}".replace(" ", "%20")
    target = re.sub(r"[\t\r\n#]", lambda sign: quote(sign[0]), target)  # no browser sends these as they are
    status, location = answered(site.port, target)
    home = f"http://127.0.0.1:{site.port}"
    assert 0 < status < 500
    assert not location or leads_to(home + target, location) == {home}
    assert not re.match(r"[a-z]+:|/", location, re.IGNORECASE), location  # relative, so that it holds under any prefix


DIGITS = "9" * 5000
PATHS = ("/", "/lookup", "/vote/BBBBB", "/vote/BBBBB/count", "/lesson/dog-bites-man/1", "/lesson/dog-bites-man/sheet",
    "/assets/plotly/plotly.min.js", "/assets/embedviz/embedviz/ui/assets/page/site.css", "/favicon.png", "/nowhere",
    "/_stcore/health", "/_stcore/host-config", "/static/x.js", "/healthz", "/readyz")  # fmt: skip
HEADERS = {
    "Host": ["a" * 2400, "a" * 30_000, "[::1", "[", "a:b", "a:99999999", f"a:{DIGITS}", "a@b", "a/b", "", "\xff",
        "a b"],
    "Accept_Language": [DIGITS, f"de;q={DIGITS}", "de;q=1e999", "de;q=nan", "de;q=\xb2", ",;=" * 5000, "\xff"],
    "Cookie": [f"embedviz_vote={DIGITS}", f"_streamlit_xsrf={DIGITS}", "_streamlit_xsrf=2|x|y|" + DIGITS, "=;" * 5000,
        '="\\777"', "\xff"],
    "X_Forwarded_For": [DIGITS, "a" * 3000, "1," * 5000, "::" * 3000, "%", "\xff", "fe80::1%eth0",
        "192.0.2.1:99999999"],
    "X_Forwarded_Proto": ["a" * 5000, "\xff", "https,http", "javascript:"],
    "X_Forwarded_Host": ["a" * 5000, "["],
    "X_Forwarded_Prefix": ["a" * 5000, "//evil.example"],
    "Origin": ["a" * 5000, "null", "http://[", f"http://a:{DIGITS}"],
    "Range": [f"bytes={DIGITS}-", f"bytes=0-{DIGITS}", f"bytes=-{DIGITS}", "bytes=\xb2-\xb3", "bytes=0-0," * 2000],
    "If_Range": [DIGITS, "Thu, 01 Jan 99999999 00:00:00 GMT"],
    "If_None_Match": [DIGITS, '"' * 5000, "W/" * 5000],
    "If_Modified_Since": ["Thu, 01 Jan 99999999 00:00:00 GMT", f"Thu, {DIGITS} Jan 2020 00:00:00 GMT", "0", "\xff",
        "Thu, 01 Jan 1970 00:00:00 +99999999"],
    "Content_Length": [DIGITS, "-1", "\xb2", "1e9", "99999999999999999999"],
    "Transfer_Encoding": ["chunked", "a" * 5000],
    "Accept_Encoding": [DIGITS, f"gzip;q={DIGITS}", "," * 5000],
    "Upgrade": ["websocket", "h2c"],
    "Sec_Websocket_Protocol": ["a," * 5000],
}  # fmt: skip


@pytest.mark.parametrize("name", HEADERS)
def test_no_header_makes_a_server_fail(site, name):
    before = len(site.log.read_text())
    for value in HEADERS[name]:
        for path in PATHS:
            status, _location = answered(site.port, path, {name.replace("_", "-"): value, "Accept": "text/html"})
            assert status < 500, (path, value[:40])
            assert status or name in ("Content_Length", "Transfer_Encoding"), (path, value[:40])
    assert '"ERROR"' not in site.log.read_text()[before:]


NUMBERS = [
    DIGITS,
    f"-{DIGITS}",
    f"0.{DIGITS}",
    "²",
    "٣",
    "1e999",
    "nan",
    "inf",
    "-0",
    "0x10",
    "1_000",
    "NaN",
    "\0",
    "",
    " ",
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: quote(number[:8]))
def test_no_number_in_an_address_makes_a_server_fail(site, number):
    for path in (f"/lesson/dog-bites-man/{quote(number)}", f"/lesson/{quote(number)}/1", f"/vote/{quote(number)}"):
        assert answered(site.port, path)[0] < 500, path
    query = "&".join(f"{name}={quote(number[:200])}" for name in ("seed", "output_dim", "for", "lang", "part", "n"))
    for path in PATHS:
        assert answered(site.port, f"{path}?{query}")[0] < 500, path


@pytest.mark.parametrize(
    ("path", "there"), [("/compare?a=x", "./?a=x"), ("/lookup/deeper", "../lookup"), ("/vote/bbbbb", "./BBBBB")]
)
def test_our_own_redirects_lead_on(site, path, there):
    assert answered(site.port, path) == (307, there)
