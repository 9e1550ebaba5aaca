"""One file for each visitor, where the server said, in time; and sessions that end after their visitors have gone."""

import asyncio
from types import SimpleNamespace

import pytest
from starlette.requests import Request
from starlette.responses import Response
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from embedviz.server import lifecycle, streamlit_inside
from embedviz.server.guards import uploads
from embedviz.server.guards.incoming import CheckedMessages
from embedviz.server.guards.uploads import PATH, Uploads

MOST = 25


class Server:
    """Streamlit's part, as far as a file has to do with it, behind the middleware."""

    def __init__(self, seconds: float = 60.0) -> None:
        self.files = MemoryUploadedFileManager(PATH.rstrip("/"))
        self.names: list[list[str]] = []
        self.uploads = CheckedMessages(Uploads(self._app, MOST, seconds), 2**20, lambda _session: True)

    async def _app(self, scope, receive, send) -> None:
        if scope["type"] == "websocket":
            while (message := await receive())["type"] == "websocket.receive":
                asked = BackMsg.FromString(message["bytes"]).file_urls_request
                self.names.append(list(asked.file_names))
                urls = self.files.get_upload_urls(scope["session"], asked.file_names)
                given = [{"file_id": each.file_id, "upload_url": each.upload_url} for each in urls]
                answer = ForwardMsg(file_urls_response={"file_urls": given})
                await send({"type": "websocket.send", "bytes": answer.SerializeToString()})
        else:
            data = await Request(scope, receive).body()
            session, name = scope["path"].removeprefix(PATH).split("/")
            self.files.add_file(session, UploadedFileRec(name, "a.txt", "text/plain", data))
            await Response(status_code=204)(scope, receive, send)

    async def put(self, path: str, data: bytes, *, is_whole: bool = True, address: str = "192.0.2.1") -> int:
        """The status of a file that is sent; if it is not whole, more of it never comes."""
        begun = iter([{"type": "http.request", "body": data, "more_body": not is_whole}])
        sent: list[dict] = []

        async def receive() -> dict:
            return next(begun, None) or await asyncio.Event().wait()

        async def send(message: dict) -> None:
            sent.append(message)

        scope = {"type": "http", "method": "PUT", "path": path, "headers": [], "client": (address, 1)}
        await self.uploads(scope, receive, send)
        return sent[0]["status"]

    def held(self, session: str) -> list[bytes]:
        """What is kept of this session's files."""
        return [file.data for file in self.files.file_storage.get(session, {}).values()]


class Visitor:
    """A connection that asks for addresses of files."""

    def __init__(self, server: Server, session: str) -> None:
        self._asked, self._told = asyncio.Queue(), asyncio.Queue()
        scope = {"type": "websocket", "session": session, "headers": []}
        self._task = asyncio.create_task(server.uploads(scope, self._asked.get, self._told.put))

    async def room_for(self, *names: str) -> list[str]:
        message = BackMsg(file_urls_request={"file_names": names}).SerializeToString()
        await self._asked.put({"type": "websocket.receive", "bytes": message})
        answer = ForwardMsg.FromString((await self._told.get())["bytes"])
        return [each.upload_url for each in answer.file_urls_response.file_urls]

    async def leave(self) -> None:
        await self._asked.put({"type": "websocket.disconnect"})
        await self._task


@pytest.fixture
def server(monkeypatch) -> Server:
    found = Server()
    monkeypatch.setattr(uploads, "uploaded", lambda: found.files)
    return found


def test_a_file_is_taken_where_the_server_said_and_only_once(server):
    async def go() -> None:
        visitor = Visitor(server, "one")
        assert await server.put(f"{PATH}one/a-name-of-their-own", b"x") == 404
        assert server.held("one") == []
        (path,) = await visitor.room_for("a.txt")
        assert await server.put(path + "x", b"x") == 404
        assert await server.put(path, b"a text") == 204
        assert await server.put(path, b"another") == 404
        assert server.held("one") == [b"a text"]

    asyncio.run(go())


def test_a_new_file_takes_the_place_of_the_one_before_and_of_no_other_visitor_s(server):
    async def go() -> None:
        one, other = Visitor(server, "one"), Visitor(server, "other")
        for n in range(5):
            assert await server.put((await one.room_for("a.txt"))[0], b"%d" % n) == 204
        assert await server.put((await other.room_for("a.txt"))[0], b"other") == 204
        assert server.held("one") == [b"4"]
        assert server.held("other") == [b"other"]

    asyncio.run(go())


def test_only_the_newest_address_counts_and_many_names_get_one_address(server):
    async def go() -> None:
        visitor = Visitor(server, "one")
        (old,) = await visitor.room_for("a.txt")
        (new,) = await visitor.room_for(*["a.txt"] * 10_000)
        assert server.names[-1] == ["a.txt"]
        assert await server.put(old, b"x") == 404
        assert await server.put(new, b"x") == 204

    asyncio.run(go())


def test_all_visitors_together_have_a_limit(server):
    async def go() -> None:
        visitors = [Visitor(server, str(n)) for n in range(4)]
        paths = [(await each.room_for("a.txt"))[0] for each in visitors]
        answers = [await server.put(path, b"ten bytes.", address=f"192.0.2.{n}") for n, path in enumerate(paths)]
        assert answers == [204, 204, 204, 503]
        server.files.remove_session_files("1")
        assert await server.put(paths[3], b"ten bytes.") == 204

    asyncio.run(go())


def test_visitors_of_one_network_leave_half_of_the_room_to_all_others(server):
    async def go() -> None:
        paths = [(await Visitor(server, str(n)).room_for("a.txt"))[0] for n in range(4)]
        near = [f"2001:db8::{n}" for n in range(3)]
        answers = [await server.put(path, b"ten bytes.", address=each) for path, each in zip(paths, near, strict=False)]
        assert answers == [204, 204, 503]
        assert await server.put(paths[3], b"ten bytes.", address="2001:db8:0:1::") == 204
        server.files.remove_session_files("0")
        assert await server.put(paths[2], b"ten bytes.", address=near[2]) == 204

    asyncio.run(go())


def test_a_file_that_never_ends_has_a_time_limit(monkeypatch):
    server = Server(seconds=0.05)
    monkeypatch.setattr(uploads, "uploaded", lambda: server.files)

    async def go() -> None:
        visitor = Visitor(server, "one")
        (path,) = await visitor.room_for("a.txt")
        assert await server.put(path, b"half of it", is_whole=False) == 408
        assert server.held("one") == []
        assert await server.put((await visitor.room_for("a.txt"))[0], b"whole") == 204

    asyncio.run(go())


def test_one_file_comes_at_a_time_and_ends_with_its_visitor(server):
    async def go() -> None:
        visitor = Visitor(server, "one")
        (first,) = await visitor.room_for("a.txt")
        coming = asyncio.create_task(server.put(first, b"half of it", is_whole=False))
        (second,) = await visitor.room_for("a.txt")
        assert await server.put(second, b"x") == 429
        await visitor.leave()
        assert await asyncio.wait_for(coming, 10) == 408
        assert await server.put(second, b"x") == 404
        assert server.held("one") == []

    asyncio.run(go())


def test_a_session_ends_when_its_visitor_has_been_gone_for_a_while(monkeypatch):
    """One that comes back in time does not."""
    gone, ended = {"gone", "comes back"}, []
    monkeypatch.setattr(streamlit_inside, "left", lambda: gone)
    monkeypatch.setattr(streamlit_inside, "end", lambda session: (ended.append(session), gone.discard(session)))
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(lifecycle, "time", SimpleNamespace(monotonic=lambda: clock.now))

    async def ticks() -> None:
        for _ in range(5):
            await asyncio.sleep(0.01)

    async def go() -> None:
        ending = asyncio.create_task(lifecycle.end_sessions(0.02))
        await ticks()
        gone.discard("comes back")
        await ticks()
        gone.add("comes back")
        clock.now += 0.01
        await ticks()
        assert ended == []
        clock.now += 0.015
        for _ in range(10_000):
            if ended:
                break
            await asyncio.sleep(0.001)
        ending.cancel()

    asyncio.run(go())
    assert ended == ["gone"]
