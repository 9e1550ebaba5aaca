"""The views of the page "Positions" as PyTorch programs that run as they are."""

from collections.abc import Sequence

from embedviz.programs.compare import positions_of, vectors_of
from embedviz.programs.tables import table_imports, tables_of
from embedviz.vectors.embedding import Embedded
from embedviz.vectors.own.brought import UploadedVectors
from embedviz.vectors.position_tables import TableSettings
from embedviz.vectors.sources import RANDOM, Source
from embedviz.vectors.spec import Spec
from embedviz.vectors.with_position import WithPosition


def _tables(settings: TableSettings) -> str:
    stacked = "dim=-1).flatten(1)" if settings.layout == "interleaved" else "dim=1).flatten(1)"
    imports = "\n".join(("import torch", *table_imports(settings.origin)))
    made, learned = _learned(settings.origin, settings.seed) if "learned" in settings.kinds else ("", "")
    listed = (
        f"""
    "learned": {learned}.weight.detach()[:context_length],"""
        if learned
        else ""
    )
    return f"""{imports}

context_length, output_dim, base = {settings.context_length}, {settings.output_dim}, {settings.base!r}
frequencies = base ** (-torch.arange(0, output_dim, 2, dtype=torch.float64) / output_dim)

def sinusoidal(n_positions):
    angles = torch.outer(torch.arange(n_positions, dtype=torch.float64), frequencies)
    return torch.stack([angles.sin(), angles.cos()], {stacked}.float()

{made}
tables = {{
    "sinusoidal": sinusoidal(context_length),{listed}
}}
"""


def _learned(source: Source, seed: int) -> tuple[str, str]:
    """The lines that make the learned table, and its name."""
    if source is RANDOM:
        return f"torch.manual_seed({seed})", "torch.nn.Embedding(context_length, output_dim)"
    return "\n".join(
        tables_of(0, Spec(source=source if isinstance(source, UploadedVectors) else source.name))
    ), "position_embedding"


def pytorch_lines(settings: TableSettings, kind: str, along: str, places: Sequence[int]) -> str:
    """Prints the numbers of each of these positions or dimensions."""
    picked = "[place]" if along == "position" else "[:, place]"
    return f"""{_table(settings, kind)}
for place in {list(places)}:
    print(*(f"{{number:.4f}}" for number in table{picked}))
"""


def pytorch_by_distance(settings: TableSettings, kind: str) -> str:
    """Prints the mean cosine of the positions at every distance."""
    return f"""{_table(settings, kind)}
unit = torch.nn.functional.normalize(table.double(), dim=1)
cosines = unit @ unit.T
print(*(f"{{torch.diagonal(cosines, n).mean():.4f}}" for n in range(context_length)))
"""


def _table(settings: TableSettings, kind: str) -> str:
    """The lines that make the table of a kind."""
    made, table = [_tables(settings)], f'tables["{kind}"]'
    if kind not in ("sinusoidal", "learned"):  # it has no settings of its own
        made += positions_of(Spec(position=kind, output_dim=settings.output_dim))
        table = "positional_embeddings(context_length)"
    return "\n".join([*made, f"table = {table}"])


def pytorch_shift(settings: TableSettings, k: int) -> str:
    """Prints the wavelength of every pair, then the largest difference of the turned rows from those k later."""
    if settings.layout == "interleaved":
        split, joined = "first[:, 0::2], first[:, 1::2]", "torch.stack([sin_k, cos_k], dim=-1).flatten(1)"
    else:
        split, joined = "first.chunk(2, dim=1)", "torch.cat([sin_k, cos_k], dim=1)"
    return f"""{_tables(settings)}
print(*(f"{{2 * torch.pi / frequency:.4g}}" for frequency in frequencies))
k = {k}
rows = sinusoidal(context_length + k)
first = rows[:context_length]
sin, cos = {split}
turn_cos, turn_sin = (k * frequencies).cos().float(), (k * frequencies).sin().float()
sin_k, cos_k = sin * turn_cos + cos * turn_sin, cos * turn_cos - sin * turn_sin
print(f"{{(({joined}) - rows[k:]).abs().max():.3g}}")
"""


def pytorch_past_the_end(settings: TableSettings, length: int) -> str:
    """Prints the shape of the sinusoidal rows, then that of the learned ones, or PyTorch's error."""
    return f"""{_tables(settings)}
positions = torch.arange({length})
print(tuple(sinusoidal({length}).shape))
try:
    print(tuple(torch.nn.Embedding(context_length, output_dim)(positions).shape))
except IndexError as error:
    print(f"IndexError: {{error}}")
"""


def pytorch_adding(embedded: Embedded, n: int, other: int | None, n_numbers: int) -> str:
    """Prints the first numbers of token n, of what is added and of the sum, and how far the sum is from its own token
    and from the other one."""
    lines = "\n".join(line for line in vectors_of(embedded, embedded) if not line.startswith("ids_b"))
    rows = [str(n), *([] if other is None else [str(other)])]
    return f"""{lines}

tokens, inputs = (rows[:, :{n_numbers}].double() for rows in embed(ids_a)[:2])
for row in (tokens[{n}], inputs[{n}] - tokens[{n}], inputs[{n}]):
    print(*(f"{{number:.2f}}" for number in row))
print(*(f"{{torch.dist(inputs[{n}], tokens[place]):.4f}}" for place in ({", ".join(rows)},)))
"""


def pytorch_sum(held: WithPosition) -> str:
    """Prints the sum of token and position, and how far it is from its own token and from the other one."""
    vectors = {"token": held.token, "position": held.position, "other": held.other}
    lines = [
        f"{name} = torch.tensor({[round(number, 2) for number in vector.tolist()]})"
        for name, vector in vectors.items()
        if vector is not None
    ]
    made = "\n".join(lines)
    return f"""import torch

{made}
total = token + position
print(*(f"{{number:.2f}}" for number in total))
print(f"{{torch.dist(total, token):.2f}} {{torch.dist(total, other):.2f}}")
"""
