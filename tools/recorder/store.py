"""A recording as a file: JSON, in which arrays and long texts that occur often stand once."""

import base64
import gzip
import hashlib
import json
from pathlib import Path

import numpy as np

_LONG = 200  # characters


def save(recording: dict, path: Path) -> None:
    """Write it; the same recording makes the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kept: dict[str, object] = {}
    body = _folded(recording, kept)
    data = json.dumps({"recording": body, "kept": kept}, ensure_ascii=True, separators=(",", ":"))
    path.write_bytes(gzip.compress(data.encode(), 4, mtime=0))


def load(path: Path) -> dict:
    """The recording again."""
    data = json.loads(gzip.decompress(path.read_bytes()))
    kept = {name: _thing(value) for name, value in data["kept"].items()}
    return _unfolded(data["recording"], kept)


def _folded(value: object, kept: dict[str, object]) -> object:
    if isinstance(value, np.ndarray):
        data = np.ascontiguousarray(value)
        about = [data.dtype.str, list(data.shape), base64.b64encode(data.tobytes()).decode()]
        return _put(about, json.dumps(about), kept)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, str) and len(value) > _LONG:
        return _put(value, value, kept)
    if isinstance(value, (list, tuple)):
        return [_folded(part, kept) for part in value]
    if isinstance(value, dict):
        return {str(key): _folded(part, kept) for key, part in value.items()}
    return value


def _put(thing: object, written: str, kept: dict[str, object]) -> dict[str, str]:
    name = hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    kept[name] = thing
    return {"$kept": name}


def _thing(value: object) -> object:
    if isinstance(value, str):
        return value
    dtype, shape, data = value
    return np.frombuffer(base64.b64decode(data), dtype).reshape(shape)


def _unfolded(value: object, kept: dict[str, object]) -> object:
    if isinstance(value, list):
        return [_unfolded(part, kept) for part in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"$kept"}:
        return kept[value["$kept"]]
    return {key: _unfolded(part, kept) for key, part in value.items()}
