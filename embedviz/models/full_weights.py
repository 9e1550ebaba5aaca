"""All the weights of a model that lies whole on this machine: in which files they are, how many, and the numbers."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open

from embedviz.base.errors import Unavailable
from embedviz.models import local
from embedviz.models.checkpoints import checkpoint
from embedviz.models.files import CONFIG, INDEX, WEIGHTS, json_object, small
from embedviz.models.header import Version, check_header, header_length
from embedviz.models.identity import MAX_CONFIG_BYTES, weight_map
from embedviz.models.local import LocalFiles
from embedviz.models.row_reader import NotDownloaded

FLOATS = ("F32", "F16", "BF16")  # others are masks and numbers of rows, which no layer learns


@dataclass(frozen=True)
class FullWeights:
    """The files of a whole model. Two that are equal hold equal numbers.

    config: the version of config.json. shards: each file with tensors, and its version.
    """

    name: str
    files: LocalFiles
    config: Version
    shards: tuple[tuple[str, Version], ...]

    def values(self) -> Mapping[str, object]:
        """What config.json says. Raises Unavailable if it is no JSON."""
        return json_object(small(self.files, CONFIG, MAX_CONFIG_BYTES, self.config))

    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of each tensor of floats, without reading any of them. Raises Unavailable for a broken file."""
        found: dict[str, tuple[int, ...]] = {}
        for file, version in self.shards:
            check_header(header_length(self.files.read(file, version, 0, 8, 0.0), version.size))
            with _opened(self.files.folder / file) as opened:
                slices = {name: opened.get_slice(name) for name in opened.keys()}  # noqa: SIM118 it is no dictionary
                found |= {name: tuple(each.get_shape()) for name, each in slices.items() if each.get_dtype() in FLOATS}
        return found

    def n_numbers(self) -> int:
        """How many numbers the model's tensors of floats hold."""
        return sum(map(prod, self.shapes().values()))

    def tensors(self) -> dict[str, torch.Tensor]:
        """Each tensor of floats, as float32, in memory of its own.

        Raises Unavailable for a broken file, and for a number that is infinite or none.
        """
        found: dict[str, torch.Tensor] = {}
        wanted = self.shapes()
        for file, _version in self.shards:
            with _opened(self.files.folder / file) as opened:
                for name in wanted.keys() & set(opened.keys()):
                    # Not the file's own pages: the file may be written anew while the model is in use.
                    found[name] = opened.get_tensor(name).to(torch.float32, copy=True)
        for name, tensor in found.items():
            if not torch.isfinite(tensor).all():
                raise Unavailable("{name} holds numbers that are not finite: the file is broken.", name=name)
        return found


def find(name: str) -> FullWeights:
    """The model of this name, whole. Raises NotDownloaded if it is not on this machine, and Missing if a file lacks."""
    found = checkpoint(name)
    files = local.find(found)
    if not files:
        raise local.without(found, WEIGHTS) or NotDownloaded(
            "{model} is not whole on this machine. `hf download {model}` brings it, or a folder {model} in "
            "EMBEDVIZ_MODELS.",
            model=found.repo,
        )
    shards = (WEIGHTS,)
    if not (files.folder / WEIGHTS).exists():
        shards = _shards(files, files.newest(INDEX))
    return FullWeights(name, files, files.newest(CONFIG), tuple((file, files.newest(file)) for file in shards))


@lru_cache(maxsize=64)
def _shards(files: LocalFiles, _index: Version) -> tuple[str, ...]:
    return tuple(sorted(set(weight_map(files).values())))


@contextmanager
def _opened(path: Path) -> Iterator[safe_open]:
    try:
        with safe_open(path, "pt") as opened:
            yield opened
    except (SafetensorError, OSError) as error:
        raise Unavailable("{file} on this machine is broken or cut short.", file=path.name) from error
