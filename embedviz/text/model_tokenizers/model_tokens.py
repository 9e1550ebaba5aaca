"""The tokenizers of models on the Hugging Face Hub, by the model's name, such as "google-bert/bert-base-uncased".

Every function raises Unavailable if the file cannot be had now, and EmbedvizError if it cannot be used.
"""

from typing import Any

import cachetools

from embedviz import models
from embedviz.base.concurrency.script_lock import Waiting
from embedviz.text.model_tokenizers.model_tokenizer import ModelTokenizer, built
from embedviz.text.model_tokenizers.tokenizer_process import MAX_FILE

_tokenizers = cachetools.LRUCache[Any, ModelTokenizer](MAX_FILE, getsizeof=lambda kept: len(kept.file.data))
# Python keeps the hash of bytes, so that a file is read through only once.
_built = cachetools.cached(_tokenizers, lambda name, data: (name, hash(data)), condition=Waiting())(built)


def tokenizer(name: str) -> ModelTokenizer:
    """The tokenizer of a model. It is built once for all visitors, and again if the file has changed."""
    return _built(name, models.hub_model(name).tokenizer_json())


def tokenizer_of(name: str) -> ModelTokenizer | None:
    """The tokenizer of this name if it is that of a model; None for the others, whose names have no owner."""
    return tokenizer(name) if models.is_name(name) else None
