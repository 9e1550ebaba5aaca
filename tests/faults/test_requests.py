"""Requests over HTTP that want what they should not get."""

import gzip
import io
import zipfile
from urllib.parse import quote

import pytest

from tests.ask import ask

SECRETS = (b"root:x:0:0:", b"[core]", b"def warm_up", b"secrets.token_hex", b"Dockerfile", b"EMBEDVIZ_")
STARTS = (
    "", "static", "assets/plotly", "assets/embedviz", "media", "component", "_stcore", "_stcore/upload_file",
    "app/static", "_stcore/bidi-components", "compare", "lookup",
)  # fmt: skip
WAYS = (
    "../" * 12 + "etc/passwd", "..%2f" * 12 + "etc%2fpasswd", "%2e%2e/" * 12 + "etc/passwd",
    "..%5c" * 12 + "etc%5cpasswd",
    "%252e%252e%252f" * 12 + "etc%252fpasswd", "....//" * 12 + "etc/passwd", "/etc/passwd", "%00/etc/passwd",
    "..;/" * 12 + "etc/passwd", "../../.git/config", "../../../.git/config", "../visitor.py", "..%2fvisitor.py",
    "../../ui/inputs/visitor.py",
    "../../../embedviz/server/warm_up.py",
    "%c0%ae%c0%ae/" * 12 + "etc/passwd", "file:///etc/passwd", "\\..\\..\\visitor.py",
)  # fmt: skip


HUNG_UP = 0
REFUSED = (400, 403, 404, 405, 413, HUNG_UP)


def answered(*args: object, **headers: str) -> tuple[int, bytes]:
    """The status and the content; HUNG_UP if the server closes the connection while it is still being told."""
    try:
        answer = ask(*args, **headers)
    except (ConnectionResetError, BrokenPipeError):
        return HUNG_UP, b""
    return answer.status, answer.body


@pytest.mark.parametrize("start", STARTS)
def test_no_path_leads_out(target, start):
    for way in WAYS:
        status, content = answered(target.port, f"/{start}/{way}".replace("//", "/", 1).replace(" ", "%20"))
        assert status < 500, (way, status)
        assert not any(secret in content for secret in SECRETS), way


def test_what_is_not_shown_is_not_there(target):
    for path in ("/.git/config", "/app.py", "/data/pairs.json", "/.streamlit/config.toml", "/requirements.txt"):
        _, content = answered(target.port, path)
        # The page of the app, which finds no such page, or a plain answer.
        assert b"<title>" in content or b"Not Found" in content, path


def test_odd_methods_and_headers(target):
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "FOO"):
        for path in ("/", "/healthz", "/_stcore/stream", "/assets/plotly/plotly.min.js", "/_stcore/metrics"):
            status, _ = answered(target.port, path, method, b"x" * 100)
            assert status < 500, (method, path)
    for value in ("bytes=0-", "bytes=99999999999-", "bytes=-1,-2,-3" + ",0-1" * 1000, "lines=1"):
        assert answered(target.port, "/assets/plotly/plotly.min.js", Range=value)[0] < 500
    assert answered(target.port, "/", Accept_Encoding="gzip;q=nonsense, *;;;")[0] < 500
    assert answered(target.port, "/", Cookie='=;;;_streamlit_xsrf="\\;' + "a" * 4000)[0] < 500
    assert answered(target.port, "/", Host="evil.example")[0] < 500


@pytest.mark.parametrize("n", [100, 10_000, 60_000, 200_000])
def test_long_addresses(target, n):
    status, content = answered(target.port, f"/?a={'x' * n}")
    assert status in (200, 400, 414, 431, HUNG_UP)
    assert (status == 200) == (n < 48 * 1024)
    assert b"x" * 100 not in content
    assert answered(target.port, "/" + "a/" * (n // 2))[0] < 500


def test_long_numbers_and_names(target):
    """Of more digits than Python reads, and a name that fits into no QR code."""
    for digits in ("9" * 5000, quote("²" * 500), quote("٣" * 500)):
        for path in ("lesson/dog-bites-man/", "vote/", "lookup?seed=", "?output_dim="):
            assert answered(target.port, f"/{path}{digits}")[0] in (200, 404)
    assert answered(target.port, "/lesson/dog-bites-man/sheet", Host="a" * 2400)[0] == 200


def test_hostile_addresses(target):
    for text in (
        "<script>alert(1)</script>",
        "\u202e\0\r\nSet-Cookie: a=b",
        "%",
        "%zz",
        "&&&===",
        "a[]=1&a[]=2",
        "{{7*7}}",
    ):
        for query in (f"a={quote(text)}", quote(text), f"{quote(text)}=1"):
            status, content = answered(target.port, f"/lookup?{query}")
            assert status < 500
            assert b"<script>alert" not in content


def bombs() -> dict[str, bytes]:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.txt", bytes(50 * 2**20))
    return {"gzip": gzip.compress(bytes(50 * 2**20)), "zip": archive.getvalue(), "large": bytes(30 * 2**20)}


def test_uploads_of_strangers(target):
    """Without a session that asked for a file nothing is kept, however it is packed."""
    for name, content in bombs().items():
        for path in ("/_stcore/upload_file", "/_stcore/upload_file/nobody/nothing", "/_stcore/upload_file/../../x/y"):
            for method in ("PUT", "POST"):
                status, _ = answered(target.port, path, method, content)
                assert status in REFUSED, (name, path, method, status)
            status, _ = answered(target.port, path, "PUT", content, Content_Encoding="gzip")
            assert status in REFUSED, (name, path, status)
