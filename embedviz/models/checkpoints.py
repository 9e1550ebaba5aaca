"""The models whose own tables can be shown: a short list, and every name that a server allows besides."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from huggingface_hub.utils import HFValidationError, validate_repo_id

from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)  # owner/name, as the Hub has it
_MOST_LETTERS = 100  # letters of a name that is none


@dataclass(frozen=True)
class Checkpoint:
    """A model on the Hugging Face Hub.

    name: what a Spec calls it. repo: its address on the Hub. old_repo: its former address, under which a local cache
    may still hold it. config: what its config.json says, if that is known without asking. tokenizer: the tokenizer of
    `text.tokens` that cuts text as the model does; its own by default. kind: "causal" or "encoder", if that is known
    without asking.
    """

    name: str
    repo: str
    title: str
    old_repo: str = ""
    config: Mapping[str, object] | None = field(default=None, hash=False)
    tokenizer: str = ""
    kind: str = ""


def _gpt2(name: str, repo: str, title: str, output_dim: int) -> Checkpoint:
    return Checkpoint(name, repo, title, name, {"model_type": "gpt2", "n_embd": output_dim}, "gpt2", "causal")


def _own(repo: str, title: str, kind: str = "") -> Checkpoint:
    return Checkpoint(repo, repo, title, tokenizer=repo, kind=kind)


CHECKPOINTS: Mapping[str, Checkpoint] = MappingProxyType(
    {
        checkpoint.name: checkpoint
        for checkpoint in (
            _gpt2("gpt2", "openai-community/gpt2", "GPT-2", 768),
            _gpt2("gpt2-medium", "openai-community/gpt2-medium", "GPT-2 Medium", 1024),
            _gpt2("gpt2-large", "openai-community/gpt2-large", "GPT-2 Large", 1280),
            _gpt2("gpt2-xl", "openai-community/gpt2-xl", "GPT-2 XL", 1600),
            _gpt2("distilgpt2", "distilbert/distilgpt2", "DistilGPT-2", 768),
            _own("sentence-transformers/all-MiniLM-L6-v2", "MiniLM", "encoder"),
            _own("google-bert/bert-base-uncased", "BERT", "encoder"),
            _own("FacebookAI/roberta-base", "RoBERTa", "encoder"),
            _own("answerdotai/ModernBERT-base", "ModernBERT", "encoder"),
            _own("google-t5/t5-small", "T5"),
            _own("bigscience/bloom-560m", "BLOOM", "causal"),
            _own("EleutherAI/pythia-70m", "Pythia", "causal"),
            _own("HuggingFaceTB/SmolLM2-135M", "SmolLM2", "causal"),
            _own("Qwen/Qwen3-0.6B", "Qwen3", "causal"),
        )
    }
)


def is_name(name: object) -> bool:
    """True for what can be the name of a model on the Hub: its owner, a slash, and its own name."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return False
    try:
        validate_repo_id(name)
    except HFValidationError:
        return False
    return True


def checkpoint(name: str) -> Checkpoint:
    """The model of this name. Raises EmbedvizError if it is no name, or if this server does not allow it."""
    if found := CHECKPOINTS.get(name):
        return found
    if not is_name(name):
        raise EmbedvizError(
            "A model on the Hub has a name such as Qwen/Qwen3-0.6B: owner, slash, name. {name} is no such name.",
            name=name if len(name) <= _MOST_LETTERS else f"{name[:_MOST_LETTERS]}…",
        )
    allowed = configured().sources
    if allowed != "any" and name not in allowed.split():
        raise EmbedvizError(
            "This server shows a fixed list of models, and {name} is not among them. On a machine of your own, "
            "embedviz reads every model of a known family.",
            name=name,
        )
    return _own(name, name)
