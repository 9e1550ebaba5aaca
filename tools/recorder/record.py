"""Visits every address of a tree's app and keeps what it shows."""

import hashlib
import io
import json
import re
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from posixpath import dirname, normpath
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import numpy as np
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus

from tests.session import Session, visiting
from tools.recorder import operators, settings, shown
from tools.recorder.addresses import NARROW, PLAIN, VISITS, Visit
from tools.recorder.callers import called
from tools.recorder.hub import hub
from tools.recorder.server import Server, running, uvicorn
from tools.recorder.visitor import carry_out, url_of

_TEXTS = (".ipynb", ".csv", ".tsv", ".py", ".txt")
_CHANGING = {"date", "content-length", "etag", "last-modified", "set-cookie", "server"}  # headers


def record(root: Path, wanted: str = "") -> dict:
    """Everything of the tree at `root`; wanted: only the visits whose name has this pattern."""
    with hub() as endpoint, running(root, {"HF_ENDPOINT": endpoint}) as server:
        found = {
            "plain": {address: _answer(server, address) for address in PLAIN},
            "visits": _visits(server, VISITS, wanted),
            "operators": operators.measured(server),
        }
        found["scripts"] = _scripts(server, found["visits"])
    found["narrow"], narrow = _narrow(root, wanted)
    found["operators"] |= operators.read(root, [*server.log, *narrow.log])
    found["callers"] = called(root)
    return found


def _narrow(root: Path, wanted: str) -> tuple[dict, Server]:
    """The same on a server with other settings, in another language, at last with as many visitors as it takes."""
    with TemporaryDirectory() as folder:
        variables = settings.other_settings(root, Path(folder)) | {"HF_HUB_OFFLINE": "1"}
        with running(root, variables, uvicorn) as server:
            found = {"visits": _visits(server, NARROW, wanted), "texts": settings.texts(root)}
            found["too long"] = _answer(server, "/?a=" + "a" * 5000)
            found["full"] = _full(server)
    return found, server


def _full(server: Server) -> dict:
    """What the next visitor gets, and what a connection is refused with."""
    with ExitStack() as stack:
        for _n in range(settings.SESSIONS):
            stack.enter_context(visiting(server.port)).run()
        answer = _answer(server, "/lookup?ids=1")
        try:
            stack.enter_context(visiting(server.port))
        except InvalidStatus as error:
            refused = [error.response.status_code, (error.response.body or b"").decode()]
        else:
            refused = []
    return {"page": answer, "connection": refused}


def _visits(server: Server, visits: Iterable[Visit], wanted: str) -> dict:
    found = {}
    for visit in visits:
        if re.search(wanted, visit.name):
            began = time.monotonic()
            found[visit.name] = _visited(server, visit)
            print(f"{time.monotonic() - began:6.2f} s  {visit.name}", file=sys.stderr)
    return found


def _scripts(server: Server, visits: dict) -> dict[str, str]:
    """The text of each script and style of ours that the pages load, by its name."""
    _status, _headers, page = _get(server, "/")
    folder = re.search(r'"(assets/\w+/[0-9a-f]{12})/', page.decode())
    if not folder:
        return {}
    wanted = set(re.findall(r'"assets/\w+/[^/"]+/([^"]+)"', json.dumps(_bodies(visits)).replace('\\"', '"')))
    wanted |= {f"{name}.js" for name in _loaded(visits)}
    found: dict[str, str] = {}
    while missing := sorted(wanted - found.keys()):
        for name in missing:
            _status, _headers, body = _get(server, f"/{folder[1]}/{name}")
            found[name] = body.decode("utf-8", "replace")
            imported = re.findall(r"""from ["'](\.[^"']+)["']""", found[name])
            wanted |= {normpath(f"{dirname(name)}/{other}".lstrip("/")) for other in imported}
    return found


def _bodies(visits: dict) -> list[str]:
    return [visit["http"]["body"] for visit in visits.values()]


def _loaded(visits: dict) -> set[str]:
    """The modules of the components that were on a page."""
    elements = [each for visit in visits.values() for run in visit["runs"] for each in run["tree"].values()]
    scripts = {each["bidi_component"].get("js_content", "") for each in elements if each["type"] == "bidi_component"}
    return {name for script in scripts for name in re.findall(r'load\("([\w/]+)"\)', script)}


def _visited(server: Server, visit: Visit) -> dict:
    query = urlencode(visit.query, doseq=True)
    found: dict = {"http": _answer(server, f"/{visit.page}" + (f"?{query}" if query else "")), "runs": []}
    try:
        with visiting(server.port) as session:
            messages = session.run(query, visit.page)
            found["runs"].append(_run(session, messages))
            for edit in visit.then:
                messages = carry_out(session, edit)
                found["runs"].append(_run(session, messages) if edit.is_kept else {"said": [], "tree": {}})
            found["files"] = _files(server, session, messages) if visit.files else {}
    except Exception as error:  # noqa: BLE001 a view that cannot be recorded is a finding like any other
        found["failed"] = f"{type(error).__name__}: {error}"
        print(f"{visit.name}: {found['failed']}", file=sys.stderr)
    return found


def _run(session: Session, messages: list[ForwardMsg]) -> dict:
    return {
        "reruns": session.n_early,
        "said": shown.said(messages),
        "tree": shown.tree([session.screen.navigation, *session.screen.messages]),
    }


def _answer(server: Server, address: str) -> dict:
    """What a browser gets that asks for an address: a page's head tells what it will load."""
    status, headers, body = _get(server, address)
    text = shown.normalised(body.decode("utf-8", "replace"))
    names = {name.lower(): value for name, value in headers.items() if name.lower() not in _CHANGING}
    return {
        "status": status,
        "headers": {name: shown.normalised(names[name]) for name in sorted(names)},
        "title": re.findall(r"<title>(.*?)</title>", text, re.DOTALL),
        "lang": re.findall(r'<html[^>]*\blang="([^"]*)"', text),
        "assets": sorted(re.findall(r'(?:src|href)="[^"]*?([^"/]+)"', text)),
        "body": text if "text" in headers.get("content-type", "") else hashlib.sha256(body).hexdigest(),
    }


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: object) -> None:
        """Where an answer leads is part of the answer."""


_opener = urllib.request.build_opener(_Stay, urllib.request.ProxyHandler({}))


def _get(server: Server, address: str) -> tuple[int, dict[str, str], bytes]:
    try:
        with _opener.open(server.address + address, timeout=60) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as answer:
        return answer.code, dict(answer.headers), answer.read()


def _files(server: Server, session: Session, messages: list[ForwardMsg]) -> dict[str, object]:
    """What each download button of a page gives, by its label."""
    found: dict[str, object] = {}
    for message in messages:
        element = message.delta.new_element if message.WhichOneof("type") == "delta" else None
        if element and element.WhichOneof("type") == "download_button":
            button = element.download_button
            url = url_of(session, button.deferred_file_id) if button.deferred_file_id else button.url
            status, headers, body = _get(server, url)
            about = headers.get("content-disposition", "")
            found[button.label] = {"status": status, "about": about, "content": content(about.strip('"; '), body)}
    return found


def content(name: str, data: bytes) -> object:
    """A file's text if it is one, its arrays if it has some, else its digest."""
    if name.endswith(_TEXTS):
        text = data.decode("utf-8", "replace")
        return json.loads(text) if name.endswith(".ipynb") else text
    if name.endswith(".npz"):
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return {key: _plain(arrays[key]) for key in arrays.files}
    return hashlib.sha256(data).hexdigest()


def _plain(array: np.ndarray) -> object:
    return array if np.issubdtype(array.dtype, np.number) else array.tolist()
