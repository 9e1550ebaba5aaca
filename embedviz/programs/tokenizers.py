"""The page "Tokenizers" as a PyTorch program that runs as it is."""

from collections.abc import Sequence

from embedviz.text.tokens import prefixed


def pytorch_tokenizers(text: str, tokenizers: Sequence[str], prefix_space: bool = False) -> str:
    """A short program that prints, for each tokenizer, its name and the IDs of the text.

    It needs torch, and tiktoken for a byte-pair tokenizer.
    """
    byte_pair = [name for name in tokenizers if name != "words"]
    words = "words" in tokenizers
    parts = [
        *(["import re", ""] if words else []),
        *(["import tiktoken"] if byte_pair else []),
        "import torch",
        "",
        f"text = {text!r}",
        *(_WORDS if words else []),
        *(_byte_pair(text, byte_pair, prefix_space) if byte_pair else []),
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
    argument = '" " + text' if prefixed(text, prefix_space) != text else "text"
    return [
        "",
        f"for name in {names!r}:",
        "    tokenizer = tiktoken.get_encoding(name)",
        f"    ids = torch.tensor(tokenizer.encode({argument}, disallowed_special=()), dtype=torch.long)  # (T,)",
        "    print(name, ids.tolist())",
    ]
