"""What is on screen as PyTorch code that runs as it is."""

from collections.abc import Sequence

import numpy as np

from embedviz.batches import Loader
from embedviz.checkpoints import CHECKPOINTS, FILE
from embedviz.embedding import Embedded
from embedviz.lookup import ModelSize, Sum
from embedviz.positions import SCHEMES
from embedviz.spec import Spec
from embedviz.tokens import WORD_PATTERN, Tokens, prefixed


def pytorch_compare(a: Embedded, b: Embedded) -> str:
    """A short program that makes the vectors of A and B again and prints, for each pair of tokens
    (i in A, j in B) that share an ID: the stage, i, j, the ID, whether the vectors are equal, and how
    far apart they are.

    It needs torch, and tiktoken for a byte-pair tokenizer.
    """
    return "\n".join(
        [
            *vectors_of(a, b),
            "",
            'for stage, a, b in zip(("before", "after"), embed(ids_a), embed(ids_b)):',
            "    for i, id_a in enumerate(ids_a):",
            "        for j, id_b in enumerate(ids_b):",
            "            if id_a == id_b:",
            "                distance = torch.dist(a[i].double(), b[j].double())",
            '                print(stage, i, j, id_a, torch.equal(a[i], b[j]), f"{distance:.4f}")',
            "",
        ]
    )


def vectors_of(a: Embedded, b: Embedded) -> list[str]:
    """The lines of a program up to a function `embed(ids)` that gives token and input vectors, and `ids_a`, `ids_b`."""
    spec = a.spec
    return [
        *_imports(spec),
        "",
        *_ids(a.tokens, b.tokens, spec),
        "",
        *tables_of(a.tokens.vocab_size, spec),
        *_positions(spec),
        "",
        "@torch.no_grad()",
        "def embed(ids):",
        f"    token_embeddings = token_embedding(torch.tensor(ids, dtype=torch.long)){_factor(spec)}",
        "    return token_embeddings, token_embeddings + positional_embeddings(len(ids))",
    ]


def pytorch_lookup(vocab_size: int, output_dim: int, seed: int, ids: Sequence[int]) -> str:
    """A short program that prints the looked-up rows, then whether one-hot times the table equals them."""
    return "\n".join(
        [
            "import torch",
            "",
            f"torch.manual_seed({seed})",
            f"embedding = torch.nn.Embedding({vocab_size}, {output_dim})  # vocab_size, output_dim",
            f"ids = torch.tensor({list(ids)})",
            "",
            "with torch.no_grad():",
            "    rows = embedding(ids)",
            f"    one_hot = torch.nn.functional.one_hot(ids, {vocab_size}).float()",
            "    print(rows.tolist())",
            "    print(torch.equal(one_hot @ embedding.weight, rows))",
            "",
        ]
    )


def pytorch_mistake(n_rows: int, output_dim: int, seed: int, ids: Sequence[int]) -> str:
    """A short program that prints the rows of these IDs, or PyTorch's words if there are none."""
    return "\n".join(
        [
            "import torch",
            "",
            f"torch.manual_seed({seed})",
            f"embedding = torch.nn.Embedding({n_rows}, {output_dim})",
            "try:",
            f"    print(embedding(torch.tensor({list(ids)})).tolist())",
            "except (IndexError, RuntimeError) as error:",
            '    print(f"{type(error).__name__}: {error}")',
            "",
        ]
    )


def pytorch_sums(*sums: Sum) -> str:
    """A short program that prints token plus positional vectors, rounded to one decimal."""
    lines = ["import torch", ""]
    for each in sums:
        lines += [
            f"tokens = torch.tensor({_rounded(each.tokens)})",
            f"positions = torch.tensor({_rounded(each.positions)})",
            "for row in (tokens + positions).tolist():",
            "    print([round(number, 1) for number in row])",
        ]
    return "\n".join([*lines, ""])


def pytorch_sizes(sizes: Sequence[ModelSize]) -> str:
    """A short program that prints parameters and bytes in float32 and float16 of each table, without memory."""
    return "\n".join(
        [
            "import torch",
            "",
            f"for vocab_size, output_dim in {[(size.vocab_size, size.output_dim) for size in sizes]}:",
            '    weight = torch.nn.Embedding(vocab_size, output_dim, device="meta").weight',
            "    print(weight.numel(), weight.nbytes, weight.half().nbytes)",
            "",
        ]
    )


def pytorch_padding(sentences: Sequence[Sequence[int]]) -> str:
    """A short program that prints the positions of left-padded sentences: from the edge, then of real tokens."""
    return "\n".join(
        [
            "import torch",
            "",
            f"sentences = {[list(ids) for ids in sentences]}",
            "width = max(map(len, sentences))",
            "attention_mask = torch.tensor([[0] * (width - len(ids)) + [1] * len(ids) for ids in sentences])",
            "print(torch.arange(width).expand(len(sentences), width).tolist())",
            "position_ids = attention_mask.cumsum(-1) - 1",
            "print(position_ids.masked_fill(attention_mask == 0, 0).tolist())",
            "",
        ]
    )


def _rounded(rows: np.ndarray) -> list[list[float]]:
    return [[round(number, 1) for number in row] for row in rows.tolist()]


def pytorch_batches(loader: Loader) -> str:
    """A short program that prints the inputs of every batch of a text in the file `text.txt`."""
    return "\n".join(
        [
            "import torch",
            *_encode_file(loader.tokens.tokenizer),
            "",
            f"max_length, stride = {loader.max_length}, {loader.stride}",
            "starts = range(0, len(ids) - max_length, stride)",
            "inputs = torch.tensor([ids[i : i + max_length] for i in starts])",
            "targets = torch.tensor([ids[i + 1 : i + max_length + 1] for i in starts])",
            "",
            f"torch.manual_seed({loader.seed})",
            "loader = torch.utils.data.DataLoader(",
            "    torch.utils.data.TensorDataset(inputs, targets),",
            f"    batch_size={loader.batch_size}, shuffle={loader.shuffle}, drop_last={loader.drop_last},",
            ")",
            "for x, y in loader:",
            "    print(x.tolist())",
            "",
        ]
    )


def _encode_file(tokenizer: str) -> list[str]:
    text = 'text = open("text.txt", encoding="utf-8", newline="").read()'
    if tokenizer != "words":
        ids = f'ids = tiktoken.get_encoding("{tokenizer}").encode(text, disallowed_special=())'
        return ["import tiktoken", "", text, ids]
    return [
        "import re",
        "",
        text,
        f"words = re.findall({WORD_PATTERN!r}, text)",
        "vocabulary = {word: n for n, word in enumerate(sorted(set(words)))}",
        "ids = [vocabulary[word] for word in words]",
    ]


def _imports(spec: Spec) -> list[str]:
    maths = ["import math", ""] if spec.scale_embeddings else []
    return [
        *maths,
        *([] if spec.tokenizer == "words" else ["import tiktoken"]),
        "import torch",
        *table_imports(spec.source),
    ]


def _ids(a: Tokens, b: Tokens, spec: Spec) -> list[str]:
    if spec.tokenizer == "words":
        return [
            f"vocabulary = {list(spec.vocabulary)!r}",
            f"ids_a = [vocabulary.index(word) for word in {a.texts!r}]",
            f"ids_b = [vocabulary.index(word) for word in {b.texts!r}]",
        ]
    return [
        f'tokenizer = tiktoken.get_encoding("{spec.tokenizer}")',
        f"ids_a = {_encode(a, spec)}",
        f"ids_b = {_encode(b, spec)}",
        "# tiktoken fetches its tables once; without internet put in",
        f"# ids_a, ids_b = {a.ids}, {b.ids}",
    ]


def _encode(tokens: Tokens, spec: Spec) -> str:
    head = f"[:{len(tokens)}]" if tokens.is_cut else ""
    return f"tokenizer.encode({prefixed(tokens.text, spec.prefix_space)!r}, disallowed_special=()){head}"


def table_imports(source: str) -> tuple[str, ...]:
    """What the lines of `tables_of` need beside torch."""
    return _TABLE_IMPORTS.get(source, ())


def tables_of(vocab_size: int, spec: Spec) -> list[str]:
    """The lines that make `token_embedding` and, for learned positions, `position_embedding`."""
    return _TABLES[spec.source](vocab_size, spec)


def _random_tables(vocab_size: int, spec: Spec) -> list[str]:
    positions = f"position_embedding = torch.nn.Embedding({spec.context_length}, {spec.output_dim})"
    return [
        f"torch.manual_seed({spec.seed})",
        f"token_embedding = torch.nn.Embedding({vocab_size}, {spec.output_dim})",
        *([positions] if spec.position == "learned" else []),
    ]


def _trained_tables(vocab_size: int, spec: Spec) -> list[str]:
    learned = 'position_embedding = torch.nn.Embedding.from_pretrained(tables["position_embedding.weight"])'
    return [
        'tables = load_file("data/training/default.safetensors")  # of the project',
        'token_embedding = torch.nn.Embedding.from_pretrained(tables["token_embedding.weight"])',
        *([learned] if spec.position == "learned" else []),
    ]


def _pretrained_tables(vocab_size: int, spec: Spec) -> list[str]:
    learned = (
        'position_embedding = torch.nn.Embedding.from_pretrained(tables.get_tensor(prefix + "wpe.weight").float())'
    )
    return [
        f'path = hf_hub_download("{CHECKPOINTS[spec.source].repo}", "{FILE}")  # the whole file, once',
        'with safe_open(path, "pt") as tables:',
        '    prefix = "" if "wte.weight" in tables.keys() else "transformer."',
        '    token_embedding = torch.nn.Embedding.from_pretrained(tables.get_tensor(prefix + "wte.weight").float())',
        *([f"    {learned}"] if spec.position == "learned" else []),
    ]


_TABLES = {
    "random": _random_tables,
    "trained": _trained_tables,
    **dict.fromkeys(CHECKPOINTS, _pretrained_tables),
}
_TABLE_IMPORTS = {
    "trained": ("from safetensors.torch import load_file",),
    **dict.fromkeys(CHECKPOINTS, ("from huggingface_hub import hf_hub_download", "from safetensors import safe_open")),
}


def _factor(spec: Spec) -> str:
    return f" * math.sqrt({spec.output_dim})" if spec.scale_embeddings else ""


def _positions(spec: Spec) -> list[str]:
    scale = f"{spec.position_scale!r} * " if spec.position_scale != 1 else ""
    if spec.position == "learned":
        return [
            "",
            "def positional_embeddings(n_tokens):",
            f"    return {scale}position_embedding(torch.arange(n_tokens))",
        ]
    if spec.position == "sinusoidal":
        return [
            "",
            "def positional_embeddings(n_tokens):",
            f"    exponents = torch.arange(0, {spec.output_dim}, 2, dtype=torch.float64) / {spec.output_dim}",
            "    angles = torch.outer(torch.arange(n_tokens, dtype=torch.float64), 10000**-exponents)",
            f"    return {scale}torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()",
        ]
    scheme = SCHEMES[spec.position]
    return [
        "",
        "def positional_embeddings(n_tokens):",
        *(
            []
            if scheme.kind == "none"
            else [f"    # {scheme.title} adds nothing to the vectors: it acts in attention."]
        ),
        f"    return torch.zeros(n_tokens, {spec.output_dim})",
    ]
