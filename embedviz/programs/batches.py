"""The numbers of the page "Batches" as PyTorch programs."""

from collections.abc import Sequence

from embedviz.text.tokens import WORD_PATTERN
from embedviz.vectors.batches import Loader


def pytorch_batches(loader: Loader, text: str | None = None) -> str:
    """A short program that prints the inputs of every batch of a text, or of the one in the file `text.txt`."""
    return f"""import torch
{_encode_text(loader.tokens.tokenizer, text)}

max_length, stride = {loader.max_length}, {loader.stride}
starts = range(0, len(ids) - max_length, stride)
inputs = torch.tensor([ids[i : i + max_length] for i in starts])
targets = torch.tensor([ids[i + 1 : i + max_length + 1] for i in starts])

torch.manual_seed({loader.seed})
loader = torch.utils.data.DataLoader(
    torch.utils.data.TensorDataset(inputs, targets),
    batch_size={loader.batch_size}, shuffle={loader.shuffle}, drop_last={loader.drop_last},
)
for x, y in loader:
    print(x.tolist())
"""


def _encode_text(tokenizer: str, text: str | None) -> str:
    given = 'open("text.txt", encoding="utf-8", newline="").read()' if text is None else repr(text)
    if tokenizer != "words":
        return f"""import tiktoken

text = {given}
ids = tiktoken.get_encoding("{tokenizer}").encode(text, disallowed_special=())"""
    return f"""import re

text = {given}
words = re.findall({WORD_PATTERN!r}, text)
vocabulary = {{word: n for n, word in enumerate(sorted(set(words)))}}
ids = [vocabulary[word] for word in words]"""


def pytorch_padding(sentences: Sequence[Sequence[int]]) -> str:
    """A short program that prints the positions of left-padded sentences: from the edge, then of real tokens."""
    return f"""import torch

sentences = {[list(ids) for ids in sentences]}
width = max(map(len, sentences))
attention_mask = torch.tensor([[0] * (width - len(ids)) + [1] * len(ids) for ids in sentences])
print(torch.arange(width).expand(len(sentences), width).tolist())
position_ids = (attention_mask.cumsum(-1) - 1).clamp(min=0)  # a pad needs a row too
print(position_ids.tolist())
"""
