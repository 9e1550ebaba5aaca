"""What the server sends to a component, read independently of the script that reads it in the browser."""

import json

import numpy as np


def unpack(data: bytes) -> object:
    """What a component gets: the length of the JSON (uint32), the JSON, then float32 arrays.

    An array stands in the JSON as `{"at": offset in bytes, "shape": [...]}`.
    """
    start = 4 + int.from_bytes(data[:4], "little")
    return _revive(json.loads(data[4:start]), data[start:])


def _revive(value: object, arrays: bytes) -> object:
    if isinstance(value, list):
        return [_revive(part, arrays) for part in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"at", "shape"}:
        count = int(np.prod(value["shape"]))
        return np.frombuffer(arrays, np.float32, count, value["at"]).reshape(value["shape"])
    return {key: _revive(part, arrays) for key, part in value.items()}
