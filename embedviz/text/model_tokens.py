"""The tokenizers of models on the Hugging Face Hub, by the model's name, such as "google-bert/bert-base-uncased".

Every function raises Unavailable if the file cannot be had now, and EmbedvizError if it cannot be used.
"""

import cachetools

from embedviz import models
from embedviz.base.turn import Waiting
from embedviz.text.model_tokenizer import ModelTokenizer, built
from embedviz.text.tokenizer_process import MAX_FILE

_tokenizers: cachetools.LRUCache = cachetools.LRUCache(MAX_FILE, getsizeof=lambda kept: len(kept.file.data))


def tokenizer(name: str) -> ModelTokenizer:
    """The tokenizer of a model. It is built once for all visitors, and again if the file has changed."""
    data = models.hub_model(name).tokenizer_json()
    return _tokenizer(name, hash(data), data)


def of(name: str) -> ModelTokenizer | None:
    """The tokenizer of this name if it is that of a model; None for the others, whose names have no owner."""
    return tokenizer(name) if models.is_name(name) else None


def _key(name: str, digest: int, _data: bytes) -> tuple[str, int]:
    return name, digest  # Python keeps the hash of bytes, so that a file is read through only once


@cachetools.cached(_tokenizers, key=_key, condition=Waiting())
def _tokenizer(name: str, _digest: int, data: bytes) -> ModelTokenizer:
    return built(name, data)
