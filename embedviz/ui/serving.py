"""What a server needs from the app around the pages: its log, its counts, what is open, what must be ended."""

from embedviz import __version__, log, maps, metrics
from embedviz.runs import runs
from embedviz.settings import configured
from embedviz.ui import inside, turns

is_known = inside.is_known
OPEN = (turns.n_open, lambda: runs.count()[0], lambda: maps.jobs.count()[0])
AT_END = (runs.close, maps.jobs.close)


def set_up() -> None:
    """Before the server starts: hand over settings, begin the log, name what is measured."""
    inside.take_settings()
    inside.log_as_we_do()
    inside.run_one_at_a_time()
    metrics.open_runs.set_function(turns.n_open)
    metrics.queue.labels("training").set_function(lambda: sum(runs.count()))
    metrics.queue.labels("projection").set_function(lambda: sum(maps.jobs.count()))
    settings = {name: str(value) for name, value in configured().model_dump().items()}
    log.event("starts", version=__version__, settings=settings)
