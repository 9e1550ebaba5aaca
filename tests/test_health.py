"""Alive before it is ready."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from embedviz.web import Health, Places


def test_ready_only_while_warm():
    places = Places(1, lambda _: False)
    health = Health(places)
    client = TestClient(Starlette(routes=health.routes))
    for warm, status in ((False, 503), (True, 200), (False, 503)):
        health.is_warm = warm
        assert client.get("/readyz").status_code == status
        assert client.get("/healthz").status_code == 200


def test_full_is_ready_and_stopping_is_not():
    places = Places(1, lambda _: False)
    health = Health(places)
    health.is_warm = True
    client = TestClient(Starlette(routes=health.routes))
    places.enter("")
    assert client.get("/readyz").status_code == 200
    places.is_stopping = True
    assert (client.get("/readyz").status_code, client.get("/readyz").text) == (503, "stopping")
    assert client.get("/healthz").status_code == 200
