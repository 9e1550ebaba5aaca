"""What the server does around the pages."""

from embedviz.web.closed import Closed
from embedviz.web.compressed import CompressedFiles
from embedviz.web.head import Head
from embedviz.web.headers import SafeHeaders
from embedviz.web.health import Health
from embedviz.web.smallest import Smallest

__all__ = ["Closed", "CompressedFiles", "Head", "Health", "SafeHeaders", "Smallest"]
