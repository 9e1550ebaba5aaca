"""What the Hub's refusals and a network's errors mean in plain words, and how long a server asks to wait."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx2
from huggingface_hub import constants
from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled
from huggingface_hub.utils import get_session, parse_ratelimit_headers

from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _

MAX_WAIT_SECONDS = 600.0


class Missing(Unavailable):
    """The repository has no file of this name."""


def pause_asked(response: httpx2.Response) -> float | None:
    """The pause that a refusal asks for, in seconds, at most MAX_WAIT_SECONDS; None if it asks for none."""
    limit = parse_ratelimit_headers(response.headers)
    if response.status_code == httpx2.codes.TOO_MANY_REQUESTS and limit and not limit.remaining:
        return min(limit.reset_in_seconds, MAX_WAIT_SECONDS)
    named = response.headers.get("Retry-After", "").strip()
    if named.isascii() and named.isdigit():
        return min(float(named), MAX_WAIT_SECONDS)
    try:
        return min(max(parsedate_to_datetime(named).timestamp() - time.time(), 0.0), MAX_WAIT_SECONDS)
    except ValueError:
        return None


@contextmanager
def in_plain_words() -> Iterator[None]:
    """Turn errors of the network and the library into Unavailable, so that no text of the server's reaches the page."""
    try:
        get_session()  # it is made once, with the proxies that the environment names
    except (ImportError, ValueError, httpx2.InvalidURL) as error:
        raise Unavailable(
            "HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names a proxy that cannot be used. "
            "Name one like http://proxy.example.org:3128."
        ) from error
    try:
        yield
    except OfflineModeIsEnabled as error:
        raise Unavailable("HF_HUB_OFFLINE is set, and the file is not on this machine.") from error
    except (HfHubHTTPError, httpx2.HTTPStatusError) as error:
        raise _refusal(error.response) from error
    except httpx2.TimeoutException as error:
        raise Unavailable("{host} did not answer in time.", host=host()) from error
    except (httpx2.ReadError, httpx2.RemoteProtocolError) as error:
        raise Unavailable("the connection to {host} was cut.", host=host()) from error
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise Unavailable("there is no connection to {host}.", host=host()) from error


def _refusal(response: httpx2.Response) -> Unavailable:
    status, wait = response.status_code, pause_asked(response)
    if status == httpx2.codes.TOO_MANY_REQUESTS:
        if not wait:
            return Unavailable("{host} has had too many requests (429).", host=host())
        return Unavailable(
            "{host} has had too many requests (429). It asks for a pause of {pause:,.0f} seconds.",
            host=host(),
            pause=wait,
            wait=wait,
        )
    if status in (httpx2.codes.UNAUTHORIZED, httpx2.codes.FORBIDDEN):
        return Unavailable(
            "{host} does not give the file out ({status}). If the model's page there asks for it, accept the "
            "model's terms, and start embedviz with your token in HF_TOKEN.",
            host=host(),
            status=status,
        )
    if status == httpx2.codes.NOT_FOUND:
        return Missing("{host} does not have the file (404).", host=host())
    return Unavailable("{host} answered with status {status}.", host=host(), status=status, wait=wait)


def host() -> str | Callable[[], str]:
    """The name of the server, without what may stand before it, such as a password."""
    return urlsplit(constants.ENDPOINT).netloc.rpartition("@")[2] or (lambda: _("the Hub"))
