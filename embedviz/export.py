"""What is on screen as PyTorch code that runs as it is."""

from collections.abc import Sequence

from embedviz.batches import Loader
from embedviz.embedding import Embedded
from embedviz.maps import View
from embedviz.spec import Spec
from embedviz.tokens import WORD_PATTERN, Tokens, prefixed


def pytorch_compare(a: Embedded, b: Embedded) -> str:
    """A short program that makes the vectors of A and B again and prints, for each pair of tokens
    (i in A, j in B) that share an ID: the stage, i, j, the ID, whether the vectors are equal, and how
    far apart they are.

    It needs torch, and tiktoken for a byte-pair tokenizer.
    """
    spec = a.spec
    return "\n".join(
        [
            *_imports(spec),
            "",
            *_ids(a.tokens, b.tokens, spec),
            "",
            f"torch.manual_seed({spec.seed})",
            f"token_embedding = torch.nn.Embedding({a.tokens.vocab_size}, {spec.output_dim})",
            *_positions(spec),
            "",
            "@torch.no_grad()",
            "def embed(ids):",
            f"    token_embeddings = token_embedding(torch.tensor(ids, dtype=torch.long)){_factor(spec)}",
            "    return token_embeddings, token_embeddings + positional_embeddings(len(ids))",
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
    return [*maths, *([] if spec.tokenizer == "words" else ["import tiktoken"]), "import torch"]


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


def _factor(spec: Spec) -> str:
    return f" * math.sqrt({spec.output_dim})" if spec.scale_embeddings else ""


def _positions(spec: Spec) -> list[str]:
    scale = f"{spec.position_scale!r} * " if spec.position_scale != 1 else ""
    if spec.position == "learned":
        return [
            f"position_embedding = torch.nn.Embedding({spec.context_length}, {spec.output_dim})",
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
    return [
        "",
        "def positional_embeddings(n_tokens):",
        f"    return torch.zeros(n_tokens, {spec.output_dim})",
    ]


def pytorch_vocabulary(spec: Spec, vocab_size: int, view: View, *, id_: int, metric: str, k: int) -> str:
    """A short program that prints the share of the variance of three exact principal components, then the
    `k` nearest tokens to token `id_`: its ID and how near it is. An axis between two tokens prints the
    share of the variance along it first.
    """
    return "\n".join(
        [
            "import torch",
            "",
            f"torch.manual_seed({spec.seed})",
            f"weight = torch.nn.Embedding({vocab_size}, {spec.output_dim}).weight.detach()",
            f"x = weight[{list(view.only)}]" if view.only else "x = weight",
            *(["x = torch.nn.functional.normalize(x - x.mean(dim=0), dim=1)"] if view.sphereize else []),
            "covariance = torch.cov(x.T.double(), correction=0)",
            *_axes(view),
            "print([round(share, 6) for share in shares])",
            "",
            *_nearest(id_, metric, k),
            "",
        ]
    )


def _axes(view: View) -> list[str]:
    if view.method != "axis":
        return [
            "values, axes = torch.linalg.eigh(covariance)",
            "shares = (values.flip(0)[:3] / values.sum()).tolist()",
            "points = (x - x.mean(dim=0)) @ axes.flip(1)[:, :3].float()",
        ]
    start, end = view.ends
    return [
        f"axis = torch.nn.functional.normalize((weight[{end}] - weight[{start}]).double(), dim=0)",
        "rest = torch.eye(len(axis), dtype=torch.float64) - torch.outer(axis, axis)",
        "values, axes = torch.linalg.eigh(rest @ covariance @ rest)",
        "along = axis @ covariance @ axis",
        "shares = (torch.stack([along, *values.flip(0)[:2]]) / covariance.trace()).tolist()",
    ]


def _nearest(id_: int, metric: str, k: int) -> list[str]:
    if metric == "cosine":
        near, first = f"torch.nn.functional.cosine_similarity(weight, weight[{id_}], dim=1)", "-1"
    else:
        near, first = f"(weight - weight[{id_}]).norm(dim=1)", "float('inf')"
    return [
        f"near = {near}",
        f"near[{id_}] = {first}",
        f"values, ids = near.topk({k}, largest={metric == 'cosine'})",
        "for other, value in zip(ids.tolist(), values.tolist()):",
        '    print(other, f"{value:.4f}")',
    ]
