"""The models on this machine that can be shown whole without a network, with their token tables and tokenizers."""

from collections.abc import Hashable, Iterator
from pathlib import Path

import cachetools
from huggingface_hub import constants
from huggingface_hub.utils import _cache_assets

from embedviz.base.concurrency.script_lock import Waiting
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.models import identity, local
from embedviz.models.checkpoints import CHECKPOINTS, Checkpoint, checkpoint, is_name
from embedviz.models.kept import small_files, store
from embedviz.models.kept.store import StoredRows

SECONDS = 60.0  # after which the disk is looked at again: somebody may have copied a model into the folder
_BEST = ("sentence-transformers/all-MiniLM-L6-v2", "gpt2")


def _places() -> Hashable:
    assets = _cache_assets.HF_ASSETS_CACHE  # pyright: ignore[reportPrivateImportUsage] where the library reads it
    return str(configured().models), constants.HF_HUB_CACHE, assets


@cachetools.cached(cachetools.TTLCache(8, SECONDS), key=_places, condition=Waiting())
def installed() -> tuple[str, ...]:
    """The names of the models whose whole token tables and tokenizers are on this machine, the clearest first.

    They are those of the short list, and those in the folder EMBEDVIZ_MODELS and in Hugging Face's own cache that this
    server allows. Their tables lie in one of these two, or where `Reader.download` keeps them.
    """
    names = dict.fromkeys((*_BEST, *CHECKPOINTS, *_in_the_folder(), *_in_the_cache()))
    return tuple(name for name in names if _is_here(name))


def _in_the_folder() -> Iterator[str]:
    folder = configured().models
    for path in sorted(folder.glob(f"*/*/{identity.CONFIG}")):
        name = path.parent.relative_to(folder).as_posix()
        if is_name(name):
            yield name


def _in_the_cache() -> Iterator[str]:
    for folder in sorted(Path(constants.HF_HUB_CACHE).glob("models--*--*")):
        name = folder.name.removeprefix("models--").replace("--", "/")
        if is_name(name) and not any(name in (each.repo, each.old_repo) for each in CHECKPOINTS.values()):
            yield name


def _is_here(name: str) -> bool:
    try:
        found = checkpoint(name)  # raises EmbedvizError for a name that is not allowed
        return _has_tokenizer(found) and _has_table(found)
    except (EmbedvizError, OSError, ValueError):  # whatever is wrong with it, it is not one to begin with
        return False


def _has_tokenizer(checkpoint: Checkpoint) -> bool:
    own = checkpoint.tokenizer == checkpoint.name and "/" in checkpoint.name
    if not own or not (files := local.file_folder(checkpoint, local.TOKENIZER)):
        return not own or small_files.is_kept(checkpoint, local.TOKENIZER)
    return files.read(local.TOKENIZER, files.newest(local.TOKENIZER), 0, 1, 0.0) == b"{"  # and no pointer or page


def _has_table(checkpoint: Checkpoint) -> bool:
    if files := local.find(checkpoint):
        opened = local.opened(files, checkpoint)
        size = (files.folder / opened.token.file).stat().st_size
        return opened.token.start + opened.token.nbytes <= size
    opened = identity.load(checkpoint)
    return bool(opened) and StoredRows(store.folder(checkpoint.name, opened.token.version), opened.token).looks_whole()
