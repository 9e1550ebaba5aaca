"""Arrays in files of NumPy and in safetensors. Nothing is ever unpickled, and nothing unpacked beyond the limit."""

import io
import zipfile
import zlib
from collections.abc import Callable, Mapping

import numpy as np
from safetensors import SafetensorError, torch

from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured

MOST_MIB = configured().vectors_mib
MOST_BYTES = MOST_MIB * 2**20
_MOST_TABLES = 5000  # a file that Layers saves of a large model has half as many
_UNREADABLE = (
    *(ValueError, TypeError, KeyError, EOFError, MemoryError, RecursionError, OverflowError, SyntaxError),
    *(NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error, SafetensorError),
)


def arrays(name: str, data: bytes) -> tuple[str, dict[str, np.ndarray]] | None:
    """The kind of a file with arrays, and these by their names; None if it is a text.

    Arrays of two sentences, as this project saves them, are one. Raises EmbedvizError for a file that is too large,
    broken, or a pickle.
    """
    check_size(data)
    if data[:2] in (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"):
        raise _is_pickle()
    if data.startswith(b"\x93NUMPY"):
        return "npy", {"vectors": _unpacked(_npy, data)}
    if data.startswith(b"PK\x03\x04"):
        return "npz", _unpacked(_npz, data)
    if name.lower().endswith(".safetensors"):
        return "safetensors", _unpacked(_safetensors, data)
    return None


def check_size(data: bytes) -> None:
    """Raise EmbedvizError if a file is too large, or empty."""
    if len(data) > MOST_BYTES:
        raise _too_large(len(data))
    if not data:
        raise EmbedvizError("The file is empty.")


def check_tables(n: int) -> None:
    """Raise EmbedvizError if these are more tables than a visitor can choose from."""
    if n > _MOST_TABLES:
        raise EmbedvizError("The file has {n:,} tables; {most:,} are the most here.", n=n, most=_MOST_TABLES)


def _too_large(n: int) -> EmbedvizError:
    return EmbedvizError("The file has {n:,.1f} MiB; the limit is {most:,}.", n=n / 2**20, most=MOST_MIB)


def _is_pickle() -> EmbedvizError:
    return EmbedvizError(
        "This is a pickle, which can run a program when it is opened, so it is not opened here. Save the tables as "
        ".safetensors or .npz."
    )


def _unpacked(read_: Callable[[bytes], object], data: bytes) -> object:
    try:
        return read_(data)
    except EmbedvizError:
        raise
    except _UNREADABLE as error:
        raise EmbedvizError("The file is broken or cannot be read: {why}", why=str(error)[:200]) from error


def _npy(data: bytes) -> np.ndarray:
    try:
        return np.load(io.BytesIO(data), allow_pickle=False)
    except ValueError as error:
        if "allow_pickle" in str(error):
            raise _is_pickle() from error
        raise


def _npz(data: bytes) -> dict[str, np.ndarray]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        members = file.infolist()
        check_tables(len(members))
        if any(each.filename.endswith(".pkl") for each in members):
            raise _is_pickle()
        if (n := sum(each.file_size for each in members)) > MOST_BYTES:
            raise _too_large(n)
        names = [each.filename for each in members if each.filename.endswith(".npy")]
        return _joined({name.removesuffix(".npy"): _npy(file.read(name)) for name in names})


def _safetensors(data: bytes) -> dict[str, np.ndarray]:
    found = torch.load(data)
    check_tables(len(found))
    return {name: each.float().numpy() for name, each in found.items() if each.is_floating_point()}


def _joined(arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of two sentences, which this project calls A_token and B_token, as one, since they share tables."""
    parts: dict[str, list[np.ndarray]] = {}
    for name, each in arrays.items():
        parts.setdefault(name[2:] if name[:2] in ("A_", "B_") else name, []).append(each)
    fit = {name: len({each.shape[1:] for each in of}) == 1 and of[0].ndim for name, of in parts.items()}
    return {name: np.concatenate(of) if fit[name] else of[0] for name, of in parts.items()}
