"""Whether what a server's settings name can be there at all: folders and addresses, its own and those of libraries.

A folder that nobody may write to is fine, since a server also works on a read-only disk. A name that can never be a
folder is a mistake, and whoever made it should hear of it at the start.
"""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from embedviz.base.errors import SetupError
from embedviz.base.settings import configured

_SENSELESS = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EINVAL)


def check() -> None:
    """Raise SetupError, which lists every variable that names what cannot be."""
    if problems := [*_folders(), *_temporary(), *_hub()]:
        raise SetupError(f"{'; '.join(problems)}.")


def _folders() -> Iterator[str]:
    found = {"EMBEDVIZ_CACHE": configured().cache, "EMBEDVIZ_MODELS": configured().models}
    others = ("HF_HOME", "HF_HUB_CACHE", "HF_ASSETS_CACHE")
    found |= {name: Path(os.environ[name]).expanduser() for name in others if os.environ.get(name)}
    for name, path in found.items():
        if reason := _why_never(path):
            yield f"{name}: {path} cannot be a folder ({reason}); name one that is there or can be made"


def _why_never(path: Path) -> str:
    """Why there cannot be a folder here; empty if there is one or might be. Nothing is left behind."""
    missing = None
    while not os.path.lexists(path) and path.parent != path:
        missing, path = path, path.parent
    if not path.is_dir():
        return f"{path} is no folder"
    try:
        if missing:
            missing.mkdir()
    except OSError as error:
        return str(error.strerror) if error.errno in _SENSELESS else ""
    with suppress(OSError):  # another server may have begun to use it
        if missing:
            missing.rmdir()
    return ""


def _temporary() -> Iterator[str]:
    for name in ("TMPDIR", "TEMP", "TMP"):
        value = os.environ.get(name)
        if value and not Path(value).is_dir():
            yield f"{name}: {value} is no folder; name one that is there"
    try:
        tempfile.gettempdir()
    except FileNotFoundError as error:
        yield f"TMPDIR: {error.strerror}; name a folder that can be written to"


def _hub() -> Iterator[str]:
    value = os.environ.get("HF_ENDPOINT", "")
    try:
        parts = urlsplit(value)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # such as a port that is no number
        is_address = False
    if value and not is_address:
        yield f"HF_ENDPOINT: {value!r} is no address; write it like https://huggingface.co"
