"""What the server does around the pages."""

from embedviz.web.addresses import Addresses
from embedviz.web.closed import Closed
from embedviz.web.compressed import CompressedFiles
from embedviz.web.head import Head
from embedviz.web.headers import SafeHeaders
from embedviz.web.health import Health
from embedviz.web.pace import Pace
from embedviz.web.places import Places
from embedviz.web.sessions import Sessions
from embedviz.web.stop import Stop

__all__ = [
    "Addresses",
    "Closed",
    "CompressedFiles",
    "Head",
    "Health",
    "Pace",
    "Places",
    "SafeHeaders",
    "Sessions",
    "Stop",
]
