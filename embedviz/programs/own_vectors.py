"""The lines of a program that load vectors of one's own from the file that the visitor has brought, by its name."""

from embedviz.positions import SCHEMES
from embedviz.text.tokens import Tokens
from embedviz.vectors.own.brought import Brought
from embedviz.vectors.own.vector_files import Origin
from embedviz.vectors.spec import Spec

_CSV = """
with open({name!r}, encoding={encoding!r}, newline="") as file:
    lines = list(csv.reader(file))
header = lines[0]

def rows(kind):  # the lines of one kind, and the numbers of each
    found = [line for line in lines[1:] if "vectors" not in header or line[header.index("vectors")] == kind]
    numbers = [[number for number in line[header.index("0"):] if number] for line in found]
    return found, torch.tensor([[float(number) for number in line] for line in numbers])

found, table = rows({token!r})"""


def imports_of(source: Brought) -> tuple[str, ...]:
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
    source: Brought = spec.origin
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


def _texts(source: Brought) -> list[str]:
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
    file, position = origin.file, origin.position
    if file.kind == "csv":
        lines = [f"found, positions = rows({position!r})"]
        places = '[int(line[header.index("position")]) for line in found]'
    else:
        lines, places = [f"positions = {_array(origin, position)}"], "both('position').tolist()"
    if position in file.positions:
        lines += [f"places = {places}", "positions = positions[[places.index(n) for n in sorted(set(places))]]"]
    return lines
