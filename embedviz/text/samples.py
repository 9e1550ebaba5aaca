"""The contents of `data/`: the tokenizers' rank tables, texts, pairs of sentences and finished trainings."""

import json
import threading
from dataclasses import dataclass
from functools import cache
from types import FunctionType

import cachetools
import tiktoken
from tiktoken.load import load_tiktoken_bpe
from tiktoken_ext import openai_public

from embedviz.base import data_files
from embedviz.base.settings import ENGLISH

_MADE_BY = {
    "gpt2": openai_public.r50k_base,  # the same tokens, in one file instead of two
    "cl100k_base": openai_public.cl100k_base,
    "o200k_base": openai_public.o200k_base,
}


@cachetools.cached(cache={}, condition=threading.Condition())
def encoding(name: str) -> tiktoken.Encoding:
    """A byte-pair encoding, as tiktoken's own function makes it from a table in `data/vocab`; loaded once."""
    made_by = FunctionType(_MADE_BY[name].__code__, vars(openai_public) | {"load_tiktoken_bpe": _ranks})
    settings = made_by() | {"name": name}
    found = tiktoken.Encoding(**settings)
    settings["mergeable_ranks"].clear()  # tiktoken has copied them; for the three tokenizers this gives 48 MiB back
    return found


def _ranks(address: str, expected_hash: str) -> dict[bytes, int]:
    """What tiktoken would download from an address, read here. tiktoken verifies the SHA-256 that it expects."""
    path = f"vocab/{address.rpartition('/')[2]}"
    data_files.read(path)  # its error says in words which file is damaged
    return load_tiktoken_bpe(str(data_files.DATA / path), expected_hash)


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
    """A finished run of training, a safetensors file; `python -m embedviz.training.recording` makes them again."""
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


def usual_pair() -> SentencePair:
    """The site's own pair, with which every station of the road begins."""
    return pairs()[0]
