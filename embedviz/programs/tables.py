"""The lines of a program that make the weight tables of a Spec again, those of one's own among them."""

from typing import cast

from embedviz.models import HubModel
from embedviz.models.families.layout import Projection
from embedviz.models.files import WEIGHTS
from embedviz.positions import SCHEMES
from embedviz.text.tokens import Tokens
from embedviz.vectors.own.brought import UploadedVectors
from embedviz.vectors.own.vector_files import Origin
from embedviz.vectors.sources import FINISHED, TRAINED, Source
from embedviz.vectors.spec import Spec

TRAINED_FILE = f"data/training/{FINISHED}.safetensors"


# The program names no folder of the server: who runs it may have none, or another one.
_FETCHED = (
    "",
    "def fetched(repo, file):  # from the folder of models, if it is there; else from the Hub, once",
    '    path = os.path.join(os.environ.get("EMBEDVIZ_MODELS", "models"), repo, file)',
    "    return path if os.path.exists(path) else hf_hub_download(repo, file)",
)


def table_imports(source: Source, tokenizer: str = "") -> tuple[str, ...]:
    """What the lines of `tables_of`, and those that cut a text by a model's tokenizer, need beside torch."""
    if isinstance(source, UploadedVectors):
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
    return [*_reading(model), f"biases = {_read(model, str(model.layout().bias))}"]


def _reading(model: HubModel) -> list[str]:
    return [
        f'def read(name, file="{WEIGHTS}"):',
        f'    with safe_open(fetched("{model.repo}", file), "pt") as tables:',
        "        return tables.get_tensor(name).float()",
        "",
    ]


def segment_of(spec: Spec) -> str:
    """What a program adds to every sum besides, with the sign before it; nothing for most sources."""
    model = spec.origin
    segment = model.layout().segment if isinstance(model, HubModel) else None
    return f" + {_read(model, segment)}[0]" if isinstance(model, HubModel) and segment else ""


def first_layer_of(spec: Spec) -> list[str]:
    """The lines that make `first_layer`, which enters the first layer, from `sums`; none if it is the sums."""
    model, lines = spec.origin, []
    if not isinstance(model, HubModel):
        return []
    layout = model.layout()
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
    projection = cast("Projection", model.layout().projection)
    bias = f" + {_read(model, projection.bias)}" if projection.bias else ""
    return f"{result or rows} = {rows} @ {_read(model, projection.weight)}.T{bias}"


_CSV = """
with open({name!r}, encoding={encoding!r}, newline="") as file:
    lines = list(csv.reader(file))
header = lines[0]

def rows(kind):  # the lines of one kind, and the numbers of each
    found = [line for line in lines[1:] if "vectors" not in header or line[header.index("vectors")] == kind]
    numbers = [[number for number in line[header.index("0"):] if number] for line in found]
    return found, torch.tensor([[float(number) for number in line] for line in numbers])

found, table = rows({token!r})"""


def imports_of(source: UploadedVectors) -> tuple[str, ...]:
    """What the lines below need beside torch."""
    kind = source.origin.file.kind if source.origin else ""
    more = {
        "csv": ("import csv", "import json"),
        "npz": ("import numpy as np",),
        "npy": ("import numpy as np",),
        "safetensors": ("from safetensors.torch import load_file",),
    }
    return more.get(kind, ())


def tables_of_own(spec: Spec) -> list[str]:
    """The lines that make `token_embedding`, `position_embedding` if there are learned positions, and `texts`."""
    source = cast("UploadedVectors", spec.origin)
    if not source.origin:
        return ["# token_embedding: torch.nn.Embedding with your own vectors"]
    lines = [*_loading(source.origin), *_texts(source), "token_embedding = torch.nn.Embedding.from_pretrained(table)"]
    if SCHEMES[spec.position].has_end:
        lines += [*_positions(source.origin), "position_embedding = torch.nn.Embedding.from_pretrained(positions)"]
    return lines


def ids_of_own(**sentences: Tokens) -> list[str]:
    """The lines that look up the rows of the words of each sentence."""
    return [f"{name} = [texts.index(token) for token in {each.texts!r}]" for name, each in sentences.items()]


def _loading(origin: Origin) -> list[str]:
    file, token = origin.file, origin.token
    if file.kind == "csv":
        return _CSV.format(name=file.name, encoding=file.encoding, token=token).splitlines()
    if file.kind == "tsv":
        return [
            f"with open({file.name!r}, encoding={file.encoding!r}) as file:",
            '    numbers = [line.rstrip("\\n\\t").split("\\t") for line in file if line.strip()]',
            "table = torch.tensor([[float(number) for number in line] for line in numbers])",
        ]
    return [*_opened(origin), f"table = {_array(origin, token)}"]


def _opened(origin: Origin) -> list[str]:
    if origin.file.kind == "safetensors":
        return [f"arrays = load_file({origin.file.name!r})"]
    if origin.file.kind == "npy":
        return [f'arrays = {{"vectors": np.load({origin.file.name!r})}}']
    return [
        f"arrays = np.load({origin.file.name!r})",
        "",
        "def both(name):  # of one table, or of those of two sentences",
        "    names = [each for each in (name, f'A_{name}', f'B_{name}') if each in arrays]",
        "    return np.concatenate([arrays[each] for each in names])",
        "",
    ]


def _array(origin: Origin, name: str) -> str:
    mapped, kind = origin.file.mapped.get(name), origin.file.kind
    rows = f"[arrays[{mapped!r}]{'.long()' if kind == 'safetensors' else ''}]" if mapped else ""
    if kind == "safetensors":
        return f"arrays[{name!r}]{rows}.float()"
    found = f"arrays[{name!r}]" if kind == "npy" else f"both({name!r})"
    return f"torch.tensor({found}{rows}.astype(np.float32))"


def _texts(source: UploadedVectors) -> list[str]:
    """The lines that make the list of texts, and leave out rows of tokens that are there already."""
    origin = source.origin
    if source.texts is None:
        return []
    if origin.texts:
        after = f"[{int(origin.texts.has_header)}:]" if origin.texts.has_header else ""
        lines = [
            f"with open({origin.texts.name!r}, encoding={origin.texts.encoding!r}) as file:",
            '    cells = [line.rstrip("\\n").split("\\t") for line in file if line != "\\n"]',
            f"texts = [line[{origin.texts.column}] for line in cells{after}]",
        ]
    elif origin.file.kind == "csv":
        lines = [
            'texts = [line[header.index("token") if "token" in header else 0] for line in found]',
            "texts = [json.loads(text) if text[:1] == '\"' else text for text in texts]",
        ]
    else:
        lines = [f"texts = both({origin.file.named[origin.token]!r}).tolist()"]
    if len(source.texts) < len(origin.file.tables[origin.token]):
        lines += [
            "first = [n for n, text in enumerate(texts) if text not in texts[:n]]  # each token once",
            "texts, table = [texts[n] for n in first], table[first]",
        ]
    return lines


def _positions(origin: Origin) -> list[str]:
    file, position = origin.file, str(origin.position)
    if file.kind == "csv":
        lines = [f"found, positions = rows({position!r})"]
        places = '[int(line[header.index("position")]) for line in found]'
    else:
        lines, places = [f"positions = {_array(origin, position)}"], "both('position').tolist()"
    if position in file.positions:
        lines += [f"places = {places}", "positions = positions[[places.index(n) for n in sorted(set(places))]]"]
    return lines
