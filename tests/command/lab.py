"""A cell with `ev.show` in a real JupyterLab, as its reader has it: run, drawn, moved, saved, and opened again.

Then the notebook is made an HTML file, which is opened from the disk, without a network.

    python -m tests.command.lab [--lab jupyter-lab] [--picture docs/notebook.png]

--lab: the command that starts JupyterLab, which may be of another environment; the cells run in this one.
--picture: where a picture of the notebook goes.
"""

import argparse
import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from playwright.sync_api import Browser, Page, expect, sync_playwright

from embedviz.base.settings import ROOT
from tests.browser import chromium, server
from tests.browser.conftest import watch

NAME = "order.ipynb"
WORDS = "# Where does word order enter?\nMove the slider to add the positions."
CODE = 'import embedviz as ev\n\nev.show("dog bites man", "man bites dog", height=520)'
KERNEL = {"name": "embedviz", "display_name": "embedviz", "language": "python"}
TOKEN = secrets.token_hex()  # nobody else on this machine may run cells
MOST = 300_000  # bytes of the saved file
HANGS = 240  # seconds for an attempt, which takes 20 where nothing hangs
ATTEMPTS = 3
HUNG = 2  # the exit code if each of them hung


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lab", default=str(Path(sys.executable).with_name("jupyter-lab")))
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.once:
        attempt(given.lab, given.picture)
    else:
        sys.exit(next((code for code in map(try_once, range(1, ATTEMPTS + 1)) if code is not None), HUNG))


def try_once(number: int) -> int | None:
    """The exit code of this program in a process of its own; None if JupyterLab or the browser has hung.

    On a busy machine JupyterLab once showed no more than its frame, and once never heard that its kernel had started.
    Whoever sees that starts it again. What is wrong with the cell itself is found in each attempt.
    """
    command = [sys.executable, "-m", "tests.command.lab", "--once", *sys.argv[1:]]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        return process.wait(HANGS)
    except subprocess.TimeoutExpired:
        print(f"Attempt {number} of {ATTEMPTS} had not ended after {HANGS} seconds.", flush=True)
        return None
    finally:
        with contextlib.suppress(ProcessLookupError):  # all of them have ended
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def attempt(lab: str, picture: Path | None) -> None:
    complaints: list[str] = []
    with tempfile.TemporaryDirectory(prefix="embedviz-") as name, sync_playwright() as playwright:
        folder = Path(name)
        write(folder)
        with running(lab, folder) as address:
            browser = chromium.launch(playwright, chromium.installed())
            page = chromium.window(browser, viewport={"width": 1100, "height": 820}).new_page()
            end = watch(page, address, complaints)
            say("The notebook is opened, and its cells run.")
            run_and_move(page, address)
            if picture:
                page.screenshot(path=picture)
            say("The notebook is saved, and opened again.")
            save(page, folder / NAME)
            open_notebook(page, address)
            expect(page.frame_locator("iframe[title=embedviz]").get_by_role("heading", name="3 of 3")).to_be_visible()
            end()
        say("The notebook is made an HTML file, which is opened.")
        open_exported(browser, export(lab, folder / NAME))
        browser.close()
    outside = [each for each in complaints if each.startswith("http")]
    assert outside == [], outside
    say("The cell is drawn in JupyterLab, moves, is saved, and is there when the notebook or its HTML is opened.")


def say(step: str) -> None:
    """Tell at once what comes now, so that a log shows where an attempt hung."""
    print(step, flush=True)


def write(folder: Path) -> None:
    """The notebook, and the kernel that runs it with this Python."""
    cells = [new_markdown_cell(WORDS), new_code_cell(CODE)]
    notebook = new_notebook(cells=cells, metadata={"kernelspec": {**KERNEL}})
    nbformat.write(notebook, folder / NAME)
    place = folder / ".jupyter/kernels/embedviz"
    place.mkdir(parents=True)
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel = {**KERNEL, "argv": command, "env": {"PYTHONPATH": str(ROOT)}}
    (place / "kernel.json").write_text(json.dumps(kernel), "utf-8")
    quiet = folder / ".jupyter/lab/user-settings/@jupyterlab/apputils-extension"
    quiet.mkdir(parents=True)
    (quiet / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}', "utf-8")


@contextlib.contextmanager
def running(lab: str, folder: Path) -> Iterator[str]:
    """JupyterLab on a free port, with the folder as its own."""
    port = server.free_port()
    command = [lab, "--no-browser", "--allow-root", f"--port={port}"]
    own = {each: str(folder / ".jupyter") for each in ("JUPYTER_PATH", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
    variables = os.environ | own | {"JUPYTER_RUNTIME_DIR": str(folder / ".run"), "JUPYTER_TOKEN": TOKEN}
    process = subprocess.Popen(command, cwd=folder, env=variables, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + server.PATIENCE
        while not is_there(port):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(server.PATIENCE)


def is_there(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=server.PATIENCE)
    try:
        connection.request("GET", "/api")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def run_and_move(page: Page, address: str) -> None:
    """Run all cells, and move what they show."""
    open_notebook(page, address)
    # Before the kernel has come, the command would run nothing, and say nothing.
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for(state="attached")
    choose(page, "Run", "runmenu:run-all")
    move(page)
    expect(page.locator('[data-mime-type="application/vnd.jupyter.stderr"]')).to_have_count(0)


def open_notebook(page: Page, address: str) -> None:
    page.goto(f"{address}/doc/tree/{NAME}?token={TOKEN}")
    page.get_by_role("paragraph").filter(has_text="Move the slider").wait_for(state="attached")


def move(page: Page) -> None:
    """Add the positions by the slider in the cell."""
    cell = page.frame_locator("iframe[title=embedviz]")
    expect(cell.get_by_role("heading", name="3 of 3")).to_be_visible()
    cell.get_by_role("slider", name="Share of the positions").fill("100")
    expect(cell.get_by_role("heading", name="2 of 3")).to_be_visible()


def choose(page: Page, menu: str, command: str) -> None:
    """Choose a command in JupyterLab's menu."""
    page.get_by_role("menubar").get_by_text(menu, exact=True).click()
    page.locator(f'li[data-command="{command}"]').click()


def save(page: Page, path: Path) -> None:
    """Save the notebook, which then holds the page, and wait until the server has said that it is saved."""
    with page.expect_response(lambda answer: answer.request.method == "PUT" and f"/contents/{NAME}" in answer.url):
        choose(page, "File", "docmanager:save")
    assert "<iframe" in path.read_text("utf-8")
    assert path.stat().st_size < MOST


def export(lab: str, notebook: Path) -> Path:
    """The saved notebook as an HTML file, made by the program that comes with JupyterLab."""
    command = [Path(lab).with_name("jupyter-nbconvert"), "--to", "html", notebook]
    subprocess.run(command, cwd=notebook.parent, stderr=subprocess.DEVNULL, check=True)
    return notebook.with_suffix(".html")


def open_exported(browser: Browser, path: Path) -> None:
    """Open the file where no site can be reached: the cell is drawn and moves, and its page has no fault."""
    errors: list[str] = []
    with contextlib.closing(chromium.window(browser, offline=True)) as window:
        page = window.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path.as_uri())
        move(page)
    assert errors == [], errors


if __name__ == "__main__":
    main()
