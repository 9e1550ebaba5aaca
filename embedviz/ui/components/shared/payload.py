"""The data that a component gets: JSON, followed by arrays in the form that they have in memory."""

import numpy as np
import orjson


def facts(data: bytes) -> dict:
    """What was packed, with the places of its arrays instead of these."""
    return orjson.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])


def pack(payload: dict) -> bytes:
    """The length of the JSON (uint32, little-endian), the JSON, padding to 4 bytes, then the arrays.

    A float32 array stands in the JSON as `{"at": offset in bytes, "shape": [...]}`; base64 would take a
    third more.
    """
    arrays: list[bytes] = []
    offset = 0

    def place(value: object) -> object:
        nonlocal offset
        if not isinstance(value, np.ndarray) or value.dtype != np.float32:
            return value.tolist()
        arrays.append(value.tobytes())
        offset += value.nbytes
        return {"at": offset - value.nbytes, "shape": value.shape}

    text = orjson.dumps(payload, default=place)
    padding = b" " * (-len(text) % 4)
    return b"".join([(len(text) + len(padding)).to_bytes(4, "little"), text, padding, *arrays])
