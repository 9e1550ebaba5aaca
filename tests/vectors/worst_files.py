"""Files of vectors that say something else of themselves than what is in them, and as much of it as they can."""

import bz2
import io
import json
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache

import numpy as np

MIB = 2**20


def _npy_header(shape: object, descr: object = "<f4") -> bytes:
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (0,)})
    length = len(file.getvalue()) - 10 + 80
    text = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode().ljust(length - 1) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def _zip(members: dict[str, tuple[bytes, int]], method: int, said: int | None = None) -> bytes:
    """A ZIP whose members are packed already. said: how many bytes it says that each of them has."""
    file, entries = io.BytesIO(), []
    for name, (packed, n_bytes) in members.items():
        n = n_bytes if said is None else said
        about = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, 0, len(packed), n, len(name), 0)
        entries += [b"PK\x01\x02\x14\0", about, bytes(10), struct.pack("<I", file.tell()), name.encode()]
        file.write(b"PK\x03\x04" + about + name.encode() + packed)
    start, directory = file.tell(), b"".join(entries)
    end = struct.pack("<HHHHIIH", 0, 0, *[len(members) % 2**16] * 2, len(directory), start, 0)
    return file.getvalue() + directory + b"PK\x05\x06" + end


def _deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def _lzma_in_a_zip(data: bytes) -> bytes:
    filters = [{"id": lzma.FILTER_LZMA1, "preset": 6}]
    packed = lzma.compress(data, lzma.FORMAT_RAW, filters=filters)
    said = lzma._encode_filter_properties(filters[0])
    return b"\x09\x04" + struct.pack("<H", len(said)) + said + packed


def _many(pack: Callable[[bytes], bytes], method: int) -> bytes:
    whole = _npy_header((120 * MIB // 4,)) + bytes(120 * MIB)
    return _zip({"vectors.npy": (pack(whole), len(whole))}, method, said=10)


def _tensors(n: int) -> bytes:
    entry = '"{}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}'
    header = ("{" + ",".join(entry.format(i) for i in range(n)) + "}").encode()
    return len(header).to_bytes(8, "little") + header


def _metadata(n: int) -> bytes:
    header = json.dumps({"__metadata__": {f"{i:x}": "" for i in range(n)}}).encode()
    return len(header).to_bytes(8, "little") + header


WORST: dict[str, Callable[[], bytes]] = {
    "bzip2.npz": cache(lambda: _many(bz2.compress, zipfile.ZIP_BZIP2)),
    "lzma.npz": cache(lambda: _many(_lzma_in_a_zip, zipfile.ZIP_LZMA)),
    "deflate.npz": cache(lambda: _many(_deflated, zipfile.ZIP_DEFLATED)),
    "bzip2-beside.npz": cache(
        lambda: _zip({"x.pkl": (bz2.compress(bytes(120 * MIB)), 10)}, zipfile.ZIP_BZIP2, said=10)
    ),
    "zeros.npz": cache(lambda: _zip({"vectors.npy": (_deflated(bytes(120 * MIB)), 120 * MIB)}, zipfile.ZIP_DEFLATED)),
    "members.npz": cache(lambda: _zip({f"{n:x}.npy": (b"", 0) for n in range(200_000)}, zipfile.ZIP_STORED)),
    "shape.npy": lambda: _npy_header((2**40, 4)) + bytes(64),
    "product.npy": lambda: _npy_header((2**62, 2**62, 4)) + bytes(64),
    "negative.npy": lambda: _npy_header((-4, -4)) + bytes(64),
    "wide.npy": lambda: _npy_header((2, 2), f"<U{2**28}") + bytes(64),
    "objects.npy": lambda: _npy_header((2**30, 2), "|O") + bytes(64),
    "complex.npy": cache(lambda: _npy_header((19 * MIB // 16, 1), "<c16") + bytes(19 * MIB)),
    "tensors.safetensors": cache(lambda: _tensors(318_000)),
    "metadata.safetensors": cache(lambda: _metadata(1_000_000)),
    "header.safetensors": lambda: (2**63).to_bytes(8, "little") + b"{" + bytes(64),
}
