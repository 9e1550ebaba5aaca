"""What the server counts and measures, for Prometheus. Nothing in it comes from a visitor.

The names are part of what the server promises: dashboards and alerts are written against them.
"""

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from embedviz.base.pages import PAGES
from embedviz.base.settings import configured

_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
LIMITS = (
    *("sessions", "edits", "message", "address", "origin", "idle", "waiting", "upload"),
    *("training", "layers", "download", "vote"),
)

prometheus_client.disable_created_metrics()  # they double the lines, for times that Prometheus knows itself
REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)

sessions = Gauge("embedviz_sessions", "Visitors that are connected.", registry=REGISTRY)
opened = Counter("embedviz_sessions_opened", "Visitors that came, or came back.", registry=REGISTRY)
rerun = Histogram(
    "embedviz_rerun_seconds", "A page or a part of it, without the wait.", ["page"], registry=REGISTRY, buckets=_SECONDS
)
turn = Histogram("embedviz_turn_wait_seconds", "Its wait for a turn.", registry=REGISTRY, buckets=_SECONDS)
open_runs = Gauge("embedviz_open_reruns", "Pages and parts that run or wait for a turn.", registry=REGISTRY)
table_bytes = Gauge("embedviz_table_bytes", "All weight tables in memory.", registry=REGISTRY)
tables_built = Counter("embedviz_tables_built", "Weight tables that were filled or read.", registry=REGISTRY)
queue = Gauge("embedviz_queue", "Long runs that somebody waits for, with those under way.", ["of"], registry=REGISTRY)
work = Histogram(
    "embedviz_work_seconds", "Long runs, from begin to end.", ["of"], registry=REGISTRY, buckets=(1, 3, 10, 30, 100)
)
votes_opened = Counter("embedviz_votes_opened", "Questions that a hall was asked.", registry=REGISTRY)
votes_counted = Counter("embedviz_votes_counted", "Votes of halls that were counted.", registry=REGISTRY)
refused = Counter("embedviz_refused", "What a limit has refused or slowed down.", ["limit"], registry=REGISTRY)
errors = Counter("embedviz_errors", "Exceptions that a page did not expect.", ["kind"], registry=REGISTRY)

for _limit in LIMITS:
    refused.labels(_limit)  # so that the count is 0 before the first refusal
for _page in PAGES:
    rerun.labels(_page.name)


def serve() -> None:
    """Answer Prometheus on the port of the settings, if there is one."""
    if configured().metrics_port:
        prometheus_client.start_http_server(configured().metrics_port, configured().metrics_host, REGISTRY)
