"""What the server does around the pages."""

from embedviz.web.compressed import CompressedFiles
from embedviz.web.head import Head

__all__ = ["CompressedFiles", "Head"]
