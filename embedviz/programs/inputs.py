"""What goes into a model as PyTorch programs: the pages "Tokenizers", "Lookup" and "Batches"."""

from collections.abc import Sequence

from embedviz.models import is_name
from embedviz.programs.compare import vectors_of
from embedviz.programs.tables import table_imports
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.tokens import WORD_PATTERN, prefixed
from embedviz.vectors.batches import Loader
from embedviz.vectors.embedding import Embedded
from embedviz.vectors.sources import RANDOM


def pytorch_tokenizers(
    texts: Sequence[str], tokenizers: Sequence[str], prefix_space: bool = False, special_tokens: bool = True
) -> str:
    """A program that prints each tokenizer's IDs of each text. Raises as `tokenize`, if a model's cannot be used."""
    models = [name for name in tokenizers if is_name(name)]
    byte_pair = [name for name in tokenizers if name != "words" and name not in models]
    words = "words" in tokenizers
    parts = [
        *(["import re", ""] if words else []),
        *(["import tiktoken"] if byte_pair else []),
        "import torch",
        *(table_imports(RANDOM, models[0]) if models else []),
        "",
        f"texts = {[*texts]!r}",
        *(_WORDS if words else []),
        *(_byte_pair(texts, byte_pair, prefix_space) if byte_pair else []),
        *(line for name in models for line in _of_model(texts, name, prefix_space, special_tokens)),
        "",
    ]
    return "\n".join(parts)


_WORDS = (
    "",
    """parts = [re.split(r'([,.:;?_!"()\\']|--|\\s)', text) for text in texts]""",
    "words = [[part.strip() for part in each if part.strip()] for each in parts]",
    "vocabulary = sorted({word for each in words for word in each})",
    "for each in words:",
    "    ids = torch.tensor([vocabulary.index(word) for word in each], dtype=torch.long)  # (T,)",
    '    print("words", ids.tolist())',
)


def _byte_pair(texts: Sequence[str], names: list[str], prefix_space: bool) -> list[str]:
    argument = _argument(texts, prefix_space)
    return [
        "",
        f"for name in {names!r}:",
        "    tokenizer = tiktoken.get_encoding(name)",
        "    for text in texts:",
        f"        ids = torch.tensor(tokenizer.encode({argument}, disallowed_special=()), dtype=torch.long)  # (T,)",
        "        print(name, ids.tolist())",
    ]


def _of_model(texts: Sequence[str], name: str, prefix_space: bool, special_tokens: bool) -> list[str]:
    argument = _argument(texts, prefix_space and model_tokens.tokenizer(name).prefix_means)
    return [
        "",
        f"tokenizer = Tokenizer.from_file(fetched({name!r}, 'tokenizer.json'))",
        "tokenizer.no_padding()",
        "tokenizer.no_truncation()",
        "tokenizer.encode_special_tokens = True  # in the text itself their names are ordinary text",
        "for text in texts:",
        f"    encoding = tokenizer.encode({argument}, add_special_tokens={special_tokens})",
        "    ids = torch.tensor(encoding.ids, dtype=torch.long)  # (T,)",
        f"    print({name!r}, ids.tolist())",
    ]


def _argument(texts: Sequence[str], prefix_space: bool) -> str:
    """What is cut of a text: a space before it, if it needs one."""
    gets_one = {prefixed(text, prefix_space) != text for text in texts}
    if len(gets_one) == 2:
        return 'text if not text or text[0].isspace() else " " + text'
    return '" " + text' if gets_one == {True} else "text"


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


def pytorch_rows(a: Embedded, b: Embedded, n_numbers: int) -> str:
    """A program that prints the IDs of both sentences, each with the first numbers of its row of the table."""
    lines = "\n".join(vectors_of(a, b))
    return f"""{lines}

for ids in (ids_a, ids_b):
    for id_, row in zip(ids, embed(ids)[0][:, :{n_numbers}].tolist()):
        print(id_, *(f"{{number:.4f}}" for number in row))
"""


def pytorch_lookup(vocab_size: int, output_dim: int, seed: int, ids: Sequence[int]) -> str:
    """A short program that prints the looked-up rows, then whether one-hot times the table equals them."""
    return f"""import torch

torch.manual_seed({seed})
embedding = torch.nn.Embedding({vocab_size}, {output_dim})  # vocab_size, output_dim
ids = torch.tensor({list(ids)})

with torch.no_grad():
    rows = embedding(ids)
    one_hot = torch.nn.functional.one_hot(ids, {vocab_size}).float()
    print(rows.tolist())
    print(torch.equal(one_hot @ embedding.weight, rows))
"""
