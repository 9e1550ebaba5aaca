"""A server of one page that takes its time: python -m tests.steps PORT [apart].

With "apart" sessions run the page as Streamlit alone would.
"""

import sys
import time
from pathlib import Path

import streamlit as st
import uvicorn

from embedviz.ui import inside

SECONDS = 0.4  # of the page, in which it neither shows nor asks anything


def page() -> None:
    """Say on the server's output when it begins and ends."""
    print("begins", flush=True)
    time.sleep(SECONDS)
    print("ends", flush=True)
    st.text_input("Field", key="field")
    if st.button("Press", key="press"):
        print("pressed", flush=True)


def main(port: int, *, apart: bool) -> None:
    """Serve it."""
    if not apart:
        inside.run_one_at_a_time()
    uvicorn.run(st.App(Path(__file__)), port=port, log_level="warning")


if st.runtime.exists():
    page()
elif __name__ == "__main__":
    main(int(sys.argv[1]), apart="apart" in sys.argv)
