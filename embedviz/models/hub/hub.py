"""Parts of a model's file from the Hugging Face Hub, by HTTP ranges.

huggingface_hub makes the address, the headers and the connection, so HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE
and the usual proxy variables count. What comes back is measured before it is believed.
"""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TypeVar

import httpx2
from huggingface_hub import constants, get_hf_file_metadata, hf_hub_download, hf_hub_url
from huggingface_hub.errors import HfHubHTTPError
from huggingface_hub.file_download import repo_folder_name
from huggingface_hub.utils import build_hf_headers, get_session

from embedviz.base.errors import Unavailable
from embedviz.models.header import Version
from embedviz.models.hub.refusals import host, in_plain_words, pause_asked

# The Hub is asked for the model's files and nothing else: no list of agents, and no word of what else is installed.
constants.HF_HUB_DISABLE_TELEMETRY = True

CONNECT_SECONDS, READ_SECONDS = 3.0, 5.0  # short, since a visitor waits
NEWEST_SECONDS = 12.0  # for all that is asked about a file, with redirects, a pause and another try
PATIENCE_SECONDS = 3.0  # a server that asks for a longer pause gets one, and the visitor a message
_MOST_REDIRECTS = 5
_ASKING = threading.BoundedSemaphore(32)  # requests at a time; one whose answer drips goes on when nobody waits for it
_T = TypeVar("_T")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


@dataclass(frozen=True)
class HubFiles:
    """The files of one repository on the Hub."""

    repo: str

    def newest(self, file: str) -> Version:
        """The version that the Hub has now.

        Raises Unavailable if it does not say within NEWEST_SECONDS, and Missing if there is none.
        """
        url = hf_hub_url(self.repo, file)
        with in_plain_words():
            deadline = time.monotonic() + NEWEST_SECONDS
            found = _patiently(lambda: get_hf_file_metadata(url, timeout=READ_SECONDS), deadline)
        if not found.etag or not _COMMIT.fullmatch(found.commit_hash or "") or found.size is None:
            raise Unavailable("{host} does not answer as the Hub does: check HF_ENDPOINT.", host=host())
        if not found.size:
            raise Unavailable("{file} is empty. Choose another model.", file=file)
        return Version(constants.ENDPOINT, str(found.commit_hash), found.etag, found.size)

    def read(self, file: str, version: Version, start: int, length: int, deadline: float) -> bytes:
        """`length` bytes of the file from byte `start` on; a cut connection is tried once more.

        deadline: when to give up, in the time of `time.monotonic`.
        Raises Unavailable if exactly these bytes of this version do not come.
        """
        url = hf_hub_url(self.repo, file, revision=version.commit)
        get = partial(_get, url, version, start, length, deadline)
        with in_plain_words():
            try:
                return _patiently(get, deadline)
            except (httpx2.ReadError, httpx2.RemoteProtocolError):
                return _in_time(get, deadline)

    def keep(self, file: str, version: Version) -> None:
        """Let Hugging Face's own cache know this version of a file, whose bytes lie among its blobs already."""
        with in_plain_words():
            path = Path(hf_hub_download(self.repo, file, revision=version.commit, etag_timeout=READ_SECONDS))
            newest = path.parents[2] / "refs" / "main"
            newest.parent.mkdir(exist_ok=True)
            part = newest.with_suffix(".part")
            part.write_text(version.commit, "utf-8")
            part.replace(newest)  # in one step, since other processes of this machine may read it

    @property
    def blobs(self) -> Path:
        """Where this cache has the bytes of the repository's files, by their etags."""
        folder = repo_folder_name(repo_id=self.repo, repo_type="model")
        return Path(constants.HF_HUB_CACHE) / folder / "blobs"


def _get(url: str, version: Version, start: int, length: int, deadline: float) -> bytes:
    headers = build_hf_headers() | {"Range": f"bytes={start}-{start + length - 1}", "Accept-Encoding": "identity"}
    with _answer(url, headers) as response:
        _check(response, version, start, length)
        data = bytearray()
        for chunk in response.iter_raw():
            data += chunk
            if len(data) > length:
                raise Unavailable("{host} sent more than was asked for.", host=host())
            if time.monotonic() > deadline:
                raise httpx2.ReadTimeout("the deadline is over")
    if len(data) != length:
        raise httpx2.RemoteProtocolError("the answer ended early")
    return bytes(data)


@contextmanager
def _answer(url: str, headers: Mapping[str, str]) -> Iterator[httpx2.Response]:
    """The answer, also from where the Hub sends us on to, which is checked before it is asked."""
    timeout = httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
    session, history = get_session(), []
    request = session.build_request("GET", url, headers=headers, timeout=timeout)
    response = None
    for _redirect in range(_MOST_REDIRECTS):
        response = session.send(request, stream=True, follow_redirects=False)
        response.history = [*history]
        if response.next_request is None:
            break
        response.close()
        history.append(response)
        request = response.next_request
        if not may_be_asked(request.url):
            raise Unavailable("{host} leads to a place that is not on the internet: check HF_ENDPOINT.", host=host())
    if response is None:
        raise Unavailable("{host} does not answer as the Hub does: check HF_ENDPOINT.", host=host())
    try:
        yield response
    finally:
        response.close()


def may_be_asked(url: httpx2.URL) -> bool:
    """Whether the Hub may send us there: to itself, or by https to the internet.

    A machine inside the network is asked only if HF_ENDPOINT is one of the same kind. So no server of the internet can
    let this one ask its neighbours.
    """
    hub = httpx2.URL(constants.ENDPOINT)
    if (url.scheme, url.host, url.port) == (hub.scheme, hub.host, hub.port):
        return True
    return url.scheme in ("https", hub.scheme) and address_kinds(url.host) <= {"global"} | address_kinds(hub.host)


def address_kinds(name: str) -> set[str]:
    """What kinds of addresses a host has; none if this machine does not know it, as a proxy may."""
    try:
        found = {str(line[4][0]).partition("%")[0] for line in socket.getaddrinfo(name, None)}
    except (OSError, UnicodeError):
        return set()
    return set(map(_kind, found))


def _kind(address: str) -> str:
    host = ip_address(address)
    host = getattr(host, "ipv4_mapped", None) or host
    if host.is_loopback or host.is_unspecified:
        return "loopback"
    return "global" if host.is_global else "link-local" if host.is_link_local else "private"


def _check(response: httpx2.Response, version: Version, start: int, length: int) -> None:
    """Believe an answer only if it is the part that was asked for, of the version that was asked for."""
    is_whole = response.status_code == httpx2.codes.OK
    if is_whole and (start, length) != (0, version.size):
        raise Unavailable(
            "{host} sends whole files only, no parts of them. Download the file once instead.", host=host()
        )
    if not is_whole and response.status_code != httpx2.codes.PARTIAL_CONTENT:
        response.raise_for_status()
        raise Unavailable("{host} answered with status {status}.", host=host(), status=response.status_code)
    part = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if not is_whole and (not part or tuple(map(int, part.groups())) != (start, start + length - 1, version.size)):
        raise Unavailable("{host} sent another part of the file than was asked for.", host=host())
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise Unavailable("{host} sent the part compressed.", host=host())
    etag = _etag(response)
    if etag is not None and etag.removeprefix("W/").strip('"') != version.etag:
        raise Unavailable("the file has changed on the Hub.")


def _etag(response: httpx2.Response) -> str | None:
    """The file's etag that the Hub sends before it redirects; a storage host behind the Hub has etags of its own."""
    for answer in (*response.history, response):
        if linked := answer.headers.get(constants.HUGGINGFACE_HEADER_X_LINKED_ETAG):
            return linked
    return None if response.history else response.headers.get("ETag")


def _patiently(ask: Callable[[], _T], deadline: float) -> _T:
    """Ask again if the server wants a pause that is short enough to wait for."""
    try:
        return _in_time(ask, deadline)
    except (HfHubHTTPError, httpx2.HTTPStatusError) as error:
        wait = pause_asked(error.response)
        if wait is None or wait > min(PATIENCE_SECONDS, deadline - time.monotonic()):
            raise
        time.sleep(wait)
        return _in_time(ask, deadline)


def _in_time(ask: Callable[[], _T], deadline: float) -> _T:
    """Ask in a thread of its own, and wait until the deadline. The time limits of httpx hold for each line by itself.

    Raises httpx2.ReadTimeout.
    """
    answer: Future[_T] = Future()
    late = httpx2.ReadTimeout("the deadline is over")
    if not _ASKING.acquire(timeout=max(deadline - time.monotonic(), 0.0)):
        raise late
    threading.Thread(target=_carry_out, args=(ask, answer), name="hub", daemon=True).start()
    try:
        return answer.result(max(deadline - time.monotonic(), 0.0))
    except TimeoutError as error:
        raise late from error
    finally:
        del answer  # it holds an error, if there was one, and the error would hold this frame


def _carry_out(ask: Callable[[], _T], answer: Future[_T]) -> None:
    try:
        answer.set_result(ask())
    except Exception as error:  # noqa: BLE001 it is raised where the answer is waited for
        answer.set_exception(error)
    finally:
        _ASKING.release()
        del answer  # as above
