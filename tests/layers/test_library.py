"""When transformers is imported: not with the pages, but after the server answers, and only if there is a model."""

import subprocess
import sys

import pytest

from embedviz.base.settings import ROOT
from embedviz.server import warm_up

PROGRAM = """
import sys
import app, embedviz.server.warm_up, embedviz.layers.copies, embedviz.layers.forward, embedviz.layers.heads
import embedviz.layers.runnable, embedviz.layers.positions, embedviz.layers.probe
from embedviz.layers import model_queue
print("transformers" in sys.modules)
model_queue.warm_up()
print(model_queue.worker.submit(lambda: "transformers.models.auto.modeling_auto" in sys.modules).result())
"""


def test_nothing_but_the_warm_up_or_a_run_imports_it():
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(("models", "done"), [({}, ["map"]), ({"own/model": "encoder"}, ["map", "library"])])
def test_a_server_without_a_model_never_imports_it(models, done, monkeypatch):
    found = []
    monkeypatch.setattr(warm_up, "warm_map", lambda: found.append("map"))
    monkeypatch.setattr(warm_up, "runnable", lambda: models)
    monkeypatch.setattr(warm_up.model_queue, "warm_up", lambda: found.append("library"))
    warm_up.warm_the_rest()
    assert found == done
