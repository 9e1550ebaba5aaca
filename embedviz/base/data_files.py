"""The files of `data/`, each checked against the SHA-256 that `data/SHA256SUMS` gives for it.

`python -m embedviz.base.data_files` writes that list again after a file was changed on purpose.
"""

import hashlib
from functools import cache

from embedviz.base.errors import SetupError
from embedviz.base.settings import ROOT

DATA = ROOT / "data"
_SUMS = "SHA256SUMS"
_REMEDY = "Take it from the project again."


def read(name: str) -> bytes:
    """The bytes of `data/<name>`. Raises SetupError, which names the file, if it is missing, damaged or not listed."""
    try:
        content = (DATA / name).read_bytes()
    except OSError as error:
        raise SetupError(f"data/{name} cannot be read: {error.strerror}. {_REMEDY}") from error
    if hashlib.sha256(content).hexdigest() != sums().get(name):
        raise SetupError(f"data/{name} is damaged: its SHA-256 is another. {_REMEDY}")
    return content


def check() -> None:
    """Read every file on the list. Raises SetupError as `read` does, for the first file that is wrong."""
    for name in sums():
        read(name)


@cache
def sums() -> dict[str, str]:
    """The SHA-256 of each file, in hexadecimal. Raises SetupError if there is no such list."""
    try:
        lines = (DATA / _SUMS).read_text("ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"data/{_SUMS} cannot be read. {_REMEDY}") from error
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def seal() -> None:
    """Write the list of all files, as `sha256sum` does, without the list itself and the READMEs."""
    files = sorted(path for path in DATA.rglob("*") if path.is_file() and path.name not in (_SUMS, "README.md"))
    digests = {path.relative_to(DATA).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    (DATA / _SUMS).write_text("".join(f"{digest}  {name}\n" for name, digest in digests.items()), "ascii")
    sums.cache_clear()


if __name__ == "__main__":
    seal()
