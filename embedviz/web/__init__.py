"""What the server does around the pages."""

from embedviz.web.compressed import CompressedFiles

__all__ = ["CompressedFiles"]
