"""A model's files that are already on this machine: in the folder EMBEDVIZ_MODELS, or in Hugging Face's own cache."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG

import cachetools
from huggingface_hub import try_to_load_from_cache

from embedviz.base.errors import Unavailable
from embedviz.base.settings import configured
from embedviz.models import identity
from embedviz.models.checkpoints import Checkpoint
from embedviz.models.files import CONFIG, INDEX, PICKLES, WEIGHTS
from embedviz.models.header import Version
from embedviz.models.hub.refusals import Missing
from embedviz.models.identity import Opened

TOKENIZER = "tokenizer.json"
LOOK_SECONDS = 1.0  # an edit asks a hundred times what is here; the disk is asked once in this time
# What older repositories hold in the place of a file.
_INSTEAD = {
    TOKENIZER: ("tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "vocab.txt", "vocab.json"),
    WEIGHTS: PICKLES,
}
_found: cachetools.TTLCache = cachetools.TTLCache(256, LOOK_SECONDS)
_said: cachetools.TTLCache = cachetools.TTLCache(256, LOOK_SECONDS)


@dataclass(frozen=True)
class LocalFiles:
    """The files of one model in one folder."""

    folder: Path

    @property
    def name(self) -> str:
        """The folder as a message names it, without the way to it on this machine."""
        return "/".join(self.folder.parts[-3:])

    def without(self, file: str) -> Missing:
        """The error that says that the file is not there, and what to do with a file that is there instead."""
        instead = next((each for each in _INSTEAD.get(file, ()) if (self.folder / each).exists()), None)
        if not instead:
            return Missing("{folder} has no {file}. Copy this file too.", folder=self.name, file=file)
        return Missing(
            "{folder} has no {file}. It has {instead}, which is not read here: the library transformers writes {file} "
            "when it opens the model and saves it again (save_pretrained).",
            folder=self.name,
            file=file,
            instead=instead,
        )

    def newest(self, file: str) -> Version:
        """The version that is there now. Raises Missing if there is none, and Unavailable if it is no file."""
        try:
            about = (self.folder / file).stat()
        except OSError as error:
            raise self.without(file) from error
        if not S_ISREG(about.st_mode):
            raise Unavailable("{file} in {folder} is a folder, and no file.", file=file, folder=self.name)
        if not about.st_size:
            raise Unavailable("{file} in {folder} is empty. Copy it again.", file=file, folder=self.name)
        return Version("", "", f"{about.st_ino}-{about.st_mtime_ns}", about.st_size)

    def read(self, file: str, version: Version, start: int, length: int, deadline: float) -> bytes:
        """These bytes of the file. Raises Unavailable if it is cut short or cannot be read."""
        try:
            with (self.folder / file).open("rb") as opened:
                opened.seek(start)
                data = opened.read(length)
        except OSError as error:
            raise Unavailable("{file} on this machine cannot be read.", file=file) from error
        if len(data) != length:
            raise Unavailable("{file} on this machine is broken or cut short.", file=file)
        return data


@cachetools.cached(_found, lock=threading.Lock())
def find(checkpoint: Checkpoint) -> LocalFiles | None:
    """The model's files on this machine as they were at most a second ago; None if its weights are not here."""
    for folder in _folders(checkpoint):
        if any((folder / file).exists() for file in (WEIGHTS, INDEX)):
            return LocalFiles(folder)
    return None


def without(checkpoint: Checkpoint, file: str) -> Missing | None:
    """The error that names the file and the folder, if the model is on this machine, but without this file."""
    folder = next((folder for folder in _folders(checkpoint) if folder.is_dir()), None)
    if not folder or any((folder / each).exists() for each in (file, *((INDEX,) if file == WEIGHTS else ()))):
        return None
    return LocalFiles(folder).without(file)


def file_folder(checkpoint: Checkpoint, file: str) -> LocalFiles | None:
    """The folder on this machine that holds this file of the model; None if there is none."""
    return next((LocalFiles(folder) for folder in _folders(checkpoint) if (folder / file).exists()), None)


@cachetools.cached(_said, lock=threading.Lock())
def opened(files: LocalFiles, checkpoint: Checkpoint) -> Opened:
    """What the files on this machine say, read again when they have changed. Raises as `identity.look` does."""
    there = (file for file in (CONFIG, WEIGHTS, INDEX) if (files.folder / file).exists())
    return _opened(files, checkpoint, tuple(files.newest(file) for file in there))


@lru_cache(maxsize=64)
def _opened(files: LocalFiles, checkpoint: Checkpoint, versions: tuple[Version, ...]) -> Opened:
    return identity.resolve(files, checkpoint)


def reset() -> None:
    """Forget what was here, as a new process does."""
    _found.clear()
    _said.clear()
    _opened.cache_clear()


def _folders(checkpoint: Checkpoint) -> Iterator[Path]:
    """Where a model may lie: a folder of the operator's, and what `hf download` keeps."""
    yield configured().models / checkpoint.repo
    for repo in filter(None, (checkpoint.repo, checkpoint.old_repo)):
        for file in (WEIGHTS, INDEX, TOKENIZER):
            if isinstance(found := try_to_load_from_cache(repo, file), str):
                yield Path(found).parent
