"""Tries what `make package` has built: in an empty environment outside of the checkout, as somebody who installs it.

    python -m tests.command.installed [--torch torch==2.13.0+cpu]

--torch: what pip installs first, such as the wheel of PyTorch without CUDA. It says what the rest takes.
"""

import argparse
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from embedviz.base.settings import ROOT

CELL = "import embedviz as ev; print(len(ev.show('dog bites man', 'man bites dog').html) < 2_000_000)"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--torch", default="torch")
    torch = parser.parse_args().torch
    (wheel,) = (ROOT / "dist").glob("*.whl")
    with tempfile.TemporaryDirectory(prefix="embedviz-") as name:
        folder = Path(name)
        venv.create(folder / "venv", with_pip=True)
        run(folder, "pip", "install", "--quiet", torch)
        before = size(folder)
        for what in (str(wheel), f"{wheel}[maps]", f"{wheel}[server]"):
            run(folder, "pip", "install", "--quiet", what)
            print(f"{Path(what).name}: {(size(folder) - before) / 1e6:,.0f} MB more")
            before = size(folder)
        run(folder, "pip", "check")
        run(folder, "embedviz", "--version")
        run(folder, "embedviz", "dog bites man", "man bites dog", "--html", "out.html")
        run(folder, "python", "-c", CELL)
        assert "man" in (folder / "out.html").read_text("utf-8")
    print("The wheel works outside of the checkout.")


def size(folder: Path) -> int:
    """The bytes of all files in the environment."""
    return sum(path.stat().st_size for path in (folder / "venv").rglob("*") if path.is_file() and not path.is_symlink())


def run(folder: Path, name: str, *arguments: str) -> None:
    """Run a command of the environment, outside of the checkout."""
    bin_ = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    subprocess.run([bin_ / name, *arguments], cwd=folder, check=True)


if __name__ == "__main__":
    main()
