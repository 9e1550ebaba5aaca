"""`python -m tools.recorder record --root DIR FILE` and `python -m tools.recorder compare FILE FILE`."""

import argparse
import sys
from pathlib import Path

from tools.recorder.difference import compare
from tools.recorder.store import load, save


def main() -> int:
    """Do what the command line says; 1 if two recordings differ."""
    asked = _asked()
    if asked.does == "record":
        from tools.recorder.record import record  # noqa: PLC0415 comparing needs no Streamlit

        save(record(asked.root.resolve(), asked.only), asked.file)
        return 0
    result = compare(load(asked.a), load(asked.b), asked.tolerance)
    found = [line for line in result.found if not any(part in line.splitlines()[0] for part in asked.without)]
    for line in found[: asked.most]:
        print(line)
    print(f"{len(found):,} differences" + (f", the first {asked.most:,} are above" if len(found) > asked.most else ""))
    for name, relative in sorted(result.largest.items()):
        print(f"largest relative difference of numbers in {name}: {relative:.3g}")
    return 1 if found else 0


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.recorder", description=__doc__)
    ways = parser.add_subparsers(dest="does", required=True)
    one = ways.add_parser("record", help="write what a tree shows into a file")
    one.add_argument("--root", type=Path, default=Path(), help="of the tree")
    one.add_argument("--only", default="", help="visits whose name has this pattern")
    one.add_argument("file", type=Path)
    two = ways.add_parser("compare", help="say what differs between two recordings")
    two.add_argument("a", type=Path)
    two.add_argument("b", type=Path)
    two.add_argument("--tolerance", type=float, default=0.0, help="of numbers, relative to an array's largest")
    two.add_argument("--without", action="append", default=[], help="leave out places that have this text")
    two.add_argument("--most", type=int, default=200, help="differences to print")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
