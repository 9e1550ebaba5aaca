"""Which version of a model is in use, and where its tables lie. The Hub is asked once; the disk keeps the answer."""

import json
import re
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import cast

from huggingface_hub import cached_assets_path, constants

from embedviz.base.errors import Unavailable
from embedviz.models import families
from embedviz.models.checkpoints import Checkpoint
from embedviz.models.families import Layout
from embedviz.models.files import CONFIG, INDEX, LOOK_SECONDS, PICKLES, WEIGHTS, Files, disguise, json_object, small
from embedviz.models.header import Tensor, Version, check_header, entries_of, header_length, max_header_bytes, tensor
from embedviz.models.hub.hub import HubFiles
from embedviz.models.hub.refusals import Missing
from embedviz.models.kept import store
from embedviz.models.kept.small_files import checked, keep

_SHARD = re.compile(r"\w[\w.-]{0,99}\.safetensors", re.ASCII)  # a name that leads nowhere else
HEAD_BYTES = 2**15  # the header of GPT-2 fits, so that one request does
MAX_CONFIG_BYTES = 2**20  # and of what is kept about a model


@dataclass(frozen=True)
class Opened:
    """A version of a model.

    config: what its config.json says. tensors: where the tables lie, by the names that the layout gives them.
    """

    config: Mapping[str, object]
    tensors: Mapping[str, Tensor]

    @cached_property
    def layout(self) -> Layout:
        """Where the vectors that enter the first layer come from."""
        return families.layout(self.config)

    @property
    def token(self) -> Tensor:
        """The token table."""
        return self.tensors[self.layout.token]


def resolve(files: Files, checkpoint: Checkpoint, known: Opened | None = None) -> Opened:
    """The version that is there now. Its headers are read if it is not the known version.

    Raises Unavailable, and EmbedvizError for a model of a family that is not known.
    """
    config = checkpoint.config or json_object(_described(files))
    layout = families.layout(config)
    file, version, places = _files(files, layout)
    if known and known.config == config and known.token.version == version:
        return known
    found: dict[str, Tensor] = {}
    for each in dict.fromkeys([file, *places.values()]):
        found |= _tensors(files, each, version if each == file else files.newest(each), layout, places)
    for name, shape in layout.shapes.items():
        if name not in found:
            raise Unavailable("the file has no {name}.", name=name)
        _check_shape(name, found[name].shape, cast("tuple[int, int]", shape if len(shape) == 2 else (1, *shape)))
    return Opened(config, found)


def _described(files: Files) -> bytes:
    try:
        return small(files, CONFIG, MAX_CONFIG_BYTES)
    except Missing as error:
        if not isinstance(files, HubFiles):
            raise
        raise Unavailable(
            "there is no model of this name, or it has no config.json. Check the name: it stands at the top of the "
            "model's page on the Hub."
        ) from error


def _files(files: Files, layout: Layout) -> tuple[str, Version, Mapping[str, str]]:
    """The file with the token table, its version, and the file of each table, by the table's full name, if there are
    several files."""
    try:
        return WEIGHTS, files.newest(WEIGHTS), {}
    except Missing:
        places = _shards(files, layout)
        file = places[str(layout.find(places, layout.token))]  # which `_shards` has looked for
        return file, files.newest(file), places


def weight_map(files: Files) -> Mapping[str, str]:
    """The file of each tensor of a model whose weights are in several files, by the tensor's full name.

    Raises Unavailable if there is no such index, or if it does not say that.
    """
    try:
        index = json_object(small(files, INDEX, max_header_bytes()), INDEX)
    except Missing as missing:
        raise _no_weights(files) from missing
    places = index.get("weight_map")
    files_named = list(places.values()) if isinstance(places, dict) else []
    if not files_named or not all(isinstance(each, str) and _SHARD.fullmatch(each) for each in files_named):
        raise Unavailable("{file} is broken: it does not say which file holds which table.", file=INDEX)
    return cast("Mapping[str, str]", places)


def _shards(files: Files, layout: Layout) -> Mapping[str, str]:
    places = weight_map(files)
    where = {full: places[full] for name in layout.shapes if (full := layout.find(places, name))}
    if not layout.find(where, layout.token):
        raise _without_table(INDEX, layout, places)
    return where


def _no_weights(files: Files) -> Unavailable:
    """Why there is nothing to read. A pickle is not even asked for: opening one runs what it says."""
    for file in PICKLES:
        with suppress(Missing):
            files.newest(file)
            return Unavailable(
                "the model has its weights as {file} alone. That is a pickle, a file that can run a program when "
                "it is opened, so embedviz does not open it. Choose a model with safetensors.",
                file=file,
            )
    return Unavailable("the model has no weights as safetensors. Choose a model with model.safetensors.")


def _tensors(files: Files, file: str, version: Version, layout: Layout, places: Mapping[str, str]) -> dict[str, Tensor]:
    """Those of the layout's tables that this file holds. places: which files hold which, if there are several."""
    entries, head, end = header(files, file, version)
    with _of_file(file, head, version.size):
        names = {name: layout.find(places or entries, name) for name in layout.shapes}
        here = {
            name: full for name, full in names.items() if full and full in entries and places.get(full, file) == file
        }
        found = {name: tensor(entries, full, end, file, version) for name, full in here.items()}
    if not names[layout.token]:
        raise _without_table(file, layout, entries)
    return found


def header(files: Files, file: str, version: Version) -> tuple[Mapping[str, object], bytes, int]:
    """What the JSON at the head of a file says of each tensor; the file's first bytes; and where the JSON ends."""
    deadline = time.monotonic() + LOOK_SECONDS
    head = files.read(file, version, 0, min(HEAD_BYTES, version.size), deadline)
    with _of_file(file, head, version.size):
        end = 8 + header_length(head, version.size)
    check_header(end - 8)
    if end > len(head):
        head += files.read(file, version, len(head), end - len(head), deadline)
    with _of_file(file, head, version.size):
        return entries_of(head[8:end]), head, end


@contextmanager
def _of_file(file: str, head: bytes, size: int) -> Iterator[None]:
    """Say of a file that is broken what lies in its place, or else which one it is. head: its first bytes."""
    try:
        yield
    except Unavailable as error:
        raise disguise(file, head, size) or Unavailable(
            "{error} The file is {file}.", error=error, file=file
        ) from error


def _without_table(file: str, layout: Layout, names: Collection[str]) -> Unavailable:
    """Why no table is read, though the file may hold that of the model's head: transformers takes no other either."""
    if head := replace(layout, tied=True).find(names, layout.token):
        return Unavailable(
            "{file} has no {name}. It has {head}, but tie_word_embeddings, which is false here, says that this is "
            "another table. If the model was trained with one table for both, write true into config.json.",
            file=file,
            name=layout.token,
            head=head,
        )
    return Unavailable("the file has no {name}.", name=layout.token)


def _check_shape(name: str, shape: tuple[int, int], expected: tuple[int, int]) -> None:
    if shape != expected:
        raise Unavailable(
            "{name} has another shape than the model: {n_rows:,} × {n_dims:,} would be right.",
            name=name,
            n_rows=expected[0],
            n_dims=expected[1],
        )


def load(checkpoint: Checkpoint) -> Opened | None:
    """The version that was known last time for the Hub in use; None if there is none, or if it is damaged."""
    try:
        path = _path(checkpoint)
        if path.stat().st_size > MAX_CONFIG_BYTES:
            return None
        known = json.loads(checked(path))
        tensors = {name: _tensor(entry) for name, entry in known["tensors"].items()}
        found = Opened(known["config"], tensors)
        is_whole = found.layout.shapes.keys() <= tensors.keys()  # an earlier embedviz may have looked for fewer tables
        return found if is_whole and found.token.version.endpoint == constants.ENDPOINT else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def save(checkpoint: Checkpoint, opened: Opened) -> None:
    """Keep what is known for the next start. If the disk takes nothing, the next start asks again."""
    with suppress(OSError, ValueError):
        path = _path(checkpoint)
        tensors = {name: asdict(each) for name, each in opened.tensors.items()}
        keep(path, json.dumps({"config": dict(opened.config), "tensors": tensors}).encode())
        versions = {each.version for each in opened.tensors.values()}
        store.remove_others(path.parent, *(store.folder(checkpoint.name, version) for version in versions))


def _tensor(entry: dict) -> Tensor:
    return Tensor(**entry | {"shape": tuple(entry["shape"]), "version": Version(**entry["version"])})


def _path(checkpoint: Checkpoint) -> Path:
    return cached_assets_path("embedviz", checkpoint.name, "version") / "version.json"
