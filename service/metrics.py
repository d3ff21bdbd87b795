"""`/metrics`: what is due, what was played, what failed and how long requests take, for Prometheus.

What concerns the whole arena is read from the database at each look, so that it is the same
whichever API process is asked; requests are counted by the process that answers them, or by all of
one gunicorn together where it has several (service/gunicorn_conf.py).
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Iterator

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from maumau.errors import Unavailable
from maumau.settings import Settings
from maumau.storage import Database
from maumau.usecases import workload
from maumau.usecases.clock import Clock

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PATH = "/metrics"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
UNKNOWN = "none"
"""The route of a request that no route took: addresses are the asker's choice, and without end."""


class Metrics:
    """The measurements of one app."""

    def __init__(self, db: Database, clock: Clock, depth: Callable[[], int | None]):
        """`depth` gives the number of jobs that wait in the queue, or None where it is away."""
        self._registry = CollectorRegistry()
        self._clock = clock
        self.requests = Counter(
            "maumau_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self.seconds = Histogram(
            "maumau_request_seconds",
            "How long answers took, in seconds.",
            ("method", "route"),
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._whole = _Whole(db, clock, depth)

    def exposition(self) -> bytes:
        """Give everything in Prometheus' text format."""
        registry = self._registry
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        whole = CollectorRegistry()
        whole.register(self._whole)
        return generate_latest(registry) + generate_latest(whole)

    def count(self, response: Response) -> Response:
        """Count a request that is being answered."""
        known = request.url_rule is not None
        method = request.method if known else UNKNOWN
        route = request.url_rule.rule if request.url_rule is not None else UNKNOWN
        self.requests.labels(method, route, str(response.status_code)).inc()
        began = g.get("began_at")
        if began is not None and not response.is_streamed:
            taken = (self._clock() - began).total_seconds()
            self.seconds.labels(method, route).observe(max(0.0, taken))
        return response


class _Whole(Collector):
    """What is true of the whole arena, as the database has it now."""

    def __init__(self, db: Database, clock: Clock, depth: Callable[[], int | None]):
        self._db, self._clock, self._depth = db, clock, depth

    def collect(self) -> Iterator[Metric]:
        try:
            now = workload.workload(self._db, self._clock)
        except Unavailable:
            now = None
        yield _gauge("maumau_database_up", "1 if the database answers.", now is not None)
        depth = self._depth()
        if depth is not None:
            yield _gauge("maumau_queue_jobs", "Jobs that wait in the queue.", depth)
        if now is None:
            return
        yield _gauge("maumau_workers_alive", "Workers that have shown signs of life.", now.workers)
        yield _labelled(
            GaugeMetricFamily(
                "maumau_chunks", "Chunks of tournaments that have not ended.", labels=["state"]
            ),
            now.chunks,
        )
        yield _labelled(
            GaugeMetricFamily("maumau_tournaments", "Tournaments.", labels=["state"]),
            now.tournaments,
        )
        yield _gauge("maumau_checks_due", "Bot versions that wait for their check.", now.checks_due)
        yield CounterMetricFamily(
            "maumau_blocks_played", "Blocks whose results are kept.", value=now.blocks_played
        )
        yield CounterMetricFamily(
            "maumau_games_played", "Games whose results are kept.", value=now.games_played
        )
        yield _labelled(
            CounterMetricFamily("maumau_faults", "Faults, by kind.", labels=["kind"]), now.faults
        )


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=float(value))


def _labelled(
    family: GaugeMetricFamily | CounterMetricFamily, values: dict[str, int]
) -> GaugeMetricFamily | CounterMetricFamily:
    for label, value in sorted(values.items()):
        family.add_metric([label], value)
    return family


def opens(settings: Settings, token: str) -> bool:
    """Say whether this is the token that opens the metrics and nothing else."""
    wanted = settings.metrics_token
    if wanted is None or request.method not in ("GET", "HEAD"):
        return False
    rule = request.url_rule.rule if request.url_rule is not None else ""
    return rule.endswith(PATH) and hmac.compare_digest(token.encode(), wanted.encode())


def register(app: Flask, metrics: Metrics) -> None:
    """Count the requests of `app`."""
    app.after_request(metrics.count)
