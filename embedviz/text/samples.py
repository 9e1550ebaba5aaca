"""The contents of `data/`: the tokenizers' rank tables, texts, pairs of sentences and finished trainings."""

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

from embedviz.base import data_files
from embedviz.base.settings import ENGLISH

# tiktoken's own constructors download files, so the values that only they hold are repeated here.
# A test checks that they equal tiktoken's.
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


def _made(name: str, file: str, pattern: str, special: dict[str, int]) -> tiktoken.Encoding:
    """Make an encoding. tiktoken reads its table and verifies the SHA-256."""
    path = f"vocab/{file}.tiktoken"
    data_files.read(path)  # its error says in words which file is damaged
    ranks = load_tiktoken_bpe(str(data_files.DATA / path), data_files.sums()[path])
    found = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens=special)
    ranks.clear()  # tiktoken has copied them into its core; for the three tokenizers this gives 48 MiB back
    return found


def _gpt2() -> tiktoken.Encoding:
    return _made("gpt2", "r50k_base", r50k_pat_str, {ENDOFTEXT: 50256})


def _cl100k_base() -> tiktoken.Encoding:
    special = {
        ENDOFTEXT: 100257,
        FIM_PREFIX: 100258,
        FIM_MIDDLE: 100259,
        FIM_SUFFIX: 100260,
        ENDOFPROMPT: 100276,
    }
    return _made("cl100k_base", "cl100k_base", _CL100K_PATTERN, special)


def _o200k_base() -> tiktoken.Encoding:
    return _made("o200k_base", "o200k_base", _O200K_PATTERN, {ENDOFTEXT: 199999, ENDOFPROMPT: 200018})


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
    rows = json.loads(data_files.read("texts/index.json"))
    return tuple(SampleText(row["name"], data_files.read(f"texts/{row['file']}").decode("utf-8")) for row in rows)


@cache
def training(name: str) -> bytes:
    """A finished run of training, a safetensors file; `python -m embedviz.training.bundled` makes them again."""
    return data_files.read(f"training/{name}.safetensors")


@dataclass(frozen=True)
class SentencePair:
    """Two sentences worth comparing; `prefix_space` as the pair needs it. language: its tag."""

    name: str
    a: str
    b: str
    prefix_space: bool
    language: str = ENGLISH


@cache
def pairs(language: str = ENGLISH) -> tuple[SentencePair, ...]:
    """The ready pairs for whoever reads a language: the English ones, the default first, and those in the language."""
    rows = json.loads(data_files.read("pairs.json"))
    return tuple(pair for row in rows if (pair := SentencePair(**row)).language in (ENGLISH, language))
