"""How long reading from one connection may take: a protocol whose reading takes what the test says."""

import asyncio
import gc
import types
from collections.abc import Callable

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from embedviz.server.guards import read_limits
from tests.server import timeless
from tests.server.test_patience import UPGRADE, Doors, Wire


@pytest.fixture
def cpu(monkeypatch) -> types.SimpleNamespace:
    """The clock of the processor."""
    clock = types.SimpleNamespace(now=0.0, per_byte=0.0)
    monkeypatch.setattr(read_limits, "time", types.SimpleNamespace(thread_time=lambda: clock.now))
    return clock


def opened(cpu: types.SimpleNamespace, also: Callable[[], object] = lambda: None) -> tuple[Wire, list[int]]:
    """A connection, and how many bytes have been read at a time. also: what its reading does besides."""
    read = []

    class Reading(asyncio.Protocol):
        def __init__(self) -> None:
            self.loop, self.connections = asyncio.get_running_loop(), {self}

        def data_received(self, data: bytes) -> None:
            read.append(len(data))
            cpu.now += cpu.per_byte * len(data)
            also()

    protocol = read_limits.with_read_limits(Reading)()
    protocol.transport = Wire(protocol)
    return protocol.transport, read


def test_what_takes_a_microsecond_for_each_byte_is_cut_off_once_that_takes_too_long(cpu):
    async def run() -> None:
        cpu.per_byte = 1e-6
        wire, read = opened(cpu)
        wire.protocol.data_received(bytes(1_000_000))
        assert wire.cut == 0
        assert read == [4096] * 16  # 4.1 ms each, less 0.8 ms: the sixteenth is more than 50 ms

    timeless.run(run())


def test_a_large_file_may_come_at_once_and_slow_reading_may_take_its_time(cpu):
    async def run() -> None:
        cpu.per_byte = 1e-8
        wire, read = opened(cpu)
        wire.protocol.data_received(bytes(5_000_000))
        assert sum(read) == 5_000_000
        cpu.per_byte = 2e-6
        for _ in range(1000):  # 8 ms every second, of which 20 are free
            wire.protocol.data_received(bytes(4096))
            await asyncio.sleep(1)
        assert wire.cut is None
        for _ in range(7):
            wire.protocol.data_received(bytes(4096))
        assert wire.cut == 1000

    timeless.run(run())


def test_whose_reading_sets_off_pythons_look_for_waste_is_not_charged_for_it(cpu):
    def look(phase: str, _info: dict) -> None:
        cpu.now += 0.3 * (phase == "start")

    async def run() -> None:
        wire, _read = opened(cpu, gc.collect)
        wire.protocol.data_received(bytes(99))
        assert wire.cut is None

    gc.callbacks.append(look)  # after the module's own, so that the 0.3 s lie within the look
    timeless.run(run())
    gc.callbacks.remove(look)
    assert cpu.now == 0.3


def test_what_has_become_a_websocket_reads_for_itself(monkeypatch):
    async def run() -> None:
        monkeypatch.setattr(read_limits, "PIECE", len(UPGRADE))
        doors = Doors()
        doors.kind = read_limits.with_read_limits(H11Protocol)
        wire = doors.open()
        wire.protocol.data_received(UPGRADE + b"nonsense")
        await asyncio.sleep(1)
        assert b" 101 " in wire.written
        assert b" 400 " not in wire.written
        assert wire.cut is None

    timeless.run(run())
