"""The line of runs: bounded, and left by those who have gone on."""

import threading
from concurrent.futures import CancelledError

import numpy as np
import pytest

import embedviz as ev
from embedviz.base import metrics
from embedviz.base.concurrency import script_lock
from embedviz.layers import model_queue
from embedviz.models.full_weights import find
from tests.models.shelf import on_shelf

NAME = "own/model"
IDS = np.array([[1, 2, 3]])


class Gone(Exception):
    """The visitor is."""


@pytest.fixture
def whole(models_folder):
    on_shelf("gpt2", models_folder / NAME, "the cat sat", with_head=True, n_layer=3)
    return find(NAME)


@pytest.fixture
def held():
    """The line does something else until this is set."""
    free = threading.Event()
    work = model_queue.worker.submit(free.wait, 60)
    yield free
    free.set()
    work.result()


def leave() -> None:
    raise Gone


def leaving(whole, ends: list[object]) -> threading.Thread:
    """A visitor who asks and goes on."""

    def ask() -> None:
        script_lock.on_wait(leave)
        try:
            model_queue.run(whole, IDS)
        except Gone as error:
            ends.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread


def test_a_run_that_nobody_wants_is_taken_out_of_the_line(whole, held, monkeypatch):
    ran = []
    monkeypatch.setattr(model_queue, "compute", lambda *_given: ran.append(1))
    ends = []
    leaving(whole, ends).join(60)
    assert len(ends) == 1
    assert model_queue.count() == 0
    held.set()
    model_queue.worker.submit(int).result()
    assert not ran


def test_a_run_ends_before_the_next_layer_if_nobody_wants_it(whole):
    model_queue.run(whole, IDS)  # which loads it
    (loaded,) = [each for name, each in model_queue.loaded_models.items() if name == whole]
    begun, left, layers, ends = threading.Event(), threading.Event(), [], []

    def note(*_about) -> None:
        layers.append(1)
        begun.set()
        left.wait(60)

    hooks = [each.register_forward_hook(note) for each in loaded.module.transformer.h]
    try:
        thread = leaving(whole, ends)
        assert begun.wait(60)
        thread.join(60)
        left.set()
        model_queue.worker.submit(int).result()
    finally:
        for each in hooks:
            each.remove()
    assert len(ends) == 1
    assert len(layers) == 1
    assert model_queue.run(whole, IDS).hidden_states.shape == (4, 1, 3, 12)  # and the next run is whole


def test_others_who_wait_for_the_same_text_get_it(whole, held):
    """Who goes on takes nothing from those who ask for the same."""
    spec, found, ends = ev.Spec(source=NAME), [], []

    def ask(*, goes_on: bool) -> None:
        script_lock.on_wait(leave if goes_on else lambda: None)
        try:
            found.append(ev.forward("cat sat", spec))
        except Gone as error:
            ends.append(error)

    threads = [threading.Thread(target=ask, kwargs={"goes_on": each}) for each in (True, False)]
    for each in threads:
        each.start()
    threads[0].join(60)
    held.set()
    threads[1].join(60)
    assert len(ends) == len(found) == 1
    assert found[0] is ev.forward("cat sat", spec)


def test_a_line_that_is_full_says_so(whole, held, monkeypatch):
    monkeypatch.setattr(model_queue, "MOST", 2)
    before = metrics.REGISTRY.get_sample_value("embedviz_refused_total", {"limit": "layers"}) or 0
    works = [threading.Thread(target=model_queue.run, args=(whole, IDS)) for _n in range(2)]
    for each in works:
        each.start()
    while model_queue.count() < 2:
        pass
    with pytest.raises(ev.EmbedvizError, match=r"^2 others wait for a model to read their texts\. Try "):
        model_queue.run(whole, IDS)
    assert metrics.REGISTRY.get_sample_value("embedviz_refused_total", {"limit": "layers"}) == before + 1
    held.set()
    for each in works:
        each.join(60)
    assert model_queue.count() == 0
    model_queue.run(whole, IDS)


def test_an_error_in_the_line_names_the_model(whole, monkeypatch):
    def fail(*_given) -> None:
        raise ev.EmbedvizError("it is ill.")

    monkeypatch.setattr(model_queue, "compute", fail)
    with pytest.raises(ev.EmbedvizError, match=r"^The layers of own/model cannot be run: it is ill\.$"):
        model_queue.run(whole, IDS)


def test_nobody_wants_what_is_cancelled(whole):
    unwanted = threading.Event()
    unwanted.set()
    with pytest.raises(CancelledError):
        model_queue.worker.submit(model_queue.compute, whole, IDS, None, 1.0, unwanted).result()
