"""Whole models in folders, as the Hub has them: config.json, safetensors, and a small real tokenizer.json."""

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer

from tests.models.tiny import Seen, made, seen
from tests.text.tokenizer_files import tokenizer_json

VOCAB_SIZE = 350  # a little more than the largest of the small tokenizers has
_KINDS = {
    "bert": "word-pieces",
    "distilbert": "word-pieces",
    "electra": "word-pieces",
    "electra, as wide": "word-pieces",
    "roberta": "roberta",
    "t5": "unigram",
    "llama": "llama",
    "mistral": "llama",
    "gemma2": "gemma",
    "gemma3": "gemma",
    "gemma3_text": "gemma",
}
# The small RoBERTa tokenizer has a token of its own where RoBERTa has <pad>.
_CHANGES = {"roberta": {"pad_token_id": 7, "max_position_embeddings": 30}}


def ids_of(name: str, text: str) -> list[int]:
    """The IDs of a text, as the library `tokenizers` gives them with a space before it. Llama's puts one itself."""
    tokenizer = Tokenizer.from_str(_tokenizer(name).decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer.encode(text if _KINDS.get(name) == "llama" else f" {text}").ids


def on_shelf(
    name: str,
    folder: Path,
    text: str,
    dtype: torch.dtype = torch.float32,
    *,
    with_head: bool = False,
    max_shard_size: str = "50GB",
    **changes: object,
) -> Seen:
    """Put the tiny model of a family into the folder, and look into it while it reads the text.

    Its numbers are of this dtype in the file; the model calculates in float32. changes: of its settings.
    """
    model = made(name, with_head, **{"vocab_size": VOCAB_SIZE} | _CHANGES.get(name, {}) | changes).to(dtype)
    model.save_pretrained(folder, max_shard_size=max_shard_size)
    (folder / "tokenizer.json").write_bytes(_tokenizer(name))
    return seen(name, folder.parent / f"{folder.name} seen", model.float(), ids_of(name, text))


def bytes_of(folder: Path, files: Sequence[str]) -> int:
    """How large these files of a model are together."""
    return sum((folder / file).stat().st_size for file in files)


def _tokenizer(name: str) -> bytes:
    return tokenizer_json(f"test/{_KINDS.get(name, 'byte-level')}")
