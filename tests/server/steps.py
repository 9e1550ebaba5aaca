"""A server of one page that takes its time: python -m tests.server.steps PORT [apart].

With "apart" sessions run the page as Streamlit alone would.
"""

import sys
import time
from pathlib import Path

import streamlit as st
import uvicorn

from embedviz.server import streamlit_inside


def show() -> None:
    """Show the page, or a part of it that ends it."""
    if "part" in st.query_params:
        part()
    page()


@st.fragment
def part() -> None:
    """Say on the server's output when it begins and ends; in between one can type."""
    say("begins")
    st.text_input("Inside", key="inside")
    time.sleep(float(st.query_params["seconds"]))
    say("ends")
    st.stop()


def page() -> None:
    """Say on the server's output when it begins and ends; in between it neither shows nor asks anything.

    It ends when another run of the session has begun beside it, or after the seconds that its address says.
    """
    begun = st.session_state.setdefault("begun", [])
    before = len(begun)
    say("begins")
    begun.append("a run")
    until = time.monotonic() + float(st.query_params.get("seconds", "0"))
    while len(begun) == before + 1 and time.monotonic() < until:
        time.sleep(0.01)
    say("ends")
    st.text_input("Field", key="field")
    if st.button("Press", key="press"):
        say("pressed")


def say(word: str) -> None:
    """A line of its own, also when two runs speak at once."""
    print(f"{word}\n", end="", flush=True)


def main(port: int, *, apart: bool) -> None:
    """Serve it."""
    if not apart:
        streamlit_inside.own_the_runs()
    uvicorn.run(st.App(Path(__file__)), port=port, log_level="warning")


if st.runtime.exists():
    show()
elif __name__ == "__main__":
    main(int(sys.argv[1]), apart="apart" in sys.argv)
