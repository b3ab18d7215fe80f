"""What the server does, in numbers for Prometheus. Each server process counts for itself, and names itself.

No number tells of a single workspace, and no label holds what a person sent.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from web.workspaces import Workspaces

_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class _Workspaces(Collector):
    """What is counted when it is asked for."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the numbers as they are now."""
        watches, opened = self._workspaces.in_use()
        yield GaugeMetricFamily("patchyard_watches", "Watches and open pages of workspaces now.", watches)
        yield GaugeMetricFamily("patchyard_workspaces_opened", "Workspaces used since the start.", opened)


def register(app: Flask, workspaces: Workspaces) -> CollectorRegistry:
    """Count the requests of `app`, and return the registry of all numbers."""
    registry = CollectorRegistry()
    requests = Counter("patchyard_requests", "Requests answered.", ["endpoint", "method", "code"], registry=registry)
    seconds = Histogram(
        "patchyard_request_seconds",
        "How long an answer took to begin.",
        ["endpoint"],
        buckets=_BUCKETS,
        registry=registry,
    )
    process = Gauge("patchyard_process", "The process that answers.", ["pid"], registry=registry)
    process.labels(str(os.getpid())).set(1)
    registry.register(_Workspaces(workspaces))

    def begin() -> None:
        g.began = time.perf_counter()

    def end(response: Response) -> Response:
        endpoint = request.endpoint or "none"
        method = request.method if request.method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE") else "other"
        requests.labels(endpoint, method, str(response.status_code)).inc()
        seconds.labels(endpoint).observe(time.perf_counter() - g.get("began", time.perf_counter()))
        return response

    app.before_request(begin)
    app.after_request(end)
    return registry
