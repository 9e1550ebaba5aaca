"""A whole vocabulary, from opening the page to its points on the screen: ours and TensorBoard's projector.

Both show a table of 50,257 rows and 256 dimensions by PCA, in Chromium with WebGL done by the processor, with an
empty browser cache: once from a server that nobody has visited yet, and then from one that has been visited.
TensorBoard gets the table in its quickest form, a file of raw float32 numbers. Points are on the screen in the first
task after the frame in which a call to WebGL has drawn at least that many; the call is seen from outside, in the same
way for both.

Needs TensorBoard: `pip install -r benchmarks/requirements.txt`. Run as a script it prints the seconds as JSON.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import browser
import numpy as np
from playwright.sync_api import Browser, Playwright, sync_playwright
from server import Server, apps, free_port

SHAPE = (50_257, 256)
ROUNDS = 2
TIMEOUT = 180  # seconds
FLAGS = [
    *[flag for flag in browser.FLAGS if flag != "--disable-gpu"],
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
]
_CONFIG = """embeddings {{
  tensor_name: "tokens" tensor_path: "vectors.bytes" tensor_shape: {} tensor_shape: {} metadata_path: "metadata.tsv"
}}
"""
_WATCH = f"""
(() => {{
  const {{ port1, port2 }} = new MessageChannel()
  port1.onmessage = () => (window.pointsShown ??= performance.timeOrigin + performance.now())
  for (const kind of [WebGLRenderingContext, WebGL2RenderingContext]) {{
    const draw = kind.prototype.drawArrays
    kind.prototype.drawArrays = function (mode, first, count) {{
      draw.call(this, mode, first, count)
      if (mode === this.POINTS && count >= {SHAPE[0]}) requestAnimationFrame(() => port2.postMessage(null))
    }}
  }}
}})()
"""


def measure() -> tuple[list[float], list[float]]:
    """Seconds of each round, TensorBoard's and ours. The first round is the first visit that a server has."""
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        _, ours, _ = apps(Path(temporary))
        chromium = launch(playwright)
        with _tensorboard(_table(Path(temporary))) as theirs, Server(ours) as server:
            urls = (f"{theirs}/#projector", f"{server.wait_until_healthy().url}/vocabulary?source=random")
            rounds = [[_visit(chromium, url) for url in urls] for _ in range(1 + ROUNDS)]
        chromium.close()
    its, own = zip(*rounds, strict=True)
    return list(its), list(own)


def launch(playwright: Playwright) -> Browser:
    """Chromium that draws by WebGL without graphics hardware."""
    return playwright.chromium.launch(executable_path=browser.installed(), args=FLAGS)


def _table(temporary: Path) -> Path:
    """A folder with a table as TensorBoard's projector wants it."""
    folder = temporary / "projector"
    folder.mkdir()
    np.random.default_rng(123).standard_normal(SHAPE, np.float32).tofile(folder / "vectors.bytes")
    (folder / "metadata.tsv").write_text("".join(f"token {n}\n" for n in range(SHAPE[0])))
    (folder / "projector_config.pbtxt").write_text(_CONFIG.format(*SHAPE))
    return folder


@contextmanager
def _tensorboard(folder: Path) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(folder), "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(f"http://localhost:{port}", process)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _wait(url: str, process: subprocess.Popen) -> None:
    """Until the projector has found the table."""
    deadline = time.monotonic() + TIMEOUT
    while not _has_runs(url):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError("TensorBoard does not answer: pip install -r benchmarks/requirements.txt")
        time.sleep(0.2)


def _has_runs(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/data/plugin/projector/runs", timeout=5) as answer:
            return bool(json.load(answer))
    except OSError:
        return False


def _visit(chromium: Browser, url: str) -> float:
    """Seconds from asking for the page to the points on the screen."""
    context = chromium.new_context(viewport={"width": 1280, "height": 720})
    context.add_init_script(_WATCH)
    page = context.new_page()
    began = time.time()
    page.goto(url, wait_until="commit")
    deadline = time.monotonic() + TIMEOUT
    while not (shown := [when for frame in page.frames if (when := frame.evaluate("window.pointsShown"))]):
        if time.monotonic() > deadline:
            raise TimeoutError(f"no points at {url}")
        time.sleep(0.1)
    context.close()
    return shown[0] / 1000 - began


if __name__ == "__main__":
    theirs, own = measure()
    ratio = statistics.median(own[1:]) / statistics.median(theirs[1:])
    print(json.dumps({"theirs": theirs, "ours": own, "first": own[0] / theirs[0], "ratio": ratio}))
