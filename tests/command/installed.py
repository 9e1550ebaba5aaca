"""Tries what `make package` has built: in an empty environment outside of the checkout, as somebody who installs it.

PyTorch alone, which is the largest part, is not fetched again but taken from the environment that runs this. It says
what the rest takes.
"""

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

from embedviz.base.settings import ROOT

CELL = "import embedviz as ev; print(len(ev.show('dog bites man', 'man bites dog').html) < 2_000_000)"


def main() -> None:
    (wheel,) = (ROOT / "dist").glob("*.whl")
    with tempfile.TemporaryDirectory(prefix="embedviz-") as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        take(folder, "torch")
        before = size(folder)
        for what in (str(wheel), f"{wheel}[server]"):
            run(folder, "pip", "install", "--quiet", "--no-compile", what)
            more = (size(folder) - before) / 1e6
            print(f"{Path(what).name}: {more:,.0f} MB more, before Python compiles it", flush=True)
            before = size(folder)
        run(folder, "pip", "check")
        run(folder, "embedviz", "--version")
        run(folder, "embedviz", "dog bites man", "man bites dog", "--html", "out.html")
        run(folder, "python", "-c", CELL)
        assert "man" in (folder / "out.html").read_text("utf-8")
    print("The wheel works outside of the checkout.")


def take(folder: Path, package: str) -> None:
    """Put the files of an installed package into the new environment too, without copies where the disk allows that."""
    site = sysconfig.get_path("purelib", vars={"base": str(folder / "venv")})
    for file in importlib.metadata.files(package):
        target = Path(site, file)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(file.locate(), target)
        except OSError:  # another disk
            shutil.copy(file.locate(), target)


def size(folder: Path) -> int:
    """The bytes of all files in the environment."""
    return sum(path.stat().st_size for path in (folder / "venv").rglob("*") if path.is_file() and not path.is_symlink())


def run(folder: Path, name: str, *arguments: str) -> None:
    """Run a command of the environment, outside of the checkout."""
    bin_ = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([bin_ / name, *arguments], cwd=folder, check=True)


if __name__ == "__main__":
    main()
