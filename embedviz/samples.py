"""What lies in `data/`: the tokenizers' rank tables, texts, pairs of sentences and finished trainings."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import cachetools
import tiktoken
from tiktoken.load import load_tiktoken_bpe
from tiktoken_ext.openai_public import (
    ENDOFPROMPT,
    ENDOFTEXT,
    FIM_MIDDLE,
    FIM_PREFIX,
    FIM_SUFFIX,
    r50k_pat_str,
)

from embedviz import datafiles

# tiktoken's own constructors download, so the parts that they keep to themselves stand here;
# a test holds them equal to tiktoken's.
_CL100K_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_O200K_PATTERN = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _SUFFIX,
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _SUFFIX,
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    )
)


def _ranks(name: str) -> dict[bytes, int]:
    """tiktoken reads the table and verifies its SHA-256."""
    file = f"vocab/{name}.tiktoken"
    datafiles.read(file)  # says which file is damaged in words
    return load_tiktoken_bpe(str(datafiles.DATA / file), datafiles.sums()[file])


def _gpt2() -> tiktoken.Encoding:
    ranks = _ranks("r50k_base")
    special = {ENDOFTEXT: 50256}
    return tiktoken.Encoding("gpt2", pat_str=r50k_pat_str, mergeable_ranks=ranks, special_tokens=special)


def _cl100k_base() -> tiktoken.Encoding:
    ranks = _ranks("cl100k_base")
    special = {
        ENDOFTEXT: 100257,
        FIM_PREFIX: 100258,
        FIM_MIDDLE: 100259,
        FIM_SUFFIX: 100260,
        ENDOFPROMPT: 100276,
    }
    return tiktoken.Encoding("cl100k_base", pat_str=_CL100K_PATTERN, mergeable_ranks=ranks, special_tokens=special)


def _o200k_base() -> tiktoken.Encoding:
    ranks = _ranks("o200k_base")
    special = {ENDOFTEXT: 199999, ENDOFPROMPT: 200018}
    return tiktoken.Encoding("o200k_base", pat_str=_O200K_PATTERN, mergeable_ranks=ranks, special_tokens=special)


_ENCODINGS: dict[str, Callable[[], tiktoken.Encoding]] = {
    "gpt2": _gpt2,
    "cl100k_base": _cl100k_base,
    "o200k_base": _o200k_base,
}


@cachetools.cached(cache={}, condition=threading.Condition())
def encoding(name: str) -> tiktoken.Encoding:
    """A byte-pair encoding read from `data/vocab`, its SHA-256 verified by tiktoken; loaded once."""
    return _ENCODINGS[name]()


@dataclass(frozen=True)
class SampleText:
    """A text to cut into batches, line ends as they are in its file."""

    name: str
    text: str


@cache
def texts() -> tuple[SampleText, ...]:
    """The sample texts, the default first."""
    rows = json.loads(datafiles.read("texts/index.json"))
    return tuple(SampleText(row["name"], datafiles.read(f"texts/{row['file']}").decode("utf-8")) for row in rows)


@cache
def training(name: str) -> bytes:
    """A finished run of training, a safetensors file; `python -m embedviz.trained` makes them again."""
    return datafiles.read(f"training/{name}.safetensors")


@dataclass(frozen=True)
class Pair:
    """Two sentences worth comparing; `prefix_space` as the pair needs it."""

    name: str
    a: str
    b: str
    prefix_space: bool


@cache
def pairs() -> tuple[Pair, ...]:
    """The ready pairs, the default first."""
    rows = json.loads(datafiles.read("pairs.json"))
    return tuple(Pair(**row) for row in rows)
