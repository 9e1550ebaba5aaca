"""What is on screen as PyTorch code that runs as it is."""

from embedviz.embedding import Embedded
from embedviz.export_tables import table_imports, tables_of
from embedviz.positions import SCHEMES
from embedviz.spec import Spec
from embedviz.tokens import Tokens, prefixed


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
