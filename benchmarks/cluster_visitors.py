"""Visitors of several servers behind one address: who answers them, and what they do when that one is gone."""

import asyncio
import time
from dataclasses import dataclass, field
from random import Random

import httpx2
import mix
from session import Broken, Session

COOKIE = "embedviz_replica"
THINK = 6.0  # seconds between two changes of a visitor, on average
PATIENCE = 90.0  # seconds after which a visitor counts as lost
_MOMENT = 1.0  # seconds in which a connection ends whose server was killed
_XSRF = "_streamlit_xsrf"


@dataclass(frozen=True)
class Event:
    """kind: arrival, edit, broken, back, lost, error, refused (an upload). replica: who had the session."""

    kind: str
    t: float
    replica: int
    seconds: float = 0.0
    what: str = ""


@dataclass
class Diary:
    """What happened to all visitors, in order."""

    events: list[Event] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)

    def now(self) -> float:
        return time.perf_counter() - self.began

    def tell(self, kind: str, replica: int, seconds: float = 0.0, what: str = "") -> None:
        self.events.append(Event(kind, self.now(), replica, seconds, what))

    def of(self, kind: str, since: float = 0.0, until: float = float("inf")) -> list[Event]:
        return [event for event in self.events if event.kind == kind and since <= event.t < until]


class Visitor:
    """A browser's cookies and one page; when its connection breaks it does what Streamlit's page does."""

    def __init__(self, url: str, place: mix.Place, random: Random, diary: Diary) -> None:
        self._url, self._place, self._random, self._diary = url, place, random, diary
        self._client = httpx2.AsyncClient(base_url=url, timeout=60, trust_env=False)
        self._session: Session | None = None
        self._home = 0  # who has the session

    @property
    def replica(self) -> int:
        """Who answered last, as the cookie says; 0 before the first answer."""
        return int(self._client.cookies.get(COOKIE, 0))

    async def visit(self, seconds: float) -> None:
        """Arrive, change something now and then, leave."""
        until = self._diary.now() + seconds
        try:
            try:
                await self._arrive()
            except Broken:
                await self._come_back()
            while self._diary.now() < until:
                try:
                    await self._use(until)
                except Broken:
                    await self._come_back()
        except (Broken, OSError, TimeoutError, httpx2.HTTPError) as error:
            self._diary.tell("lost", self.replica, what=f"{type(error).__name__}: {error}")
        finally:
            if self._session:
                await self._session.close()
            await self._client.aclose()

    async def _arrive(self) -> None:
        began = self._diary.now()
        answer = await self._client.get(f"/{self._place.page}")
        answer.raise_for_status()
        self._session = Session(self._url, await self._ask())
        self._home = self.replica
        await asyncio.wait_for(self._session.open(self._place.page), PATIENCE)
        self._diary.tell("arrival", self.replica, self._diary.now() - began)
        await self._check()

    async def _use(self, until: float) -> None:
        """Change something after a while, or notice before that the connection is gone."""
        pause = min(self._random.uniform(THINK / 2, THINK * 3 / 2), max(0.0, until - self._diary.now()))
        try:
            await asyncio.wait_for(self._session.until_broken(), pause)
        except TimeoutError:
            if self._diary.now() < until:
                await self._edit()
        else:
            raise Broken("the connection ended")

    async def _edit(self) -> None:
        began = self._diary.now()
        key, make = self._random.choice([each for each in self._place.changes if each[0] in self._session.tab.controls])
        await self._session.edit(key, make(self._random))
        self._diary.tell("edit", self.replica, self._diary.now() - began)
        self._tell_errors()

    async def _come_back(self) -> None:
        """Ask for the server's health until it answers, then connect, as the page does by itself."""
        gone, began = self._home, self._diary.now()
        self._diary.tell("broken", gone)
        while True:
            await asyncio.sleep(self._random.uniform(0.25, 0.5))
            try:
                await asyncio.wait_for(self._session.come_back(await self._ask()), PATIENCE)
                break
            except (Broken, httpx2.HTTPError) as error:
                if self._diary.now() - began > PATIENCE:
                    raise Broken(f"not back: {error}") from error
        self._home = self.replica
        self._diary.tell("back", gone, self._diary.now() - began)
        try:
            await self._check()
        except Broken:
            await self._come_back()

    async def _ask(self) -> dict[str, str]:
        """The page's two questions before it connects, and the cookies that it has then."""
        for path in ("/_stcore/health", "/_stcore/host-config"):
            (await self._client.get(path)).raise_for_status()
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self._client.cookies.items())}

    async def _check(self) -> None:
        """A file goes to the server that has the session, and to no other. Raises Broken if that one is gone."""
        self._tell_errors()
        answer = await self._client.put(
            await asyncio.wait_for(self._session.room_for_a_file(), PATIENCE),
            files={"file": ("a.txt", b"a text", "text/plain")},
            headers={"X-Xsrftoken": self._client.cookies.get(_XSRF, "")},
        )
        if answer.status_code == 204:
            return
        try:
            await asyncio.wait_for(self._session.until_broken(), _MOMENT)
        except TimeoutError:
            self._diary.tell("refused", self.replica, what=f"{answer.status_code} {answer.text[:80]}")
        else:
            raise Broken("its server went as the file was sent")

    def _tell_errors(self) -> None:
        for message in self._session.tab.failed:
            self._diary.tell("error", self.replica, what=message)
        self._session.tab.failed.clear()
