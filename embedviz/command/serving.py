"""The app on this machine for whoever has asked for it by the command."""

import os
import socket
import threading
import webbrowser
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import urlencode

import click
import uvicorn

from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import PREFIX, configured
from embedviz.command.saved import of_the_project

_HOST = "127.0.0.1"  # nobody else can reach it


def serve(query: Mapping[str, str], port: int, *, opens: bool) -> None:
    """Serve until Ctrl+C, and open the browser at an address with this query. Raises EmbedvizError for a taken port."""
    taken = _listen(port)
    address = f"http://localhost:{taken.getsockname()[1]}/" + (f"?{urlencode(query)}" if query else "")
    of_the_project("pages")
    os.environ.setdefault(f"{PREFIX}LOG_LEVEL", "WARNING")  # other lines are for who hosts the app
    configured.cache_clear()
    app = of_the_project("app").app
    server = _Server(
        uvicorn.Config(app, access_log=False, ws_per_message_deflate=False, log_config=None), address, opens
    )
    with suppress(KeyboardInterrupt):  # uvicorn says so once all is ended
        server.run(sockets=[taken])


class _Server(uvicorn.Server):
    """Says where it is, and opens the browser, as soon as it answers."""

    def __init__(self, config: uvicorn.Config, address: str, opens: bool) -> None:
        super().__init__(config)
        self._address, self._opens = address, opens

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        click.echo(f"embedviz is at {self._address}\nCtrl+C ends it.")
        if self._opens:  # some browsers answer only when they are closed
            threading.Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()


def _listen(port: int) -> socket.socket:
    taken = socket.socket()
    if os.name == "posix":  # on Windows it would let two programs have one port
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((_HOST, port))
    except OSError as error:
        taken.close()
        raise EmbedvizError("The port {port} cannot be used: {why}.", port=str(port), why=error.strerror) from error
    return taken
