"""Letters typed, as a visitor sees them: from a key to the last picture in the window, and what that costs the server.

Run with the project's Python: `python benchmarks/letters.py --before ../an/older/checkout`. Without an older checkout
the rows that compare with it are left out. The two take turns in rounds on one machine.

A change of a figure counts as drawn in the first task after the frame that painted it. Our components draw into shadow
roots, so these are watched too. An edit is over when no figure in the window has changed for QUIET ms. The page's main
thread is measured by Chromium itself (CDP, Performance.getMetrics): script, styles and layout.

A server is held to half a core by stopping its process for every other 20 ms.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep

import browser
import drags
import edits
import figures
import load
import process
import results
from playwright.sync_api import Browser, CDPSession, Locator, Page, sync_playwright
from report import Row, as_table, is_passed
from server import App, Server, apps
from session import Session

ROUNDS = 2
LETTERS = " under the old tree"  # each letter is an edit of its own
BURST = " by a river"[:10]
BURSTS = 4  # in a round
CHANGES = 7  # on each other page
# Whose change in edits.py shows in a figure that is in the window.
OTHERS = ("Lookup", "Batches", "Relative, 60 tokens", "Attention, 60 tokens")
APART = 0.08  # seconds between the letters of a burst
QUIET = 400  # ms
TIMEOUT = 60_000  # ms
SLOWER = 4  # a phone beside this machine
TURNS = 4  # of edits that are sent to the server alone, whose clock counts hundredths of a second
ARRIVALS = 60  # first runs in a round
CROWD, TYPING = 300, 60.0  # visitors who type, and seconds for which they do

STOPWATCH = """
(() => {
  const watch = { keys: [], changed: 0, drawn: 0, pictures: [] }
  window.stopwatch = watch
  watch.start = () => Object.assign(watch, { keys: [], changed: 0, drawn: 0, pictures: [] })
  watch.isOver = (quiet) => watch.drawn > watch.keys.at(-1) && performance.now() - watch.changed > quiet
  for (const name of ["keydown", "input"]) addEventListener(name, ({ timeStamp }) => watch.keys.push(timeStamp), true)
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => watch.pictures.push((watch.drawn = performance.now()))
  const touched = new Set()
  const inWindow = (node) => {
    const { top, height } = node.getBoundingClientRect()
    return height > 0 && top < innerHeight
  }
  // Looked at once a frame, since to look makes the browser lay the page out.
  const look = () => {
    if ([...touched].some(inWindow)) port2.postMessage((watch.changed = performance.now()))
    touched.clear()
  }
  const touch = (figure) => {
    if (!figure) return
    if (!touched.size) requestAnimationFrame(look)
    touched.add(figure)
  }
  const how = { subtree: true, childList: true, attributes: true, characterData: true }
  const element = (node) => (node instanceof Element ? node : node.parentElement)
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      touch(element(target)?.closest(".js-plotly-plot"))
      for (const node of addedNodes) if (node instanceof Element) touch(node.querySelector(".js-plotly-plot"))
    }
  }).observe(document, how)
  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (init) {
    const root = attach.call(this, init)
    new MutationObserver(() => touch(this)).observe(root, how)
    return root
  }
})()
"""


@dataclass
class Typed:
    """Of one app: seconds from key to last picture, and of the page's main thread; one number for each letter.

    script, layout: seconds of the main thread in JavaScript, and in styles and layout. between: pictures that were
    drawn while ten letters came. last: seconds from the last of them to its picture.
    """

    waits: list[float] = field(default_factory=list)
    slow_waits: list[float] = field(default_factory=list)
    script: list[float] = field(default_factory=list)
    layout: list[float] = field(default_factory=list)
    between: list[int] = field(default_factory=list)
    last: list[float] = field(default_factory=list)


def measure(browser: Browser, apps: list[App], path: str = "") -> list[Typed]:
    """A round here, a round there; each with a new server and a new page."""
    found = [Typed() for _ in apps]
    for _ in range(ROUNDS):
        for app, typed in zip(apps, found, strict=True):
            with Server(app) as server:
                _round(browser, server.wait_until_healthy(), path, typed)
    return found


def _round(browser: Browser, server: Server, path: str, typed: Typed) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, bypass_csp=True)
    context.add_init_script(STOPWATCH)
    page = context.new_page()
    page.goto(f"{server.url}/{path}")
    field_a = page.get_by_role("textbox", name="Sentence").first
    field_a.click(timeout=TIMEOUT)
    page.wait_for_function("performance.now() - stopwatch.changed > 2000 && stopwatch.drawn", polling=200)
    page.keyboard.press("End")
    devtools = context.new_cdp_session(page)
    devtools.send("Performance.enable")
    for letter in "s is":
        _letter(page, letter, server.app)
    for letter in LETTERS:
        before = _thread(devtools)
        typed.waits.append(_letter(page, letter, server.app))
        after = _thread(devtools)
        typed.script.append(after[0] - before[0])
        typed.layout.append(after[1] - before[1])
    if not server.app.needs_enter:
        for _ in range(BURSTS):
            between, last = _burst(page)
            typed.between.append(between)
            typed.last.append(last)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    typed.slow_waits += [_letter(page, letter, server.app) for letter in LETTERS]
    context.close()


def _letter(page: Page, letter: str, app: App) -> float:
    page.evaluate("stopwatch.start()")
    page.keyboard.press(letter)
    if app.needs_enter:
        page.keyboard.press("Enter")
    _wait(page)
    return page.evaluate("stopwatch.drawn - stopwatch.keys.at(-1)") / 1000


def _burst(page: Page) -> tuple[int, float]:
    page.evaluate("stopwatch.start()")
    for letter in BURST:
        page.keyboard.press(letter)
        sleep(APART)
    _wait(page)
    return page.evaluate(
        "[stopwatch.pictures.filter((at) => at < stopwatch.keys.at(-1)).length,"
        " (stopwatch.drawn - stopwatch.keys.at(-1)) / 1000]"
    )


def _wait(page: Page) -> None:
    page.wait_for_function("quiet => stopwatch.isOver(quiet)", arg=QUIET, polling=100, timeout=TIMEOUT)


def _thread(devtools: CDPSession) -> tuple[float, float]:
    metrics = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    return metrics["ScriptDuration"], metrics["LayoutDuration"] + metrics["RecalcStyleDuration"]


def _rows(ours: App, before: App | None, bare: App) -> Iterator[Row]:
    """One after the other, as they are measured."""
    known = [ours, *([before] if before else [])]
    with sync_playwright() as playwright:
        chromium = browser.launch(playwright)
        our, *theirs, its = measure(chromium, [*known, bare])
        yield from [*_letter_rows(our, theirs[0] if theirs else None, its), *_burst_rows(our)]
        changed = [measure_pages(chromium, app) for app in known]
        chromium.close()
        for name in changed[0]:
            yield _beside(f"a change on {name}: key to drawn", [each[name] for each in changed], 0.6)
        dragged = [drags.measure(playwright, app) for app in known]
        for name in dragged[0]:
            yield _beside(f"a drag over {name}: frames", [each[name].frames for each in dragged], unit="a second")
            yield _beside(f"a drag over {name}: work of the page for a frame", [each[name].work for each in dragged])
    yield from _server_rows(known, bare)
    yield from _crowd_rows([_crowd(app) for app in known])


def _beside(
    what: str, values: list[float], limit: float | None = None, unit: str = "s", *, decides: bool = True
) -> Row:
    """Ours, beside the older one's if there is one."""
    ours, *before = values
    return Row(what, ours, before[0] if before else None, limit if before else None, unit, decides)


def _letter_rows(our: Typed, old: Typed | None, its: Typed) -> list[Row]:
    both = [our, *([old] if old else [])]
    threads = [statistics.mean(each.script) + statistics.mean(each.layout) for each in both]
    return [
        _beside("a letter: key to last figure drawn", [statistics.median(each.waits) for each in both], 0.45),
        _beside(
            f"a letter: the same, browser slowed {SLOWER} times",
            [statistics.median(each.slow_waits) for each in both],
            0.5,
        ),
        _beside("a letter: main thread of the page (script, styles, layout)", threads, 0.5),
        Row(
            "a letter: key to drawn; floor: the bare floor", statistics.median(our.waits), statistics.median(its.waits)
        ),
    ]


def _burst_rows(our: Typed) -> list[Row]:
    single = statistics.median(our.waits)
    last = statistics.median(our.last)
    return [
        Row(
            f"{len(BURST)} letters {APART * 1000:.0f} ms apart: pictures in between",
            statistics.median(our.between),
            unit="",
        ),
        Row("their last key to its picture; floor: a letter alone", last, single, 1.2),
    ]


def _server_rows(known: list[App], bare: App) -> list[Row]:
    with _running([*known, bare]) as servers:
        found = [
            asyncio.run(edits.measure_edits([(server, edits.COMPARE) for server in servers])) for _ in range(TURNS)
        ]
        processor = [
            statistics.mean(seconds for each in app for seconds in each.processor) for app in zip(*found, strict=True)
        ]
        arrivals = asyncio.run(_arrivals(servers[: len(known)]))
    return [
        Row("an edit, processor time of the server; floor: the bare floor", processor[0], processor[-1], 1.5),
        _beside("an edit, processor time of the server", processor[:-1]),
        _beside("a first run, processor time of the server", arrivals, 0.6, decides=False),
    ]


@contextmanager
def _running(known: list[App]) -> Iterator[list[Server]]:
    if not known:
        yield []
        return
    with Server(known[0]) as server, _running(known[1:]) as others:
        yield [server.wait_until_healthy(), *others]


async def _arrivals(servers: list[Server]) -> list[float]:
    """Processor time of each server for a visitor who opens the first page."""
    taken: list[list[float]] = [[] for _ in servers]
    for _ in range(ROUNDS + 1):
        for server, seconds in zip(servers, taken, strict=True):
            before = server.processor_seconds()
            for _ in range(ARRIVALS):
                session = await Session(server.url).open()
                await session.close()
            seconds.append((server.processor_seconds() - before) / ARRIVALS)
    return [statistics.median(seconds[1:]) for seconds in taken]  # the first round fills what servers keep


# Other pages -----------------------------------------------------------------------------------------


def measure_pages(chromium: Browser, app: App) -> dict[str, float]:
    """Key to drawn on other pages, the median of several changes."""
    found = {}
    with Server(app) as server:
        server.wait_until_healthy()
        for name in OTHERS:
            place = edits.OTHERS[name]
            context = chromium.new_context(viewport={"width": 1280, "height": 720}, bypass_csp=True)
            context.add_init_script(STOPWATCH)
            page = context.new_page()
            query = "&".join(f"{key}={value}" for key, value in place.query.items())
            page.goto(f"{server.url}/{place.page}?{query}")
            control = page.locator(f".st-key-{place.key}").locator("input, textarea").first
            control.click(timeout=TIMEOUT)
            page.wait_for_function("performance.now() - stopwatch.changed > 2000 && stopwatch.drawn", polling=200)
            values = place.values()
            waits = [_change(page, control, str(next(values))) for _ in range(2 + CHANGES)]
            found[name] = statistics.median(waits[2:])
            context.close()
    return found


def _change(page: Page, control: Locator, value: str) -> float:
    """Write another value, and press the key that sends it where the field does not send by itself."""
    page.evaluate("stopwatch.start()")
    control.fill(value)
    kind = control.evaluate("control => control.type")
    if kind != "text":
        control.press("Control+Enter" if kind == "textarea" else "Enter")
    _wait(page)
    return page.evaluate("stopwatch.drawn - stopwatch.keys[0]") / 1000


# A crowd ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crowd:
    """Seconds: of the server's processor for a typed sentence, from its last letter to its end, and of arrivals."""

    processor: float
    sentences: list[float]
    arrivals: list[float]


def _crowd(app: App) -> Crowd:
    with Server(app) as server:
        server.wait_until_healthy()
        sleep(5)  # it makes ready the map of the whole vocabulary, after its first page
        with process.held([server.pid], 1 / 2):
            arrivals = load.crowd(server, "--visitors", CROWD, "--over", 10, "--until", 40, "--only-arrive")
            until = 30 + TYPING
            typed = load.crowd(server, "--visitors", CROWD, "--over", 30, "--until", until, "--typing", "Compare")
    for each in (arrivals, typed):
        if errors := each.of("error"):
            raise RuntimeError(f"{len(errors)} errors, the first: {errors[0]}")
    sentences = typed.seconds("sentence", since=30)
    processor = figures.processor(typed.samples, 30)
    return Crowd(processor.server / len(sentences), sentences, arrivals.seconds("arrival"))


def _crowd_rows(crowds: list[Crowd]) -> list[Row]:
    who = f"{CROWD} visitors on half a core"
    return [
        _beside(f"{who}: processor time of a typed sentence", [each.processor for each in crowds], 1.0),
        _beside(
            f"{who}: last letter to its run's end, 95th percentile",
            [figures.percentile(each.sentences, 95) for each in crowds],
            0.5,
        ),
        _beside(
            f"{who}: arriving within 10 s, 95th percentile",
            [figures.percentile(each.arrivals, 95) for each in crowds],
            0.5,
            decides=False,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=Path, help="an older checkout of this project")
    before = parser.parse_args().before
    if not before:
        print("There is no older checkout to compare with; --before names one.", file=sys.stderr)
    with tempfile.TemporaryDirectory() as temporary:
        _floor, ours, bare = apps(Path(temporary))
        older = App("before", before.resolve() / "app.py", before.resolve(), needs_enter=False) if before else None
        rows = []
        for row in _rows(ours, older, bare):
            rows.append(row)
            print(row.what, row.ours, row.floor, file=sys.stderr, flush=True)
    print(as_table(rows))
    results.write("letters", rows)
    return 0 if is_passed(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
