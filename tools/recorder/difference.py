"""What differs between two recordings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

_NUMBER = re.compile(r"(?<=[,\n])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?=[,\r\n])")  # a cell of a CSV file
_SHORT = 160  # characters of a value


@dataclass
class Differences:
    """What was found: lines to read, and the largest relative difference of numbers by component."""

    tolerance: float = 0.0
    found: list[str] = field(default_factory=list)
    largest: dict[str, float] = field(default_factory=dict)


def compare(a: dict, b: dict, tolerance: float = 0.0) -> Differences:
    """Compare two recordings. Numbers of an array may differ by `tolerance` times its largest absolute value."""
    result = Differences(tolerance)
    for place, difference in _walk(a, b, "", result, ""):
        result.found.append(f"{place or '/'}\n    {difference}")
    return result


def _walk(a: object, b: object, place: str, result: Differences, component: str) -> Iterator[tuple[str, str]]:
    numbers = _numbers(a), _numbers(b)
    if numbers[0] is not None and numbers[1] is not None:
        yield from _arrays(*numbers, place, result, component)
    elif type(a) is not type(b):
        yield place, f"{_short(a)} ≠ {_short(b)}"
    elif isinstance(a, dict):
        yield from _dicts(a, b, place, result, component or _component(a))
    elif isinstance(a, list):
        if len(a) != len(b):
            yield place, f"{len(a)} entries ≠ {len(b)}: {_short(a)} ≠ {_short(b)}"
        for n, (one, other) in enumerate(zip(a, b, strict=False)):
            yield from _walk(one, other, f"{place}[{n}]", result, component)
    elif a == b:
        return
    elif isinstance(a, str) and place.endswith("(CSV)/content") and _NUMBER.sub("", a) == _NUMBER.sub("", b):
        yield from _arrays(*(np.array(_NUMBER.findall(text), float) for text in (a, b)), place, result, "CSV")
    else:
        yield place, _texts(a, b) if isinstance(a, str) else f"{_short(a)} ≠ {_short(b)}"


def _dicts(a: dict, b: dict, place: str, result: Differences, component: str) -> Iterator[tuple[str, str]]:
    """The order of keys is no difference: nobody sees it."""
    shared = [key for key in a if key in b]
    for key in a.keys() - b.keys():
        yield f"{place}/{_label(key, a[key])}", f"only in the first: {_short(a[key])}"
    for key in b.keys() - a.keys():
        yield f"{place}/{_label(key, b[key])}", f"only in the second: {_short(b[key])}"
    for key in shared:
        yield from _walk(a[key], b[key], f"{place}/{_label(key, a[key])}", result, component)


def _label(key: str, value: object) -> str:
    """A place on the page, with what stands there."""
    if not isinstance(value, dict) or "type" not in value or not key[:1].isdigit():
        return key
    inner = value.get(value["type"])
    name = (inner.get("id") or inner.get("label") or "") if isinstance(inner, dict) else ""
    return f"{key} {value['type']} {name.rpartition('-')[2][:40]}".strip()


def _component(value: dict) -> str:
    """The name of a component with the key of its place, if this is one."""
    inner = value.get("bidi_component")
    if not isinstance(inner, dict):
        return ""
    return f"{inner.get('component_name', '')} {inner.get('id', '').rpartition('-')[2]}"


def _numbers(value: object) -> np.ndarray | None:
    """A number, an array, or nested lists of numbers (null is NaN) as an array; None for all else."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return np.array(value)
    if not isinstance(value, list) or not value or not _is_numeric(value):
        return None
    try:
        found = np.array(value)
        return found if found.dtype != object else np.array(value, np.float64)
    except (ValueError, TypeError, OverflowError):  # rows of several lengths
        return None


def _is_numeric(value: list) -> bool:
    flat = list(_leaves(value))
    return any(leaf is not None for leaf in flat) and all(
        leaf is None or (isinstance(leaf, (int, float)) and not isinstance(leaf, bool)) for leaf in flat
    )


def _leaves(value: list) -> Iterator[object]:
    for part in value:
        if isinstance(part, list):
            yield from _leaves(part)
        else:
            yield part


def _arrays(a: np.ndarray, b: np.ndarray, place: str, result: Differences, component: str) -> Iterator[tuple[str, str]]:
    if a.shape != b.shape or a.dtype != b.dtype:
        yield place, f"{a.dtype} {a.shape} ≠ {b.dtype} {b.shape}: {_short(a.tolist())} ≠ {_short(b.tolist())}"
        return
    if a.tobytes() == b.tobytes():
        return
    wide, other = a.astype(np.float64), b.astype(np.float64)
    scale = max(np.abs(wide[np.isfinite(wide)]).max(initial=0), np.abs(other[np.isfinite(other)]).max(initial=0))
    same = (wide == other) | (np.isnan(wide) & np.isnan(other))
    apart = np.where(same, 0.0, np.abs(wide - other))
    apart[np.isnan(apart)] = np.inf
    relative = float(apart.max(initial=0) / (scale or 1.0))
    name = component or "others"
    result.largest[name] = max(result.largest.get(name, 0.0), relative)
    is_whole = not np.issubdtype(a.dtype, np.floating)
    if relative > result.tolerance or (is_whole and relative) or not result.tolerance:
        n = int(apart.argmax())
        at = [int(k) for k in np.unravel_index(n, a.shape)]
        yield (
            place,
            f"{int((~same).sum())} of {a.size} numbers differ, by {relative:.3g} of the largest; at {at} "
            f"{a.reshape(-1)[n]} ≠ {b.reshape(-1)[n]}",
        )


def _texts(a: str, b: str) -> str:
    """Two texts around the first character that differs."""
    first = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(first - 40, 0)
    before = "…" if start else ""
    return f"at character {first}: {before}{_short(a[start:])} ≠ {before}{_short(b[start:])}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "…"
