"""Alive before it is ready."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from embedviz.web import Health


def test_ready_only_while_warm():
    health = Health()
    client = TestClient(Starlette(routes=health.routes))
    for warm, status in ((False, 503), (True, 200), (False, 503)):
        health.is_warm = warm
        assert client.get("/readyz").status_code == status
        assert client.get("/healthz").status_code == 200
