"""Scripts of many visitors run one after the other."""

import threading
import time

from embedviz.ui import turns

HANGS = 600  # seconds: a turn that has not come by then never comes
AT_ONCE = 0.05  # seconds: a turn that nobody held would have come by then


def test_no_two_scripts_have_a_turn_at_once():
    running, most = 0, 0

    def script():
        nonlocal running, most
        for _ in range(20):
            with turns.turn():
                running += 1
                most = max(most, running)
                time.sleep(0.0005)  # long enough for another to come in, if it could
                running -= 1

    threads = [threading.Thread(target=script) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (running, most) == (0, 1)


def test_a_part_runs_within_the_turn_of_its_page_and_ends_it_not():
    with turns.turn():
        with turns.turn():
            pass
        assert not _another_gets_a_turn(AT_ONCE)
    assert _another_gets_a_turn(HANGS)


def test_a_pause_lets_others_in_and_then_waits_for_them():
    with turns.turn():
        with turns.pause():
            assert _another_gets_a_turn(HANGS)
        assert not _another_gets_a_turn(AT_ONCE)


def test_an_error_ends_the_turn():
    try:
        with turns.turn():
            raise KeyError
    except KeyError:
        pass
    assert _another_gets_a_turn(HANGS)


def _another_gets_a_turn(seconds: float) -> bool:
    """Whether another thread gets a turn by then; its wait ends with the caller's turn at the latest."""
    had = threading.Event()

    def script():
        with turns.turn():
            had.set()

    threading.Thread(target=script, daemon=True).start()
    return had.wait(seconds)
