"""The models whose own tables can be shown: a fixed list, so that nothing typed becomes an address or a path."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

VOCAB_SIZE = 50_257  # V of all of them: GPT-2's byte pairs and <|endoftext|>
CONTEXT_LENGTH = 1024  # L
FILE = "model.safetensors"


@dataclass(frozen=True)
class Checkpoint:
    """A model on the Hugging Face Hub.

    repo: its address there. old_repo: its former address, under which a local cache may still hold it.
    """

    name: str
    repo: str
    old_repo: str
    output_dim: int
    title: str


CHECKPOINTS: Mapping[str, Checkpoint] = MappingProxyType(
    {
        checkpoint.name: checkpoint
        for checkpoint in (
            Checkpoint("gpt2", "openai-community/gpt2", "gpt2", 768, "GPT-2"),
            Checkpoint("gpt2-medium", "openai-community/gpt2-medium", "gpt2-medium", 1024, "GPT-2 Medium"),
            Checkpoint("gpt2-large", "openai-community/gpt2-large", "gpt2-large", 1280, "GPT-2 Large"),
            Checkpoint("gpt2-xl", "openai-community/gpt2-xl", "gpt2-xl", 1600, "GPT-2 XL"),
            Checkpoint("distilgpt2", "distilbert/distilgpt2", "distilgpt2", 768, "DistilGPT-2"),
        )
    }
)
