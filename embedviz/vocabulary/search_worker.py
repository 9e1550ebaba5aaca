"""The other process of search.py: it matches one regular expression against all texts, within a time and 192 MiB.

It is run as a script and imports nothing of embedviz, so that it starts at once.
"""

import json
import sys
import time

import regex

try:
    import resource
except ImportError:  # not on Windows
    resource = None
MAX_MEMORY = 3 * 2**26  # bytes; all texts of the largest vocabulary take half of it


def answer(pattern: str, timeout: float, texts: list[str]) -> dict[str, object]:
    """The `ids` of the texts that match, or an `error` that says what is wrong, or the `end` that says what ran out."""
    try:
        match = regex.compile(pattern).search
        deadline = time.monotonic() + timeout
        return {
            "ids": [
                n for n, text in enumerate(texts) if match(text, timeout=max(deadline - time.monotonic(), 1e-6))
            ]
        }  # fmt: skip
    except TimeoutError:
        return {"end": "timeout"}
    except MemoryError:
        return {"end": "memory"}
    except (regex.error, ValueError, OverflowError, RecursionError, IndexError, KeyError) as error:
        return {"error": str(error)}


if __name__ == "__main__":
    if resource:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
    print(json.dumps(answer(**json.loads(sys.stdin.buffer.read()))))
