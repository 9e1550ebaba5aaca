"""The page "Tokenizers" as a PyTorch program that runs as it is."""

from collections.abc import Sequence

from embedviz.models import is_name
from embedviz.programs.tables import table_imports
from embedviz.text import model_tokens
from embedviz.text.tokens import prefixed
from embedviz.vectors.sources import RANDOM


def pytorch_tokenizers(
    text: str, tokenizers: Sequence[str], prefix_space: bool = False, special_tokens: bool = True
) -> str:
    """A program that prints each tokenizer's IDs of the text. Raises as `tokenize`, if a model's cannot be used."""
    models = [name for name in tokenizers if is_name(name)]
    byte_pair = [name for name in tokenizers if name != "words" and name not in models]
    words = "words" in tokenizers
    parts = [
        *(["import re", ""] if words else []),
        *(["import tiktoken"] if byte_pair else []),
        "import torch",
        *(table_imports(RANDOM, models[0]) if models else []),
        "",
        f"text = {text!r}",
        *(_WORDS if words else []),
        *(_byte_pair(text, byte_pair, prefix_space) if byte_pair else []),
        *(line for name in models for line in _of_model(text, name, prefix_space, special_tokens)),
        "",
    ]
    return "\n".join(parts)


_WORDS = (
    "",
    """parts = re.split(r'([,.:;?_!"()\\']|--|\\s)', text)""",
    "words = [part.strip() for part in parts if part.strip()]",
    "vocabulary = sorted(set(words))",
    "ids = torch.tensor([vocabulary.index(word) for word in words], dtype=torch.long)  # (T,)",
    'print("words", ids.tolist())',
)


def _byte_pair(text: str, names: list[str], prefix_space: bool) -> list[str]:
    argument = _argument(text, prefix_space)
    return [
        "",
        f"for name in {names!r}:",
        "    tokenizer = tiktoken.get_encoding(name)",
        f"    ids = torch.tensor(tokenizer.encode({argument}, disallowed_special=()), dtype=torch.long)  # (T,)",
        "    print(name, ids.tolist())",
    ]


def _of_model(text: str, name: str, prefix_space: bool, special_tokens: bool) -> list[str]:
    argument = _argument(text, prefix_space and model_tokens.tokenizer(name).prefix_means)
    return [
        "",
        f"tokenizer = Tokenizer.from_file(fetched({name!r}, 'tokenizer.json'))",
        "tokenizer.no_padding()",
        "tokenizer.no_truncation()",
        "tokenizer.encode_special_tokens = True  # in the text itself their names are ordinary text",
        f"encoding = tokenizer.encode({argument}, add_special_tokens={special_tokens})",
        "ids = torch.tensor(encoding.ids, dtype=torch.long)  # (T,)",
        f"print({name!r}, ids.tolist())",
    ]


def _argument(text: str, prefix_space: bool) -> str:
    return '" " + text' if prefixed(text, prefix_space) != text else "text"
