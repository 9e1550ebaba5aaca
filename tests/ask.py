"""Asking a server over plain HTTP, as no browser would have to: any path, any method, any headers."""

import gzip
import http.client
from collections.abc import Mapping
from dataclasses import dataclass

import brotli

PATIENCE = 300  # seconds: only a server that hangs takes so long
_UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress}


@dataclass(frozen=True)
class Answer:
    """headers: whose names may be written in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        """The body, unpacked, as text."""
        return _UNPACK.get(self.headers["Content-Encoding"], bytes)(self.body).decode("utf-8")


def ask(port: int, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
    """Ask this machine's server at this port; an underscore in a header's name stands for its hyphen."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    is_named = "Host" in headers
    connection.putrequest(
        method, path, skip_host=is_named, skip_accept_encoding=True
    )  # as it is: nobody tidies the path
    if body is not None:
        headers = {"Content-Length": str(len(body))} | headers
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders(body)
    answer = connection.getresponse()
    found = Answer(answer.status, answer.headers, answer.read())
    connection.close()
    return found


def bring(port: int, path: str, data: bytes, name: str = "a.txt") -> Answer:
    """Send a file to the address that the server gave for it, as a browser does."""
    cookie = ask(port, "/_stcore/health").headers["Set-Cookie"].partition(";")[0]
    head = f'--part\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    body = head.encode() + b"Content-Type: text/plain\r\n\r\n" + data + b"\r\n--part--\r\n"
    form = {"Content_Type": "multipart/form-data; boundary=part", "Cookie": cookie}
    return ask(port, path, "PUT", body, X_Xsrftoken=cookie.partition("=")[2], **form)
