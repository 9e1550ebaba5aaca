"""The page "Compare" as a PyTorch program that runs as it is, and its lines that other programs share."""

from collections.abc import Mapping

from embedviz.models import hub_model
from embedviz.positions import SCHEMES
from embedviz.programs.tables import first_layer_of, ids_of_own, segment_of, table_imports, tables_of
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.tokens import Tokens, prefixed
from embedviz.text.whitespace_tokens import SPACES
from embedviz.vectors.embedding import Embedded
from embedviz.vectors.spec import Spec

_NOTHING = ("return torch.zeros(n_tokens, {output_dim})",)


def pytorch_compare(a: Embedded, b: Embedded) -> str:
    """A program that prints for each pair of one ID: stage, i, j, ID, if the vectors are equal, and how far apart."""
    stages = '("before", "after", "first layer")' if first_layer_of(a.spec) else '("before", "after")'
    return "\n".join(
        [
            *vectors_of(a, b),
            "",
            f"for stage, a, b in zip({stages}, embed(ids_a), embed(ids_b)):",
            "    for i, id_a in enumerate(ids_a):",
            "        for j, id_b in enumerate(ids_b):",
            "            if id_a == id_b:",
            "                distance = torch.dist(a[i].double(), b[j].double())",
            '                print(stage, i, j, id_a, torch.equal(a[i], b[j]), f"{distance:.4f}")',
            "",
        ]
    )


def vectors_of(a: Embedded, b: Embedded | None = None) -> list[str]:
    """The lines of a program up to `ids_a`, `ids_b` if there is a B, and `embed(ids)`: its token and input vectors."""
    spec = a.spec
    factor = f" * math.sqrt({spec.output_dim})" if spec.scale_embeddings else ""
    tokens = {"ids_a": a.tokens} | ({"ids_b": b.tokens} if b else {})
    return [
        *imports_of(spec),
        "",
        *ids_and_tables(a.tokens.vocab_size, spec, tokens),
        *positions_of(spec),
        "",
        "@torch.no_grad()",
        "def embed(ids):",
        f"    token_embeddings = token_embedding(torch.tensor(ids, dtype=torch.long)){factor}",
        *_sums(spec),
    ]


def ids_and_tables(vocab_size: int, spec: Spec, tokens: Mapping[str, Tokens]) -> list[str]:
    """The lines of both; the IDs of one's own vectors are their rows, so that these come first."""
    ids, tables = id_lines(spec, **tokens), tables_of(vocab_size, spec)
    return [*ids, "", *tables] if spec.origin.texts is None else [*tables, "", *ids]


def _sums(spec: Spec) -> list[str]:
    """The last lines of `embed`. Models such as BERT norm the sum before their first layer."""
    sums = f"token_embeddings + positional_embeddings(len(ids)){segment_of(spec)}"
    if not (lines := first_layer_of(spec)):
        return [f"    return token_embeddings, {sums}"]
    return [f"    sums = {sums}", *(f"    {line}" for line in lines), "    return token_embeddings, sums, first_layer"]


def imports_of(spec: Spec) -> list[str]:
    """What a program with `id_lines` and the tables of a Spec imports."""
    return [
        *(["import math", ""] if spec.scale_embeddings else []),
        *([] if spec.tokenizer in ("words", SPACES) or "/" in spec.tokenizer else ["import tiktoken"]),
        "import torch",
        *table_imports(spec.origin, spec.tokenizer),
    ]


def id_lines(spec: Spec, **sentences: Tokens) -> list[str]:
    """The lines that make the IDs of each of these sentences again, under the name that it is given by."""
    if spec.tokenizer == SPACES:
        return ids_of_own(**sentences)
    if spec.tokenizer == "words":
        return [
            f"vocabulary = {list(spec.vocabulary)!r}",
            *(f"{name} = [vocabulary.index(word) for word in {each.texts!r}]" for name, each in sentences.items()),
        ]
    if "/" in spec.tokenizer:
        return [
            f'tokenizer = Tokenizer.from_file(fetched("{hub_model(spec.tokenizer).repo}", "tokenizer.json"))',
            "tokenizer.no_padding()",
            "tokenizer.no_truncation()",
            "tokenizer.encode_special_tokens = True  # the name of one in a text is ordinary text",
            *(f"{name} = {_encode_by_model(each, spec)}" for name, each in sentences.items()),
        ]
    return [
        f'tokenizer = tiktoken.get_encoding("{spec.tokenizer}")',
        *(f"{name} = {_encode(each, spec)}" for name, each in sentences.items()),
        "# tiktoken fetches its tables once; without internet put in",
        f"# {', '.join(sentences)} = {', '.join(str(each.ids) for each in sentences.values())}",
    ]


def _encode(tokens: Tokens, spec: Spec) -> str:
    head = f"[:{len(tokens)}]" if tokens.is_cut else ""
    return f"tokenizer.encode({prefixed(tokens.text, spec.prefix_space)!r}, disallowed_special=()){head}"


def _encode_by_model(tokens: Tokens, spec: Spec) -> str:
    head = f"[:{len(tokens)}]" if tokens.is_cut else ""
    text = prefixed(tokens.text, spec.prefix_space and model_tokens.tokenizer(spec.tokenizer).prefix_means)
    return f"tokenizer.encode({text!r}, add_special_tokens={spec.special_tokens}).ids{head}"


def positions_of(spec: Spec) -> list[str]:
    """The lines with a function `positional_embeddings(n_tokens)`. A learned table is called `position_embedding`."""
    scheme = SCHEMES[spec.position]
    scale = f"{spec.position_scale!r} * " if spec.position_scale != 1 else ""
    lines = [line.format(scale=scale, output_dim=spec.output_dim) for line in scheme.program.added or _NOTHING]
    if scheme.kind not in ("none", "add"):
        lines = [f"# {scheme.title} adds nothing to the vectors: it acts in attention.", *lines]
    return ["", "def positional_embeddings(n_tokens):", *(f"    {line}" for line in lines)]
