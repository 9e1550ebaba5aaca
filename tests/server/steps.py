"""A server of one page that takes its time: python -m tests.server.steps PORT [apart].

With "apart" sessions run the page as Streamlit alone would.
"""

import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path

import streamlit as st
import uvicorn
from streamlit.runtime.scriptrunner import add_script_run_ctx

from embedviz.base import i18n
from embedviz.base.concurrency.script_lock import wait_for
from embedviz.server.languages import of_the_run
from embedviz.server.streamlit_inside.replaced import replace
from embedviz.ui.messages import stop


def show() -> None:
    """Show the page, or a part of it that ends it."""
    if "words" in st.query_params:
        words()
    if "part" in st.query_params:
        part()
    if "waits" in st.query_params:
        waits()
        stop()
    page()


@st.fragment
def part() -> None:
    """Say on the server's output when it begins and ends; in between one can type."""
    seconds = float(st.query_params["seconds"])  # before "begins": where a page asks, a run that is to stop ends
    say("begins")
    st.text_input("Inside", key="inside")
    time.sleep(seconds)
    say("ends")
    stop()


@st.fragment
def waits() -> None:
    """Say on the server's output when it begins and ends; in between it waits for ever, if one types "wait"."""
    say("begins")
    if st.text_input("Inside", key="inside") == "wait":
        wait_for(Future())
    say("ends")
    st.text("whole")


def page() -> None:
    """Say on the server's output when it begins and ends; in between it neither shows nor asks anything.

    It ends when another run of the session has begun beside it, or after the seconds that its address says.
    """
    begun = st.session_state.setdefault("begun", [])
    before = len(begun)
    until = time.monotonic() + float(st.query_params.get("seconds", "0"))  # before "begins", as in `part`
    say("begins")
    begun.append("a run")
    while len(begun) == before + 1 and time.monotonic() < until:
        time.sleep(0.01)
    say("ends")
    st.text_input("Field", key="field")
    if st.button("Press", key="press"):
        say("pressed")


def words() -> None:
    """Show the language in which each place of the page speaks: itself, a part, a thread, and what a press calls."""
    speak("page")
    if st.button("Press", key="press_page", on_click=note) or "noted" in st.session_state:
        st.text(f"press {st.session_state.noted}")
    thread = add_script_run_ctx(threading.Thread(target=speak, args=("thread",)))
    thread.start()
    thread.join()
    words_of_a_part()
    stop()


@st.fragment
def words_of_a_part() -> None:
    """The same of a part that runs alone when its own button is pressed."""
    speak("part")
    st.button("Press", key="press_part", on_click=note)
    st.text(f"press in part {st.session_state.get('noted', '')}")


def speak(place: str) -> None:
    """Show the language in which this place speaks."""
    st.text(f"{place} {i18n.language()}")


def note() -> None:
    """Keep the language in which a press is carried out."""
    st.session_state.noted = i18n.language()


def say(word: str) -> None:
    """A line of its own, also when two runs speak at once."""
    print(f"{word}\n", end="", flush=True)


def main(port: int, *, apart: bool) -> None:
    """Serve it."""
    i18n.set_language_provider(of_the_run)
    if not apart:
        replace()
    uvicorn.run(st.App(Path(__file__)), port=port, log_level="warning")


if st.runtime.exists():
    show()
elif __name__ == "__main__":
    main(int(sys.argv[1]), apart="apart" in sys.argv)
