"""The lines of a program that make the weight tables of a Spec again."""

from embedviz.models import HubModel
from embedviz.models.files import WEIGHTS
from embedviz.programs.own_vectors import imports_of, tables_of_own
from embedviz.vectors.sources import TRAINED, Source
from embedviz.vectors.spec import Spec

TRAINED_FILE = "data/training/default.safetensors"


# The program names no folder of the server: who runs it may have none, or another one.
_FETCHED = (
    "",
    "def fetched(repo, file):  # from the folder of models, if it is there; else from the Hub, once",
    '    path = os.path.join(os.environ.get("EMBEDVIZ_MODELS", "models"), repo, file)',
    "    return path if os.path.exists(path) else hf_hub_download(repo, file)",
)


def table_imports(source: Source, tokenizer: str = "") -> tuple[str, ...]:
    """What the lines of `tables_of`, and those that cut a text by a model's tokenizer, need beside torch."""
    if not source.is_shared:
        return imports_of(source)
    by_model = ("from tokenizers import Tokenizer",) if "/" in tokenizer else ()
    of_model = ("from safetensors import safe_open",) if isinstance(source, HubModel) else ()
    if by_model or of_model:
        return ("import os", "from huggingface_hub import hf_hub_download", *of_model, *by_model, *_FETCHED)
    return ("from safetensors.torch import load_file",) if source is TRAINED else ()


def tables_of(vocab_size: int, spec: Spec) -> list[str]:
    """The lines that make `token_embedding` and, for learned positions, `position_embedding`."""
    if not spec.origin.is_shared:
        return tables_of_own(spec)
    if isinstance(spec.origin, HubModel):
        return _model_tables(spec.origin, spec.position)
    return _trained_tables(spec) if spec.origin is TRAINED else _random_tables(vocab_size, spec)


def _random_tables(vocab_size: int, spec: Spec) -> list[str]:
    positions = f"position_embedding = torch.nn.Embedding({spec.context_length}, {spec.output_dim})"
    return [
        f"torch.manual_seed({spec.seed})",
        f"token_embedding = torch.nn.Embedding({vocab_size}, {spec.output_dim})",
        *([positions] if spec.position == "learned" else []),
    ]


def _trained_tables(spec: Spec) -> list[str]:
    learned = 'position_embedding = torch.nn.Embedding.from_pretrained(tables["position_embedding.weight"])'
    return [
        f'tables = load_file("{TRAINED_FILE}")  # of the project',
        'token_embedding = torch.nn.Embedding.from_pretrained(tables["token_embedding.weight"])',
        *([learned] if spec.position == "learned" else []),
    ]


def _model_tables(model: HubModel, position: str) -> list[str]:
    layout = model.layout()
    projection, times = layout.projection, "" if layout.factor == 1 else f" * {layout.factor!r}"
    lines = [
        *_reading(model),
        f"tokens = {_read(model, layout.token)}{times}",
        *([_projected(model, "tokens")] if projection and not projection.after_sum else []),
        "token_embedding = torch.nn.Embedding.from_pretrained(tokens)",
    ]
    if position == "learned" and layout.position:
        rows = f"[{layout.offset}:]" if layout.offset else ""  # the rows before are for padding
        lines.append(f"position_embedding = torch.nn.Embedding.from_pretrained({_read(model, layout.position)}{rows})")
    return lines


def biases_of(model: HubModel) -> list[str]:
    """The lines that make `biases`, the table of a T5 model, (buckets, H)."""
    return [*_reading(model), f"biases = {_read(model, model.layout().bias)}"]


def _reading(model: HubModel) -> list[str]:
    return [
        f'def read(name, file="{WEIGHTS}"):',
        f'    with safe_open(fetched("{model.repo}", file), "pt") as tables:',
        "        return tables.get_tensor(name).float()",
        "",
    ]


def segment_of(spec: Spec) -> str:
    """What a program adds to every sum besides, with the sign before it; nothing for most sources."""
    layout = spec.origin.layout()
    return f" + {_read(spec.origin, layout.segment)}[0]" if layout and layout.segment else ""


def first_layer_of(spec: Spec) -> list[str]:
    """The lines that make `first_layer`, which enters the first layer, from `sums`; none if it is the sums."""
    model, lines = spec.origin, []
    if not (layout := model.layout()):
        return []
    if norm := layout.norm:
        bias = _read(model, norm.bias) if norm.bias else "None"
        lines = [
            f"weight, bias = {_read(model, norm.weight)}, {bias}",
            f"first_layer = torch.nn.functional.layer_norm(sums, weight.shape, weight, bias, {norm.epsilon!r})",
        ]
    if layout.projection and layout.projection.after_sum:
        lines.append(_projected(model, "first_layer" if lines else "sums", "first_layer"))
    return lines


def _read(model: HubModel, table: str) -> str:
    tensor = model.tensor(table)
    file, full = (tensor.file, tensor.name) if tensor else (WEIGHTS, table)  # where most files have it
    return f'read("{full}")' if file == WEIGHTS else f'read("{full}", "{file}")'


def _projected(model: HubModel, rows: str, result: str = "") -> str:
    projection = model.layout().projection
    bias = f" + {_read(model, projection.bias)}" if projection.bias else ""
    return f"{result or rows} = {rows} @ {_read(model, projection.weight)}.T{bias}"
