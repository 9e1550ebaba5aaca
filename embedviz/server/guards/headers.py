"""What the server tells browsers to allow: nothing from outside, no evaluation of texts, frames only where wanted."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import Message, Receive, Scope, Send

from embedviz.server.middleware import AsgiMiddleware

# Streamlit makes its styles in the page, and it imports a component's loader from a blob. Plotly makes pictures from
# blob and data addresses.
_POLICY = {
    "default-src": "'self'",
    "script-src": "'self' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' data: blob:",
    "worker-src": "blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
_NO_SNIFFING = {"X-Content-Type-Options": "nosniff"}
# Parts of a page, for which the policy of the page holds. A first visit asks for more than a hundred of them.
_PARTS = ("text/javascript", "application/javascript", "text/css", "font/woff2")


@dataclass(eq=False)
class SafeHeaders(AsgiMiddleware):
    """Middleware that adds the headers to every answer without such ones, and to parts of a page what parts need.

    inside: HTML with the scripts of pages.
    """

    inside: str
    frame_ancestors: Sequence[str] = ()

    def __post_init__(self) -> None:
        policy = _POLICY | {
            "script-src": " ".join((_POLICY["script-src"], *hashes(self.inside))),
            "frame-ancestors": " ".join(("'self'", *self.frame_ancestors)),
        }
        self._headers = _NO_SNIFFING | {
            "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        }

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_part = headers.get("content-type", "").partition(";")[0] in _PARTS
                for name, value in (_NO_SNIFFING if is_part else self._headers).items():
                    headers.setdefault(name, value)  # a page that needs less may allow less
                if self.frame_ancestors and scope["scheme"] == "https":
                    headers.raw[:] = [(name, _in_frames(name, value)) for name, value in headers.raw]
            await send(message)

        await self.app(scope, receive, with_headers)


def _in_frames(name: bytes, value: bytes) -> bytes:
    """A header, of which Streamlit's cookie is kept in another site's frame too, apart from that of other sites.

    Without the cookie a file is refused. Over http browsers keep no such cookie.
    """
    return value.replace(b"SameSite=Lax", b"SameSite=None; Secure; Partitioned") if name == b"set-cookie" else value


def hashes(page: str, tag: str = "script") -> list[str]:
    """The hash of each script, or style, that stands in a page itself, in the form in which a policy names it."""
    inside = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
    return [f"'sha256-{b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in inside]
