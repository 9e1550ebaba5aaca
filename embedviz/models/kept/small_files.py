"""Small files of models that are kept on disk, each with a checksum: a damaged one counts as one that is not there."""

import zlib
from contextlib import suppress
from pathlib import Path

from huggingface_hub import cached_assets_path

from embedviz.base.errors import Unavailable
from embedviz.models.checkpoints import Checkpoint
from embedviz.models.files import Files, small
from embedviz.models.hub.refusals import Missing
from embedviz.models.kept import store


def cached_file(checkpoint: Checkpoint, files: Files, file: str, limit: int) -> bytes:
    """A whole small file, from the disk if it was read before. Raises Unavailable as `small` does."""
    with suppress(OSError, ValueError):  # it is not there yet, or nothing can be kept
        return checked(_small(checkpoint, file))
    try:
        data = small(files, file, limit)
    except Missing as error:
        raise Unavailable(
            "it has no {file} that can be had here. Other files of tokenizers, such as tokenizer.model and "
            "vocab.txt, are not read. Choose a model with {file}.",
            file=file,
        ) from error
    with suppress(OSError, ValueError):
        keep(_small(checkpoint, file), data)
    return data


def is_kept(checkpoint: Checkpoint, file: str) -> bool:
    """True if the small file was read before and is on the disk."""
    with suppress(OSError, ValueError):  # nothing can be kept
        return _small(checkpoint, file).is_file()
    return False


def _small(checkpoint: Checkpoint, file: str) -> Path:
    return cached_assets_path("embedviz", checkpoint.name, "files") / file


def keep(path: Path, data: bytes) -> None:
    """Keep a small file together with its CRC-32."""
    store.write(path, f"{zlib.crc32(data):08x}\n".encode() + data)


def checked(path: Path) -> bytes:
    """What `keep` wrote there. Raises ValueError if it is damaged."""
    check, _newline, data = path.read_bytes().partition(b"\n")
    if int(check, 16) != zlib.crc32(data):
        raise ValueError(path)
    return data
