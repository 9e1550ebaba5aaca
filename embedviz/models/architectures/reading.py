"""The table of models read from its file, and checked: no fact stands there without a source."""

import tomllib
from collections.abc import Iterator, Mapping

from embedviz.base import data_files
from embedviz.base.errors import SetupError
from embedviz.models.architectures.record import Architecture, Layer, Scaling, Stack

FILE = "architectures.toml"
KNOWN = ("config", "report", "code", "tuned")  # how a fact is known
# The fields of a layer that each fact is about. All others of its fields belong to the fact "layers".
_OF_LAYERS = {
    "window": ("window", "beside"),
    "base": ("base",),
    "rotated": ("rotated",),
    "heads": ("kv",),
    "more": ("axes", "sinks", "marked", "temperature", "decay", "convolved", "picks", "pooled"),
}
_OF_MODEL = ("year", "scaling", "trained", "later", "claimed")


def read() -> Iterator[Architecture]:
    """Read all models. Raises SetupError, which names the model, if a fact has no source or a source no fact."""
    return parse(data_files.read(FILE).decode("utf-8"))


def parse(text: str) -> Iterator[Architecture]:
    """The models of a text in the file's form. Raises SetupError as `read` does."""
    for name, row in tomllib.loads(text).items():
        try:
            model = _model(name, row)
        except (TypeError, KeyError) as error:
            raise SetupError(f"data/{FILE}: {name} is not as it should be: {error}.") from error
        _check(model)
        yield model


def _model(name: str, row: Mapping) -> Architecture:
    fields = {key: value for key, value in row.items() if key not in ("layers", "kinds", "from", "scaling")}
    layers = {letter: Layer(**_frozen(kind)) for letter, kind in row["kinds"].items()}
    stacks = tuple(
        Stack(tuple(layers[letter] for letter in each["pattern"]), each.get("number", 0), each.get("both_ways", False))
        for each in row["layers"]
    )
    sources = tuple((source, tuple(facts.split())) for source, facts in row["from"].items())
    scaling = Scaling(**row["scaling"]) if "scaling" in row else None
    return Architecture(name=name, stacks=stacks, sources=sources, scaling=scaling, **fields)


def _frozen(kind: Mapping) -> dict:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in kind.items()}


def stated(model: Architecture) -> set[str]:
    """The facts that the row states."""
    own = {fact for fact in _OF_MODEL if getattr(model, fact)}
    of_layers = {
        fact
        for fact, fields in _OF_LAYERS.items()
        if any(getattr(layer, field) for layer in model.pattern for field in fields)
    }
    return own | of_layers | {"layers"} | ({"more"} if model.at_output else set())


def _check(model: Architecture) -> None:
    said = {fact for _source, facts in model.sources for fact in facts}
    if said != stated(model):
        wrong = ", ".join(sorted(said ^ stated(model)))
        raise SetupError(f"data/{FILE}: of {model.name}, these have no source, or no value: {wrong}.")
    if strange := [source for source, _facts in model.sources if source.partition(" ")[0] not in KNOWN]:
        raise SetupError(f"data/{FILE}: of {model.name}, {strange[0]!r} does not begin with one of {KNOWN}.")
