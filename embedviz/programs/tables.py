"""The lines of a program that make the weight tables of a Spec again."""

from embedviz.models.checkpoints import CHECKPOINTS, FILE
from embedviz.vectors.spec import Spec

TRAINED_FILE = "data/training/default.safetensors"


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
        f'tables = load_file("{TRAINED_FILE}")  # of the project',
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
