"""`/healthz`, `/readyz`, `/metrics`: is it up, can it do its work, and how much does it do."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Blueprint, Flask, Response

from maumau.errors import Unavailable
from maumau.usecases import workers as working
from service.api.common import PRIVATE, TEXT, Resource, Strict
from service.context import arena
from service.metrics import CONTENT_TYPE

blueprint = Resource("operations", "Is it up, and can it do its work?")


class Health(Strict):
    """The process answers."""

    status = ma.fields.String(required=True, validate=ma.validate.OneOf(["ok"]))


class Ready(Strict):
    """What the service needs, each `ok` or what is wrong with it.

    Queue, workers and sandbox may be away: work, or uploaded bots, wait or are refused then.
    """

    status = ma.fields.String(required=True, validate=ma.validate.OneOf(["ok", "unavailable"]))
    database = ma.fields.String(required=True)
    migrations = ma.fields.String(required=True)
    queue = ma.fields.String(required=True)
    workers = ma.fields.String(required=True)
    sandbox = ma.fields.String(required=True)


@blueprint.get("/healthz")
@blueprint.response(200, Health)
def healthz() -> dict[str, str]:
    """Tell that the process answers."""
    return {"status": "ok"}


@blueprint.get("/readyz")
@blueprint.alt_response(503, schema=Ready, description="Something that is needed is missing.")
@blueprint.response(200, Ready)
def readyz() -> tuple[dict[str, str], int]:
    """Tell whether the service can do its work: 200 or 503, with what is wrong."""
    database, migrations = _database()
    settings, queue = arena().settings, arena().queue
    waiting = queue.depth()
    away = "away: work waits for the workers' sweep" if settings.redis_url else "none"
    ready = database == migrations == "ok"
    workers, sandbox = _workers() if ready else ("unknown", "unknown")
    return {
        "status": "ok" if ready else "unavailable",
        "database": database,
        "migrations": migrations,
        "queue": away if waiting is None else "ok",
        "workers": workers,
        "sandbox": sandbox,
    }, 200 if ready else 503


@blueprint.get("/metrics")
@blueprint.response(200, TEXT, content_type="text/plain")
def metrics() -> Response:
    """Give the measurements for Prometheus, for admins and for `MAUMAU_METRICS_TOKEN`."""
    answer = Response(arena().metrics.exposition(), content_type=CONTENT_TYPE)
    answer.headers.update(PRIVATE)
    return answer


def _database() -> tuple[str, str]:
    try:
        has, needs = arena().db.revision()
    except Unavailable:
        return "away", "unknown"
    return "ok", "ok" if has == needs else f"at {has or 'none'}, needs {needs}: run the migration"


def _workers() -> tuple[str, str]:
    """Say whether somebody works, and whether uploaded bots can be run safely."""
    uploads = arena().settings.uploads
    try:
        crew = working.crew(arena().db, arena().clock)
    except Unavailable:
        return "unknown", "unknown"
    if uploads != "sandbox":
        sandbox = f"not used: MAUMAU_UPLOADS={uploads}"
    elif not crew.alive:
        sandbox = "unknown: no worker has tried it"
    else:
        sandbox = f"unavailable: {crew.no_cage}" if crew.no_cage else "ok"
    return "ok" if crew.alive else "none: work waits until one starts", sandbox


def register_at_root(app: Flask) -> None:
    """Serve these at the root as well, where supervisors look for them."""
    root = Blueprint("operations_root", __name__)

    @root.get("/healthz")
    def root_healthz() -> Any:
        return healthz()

    @root.get("/readyz")
    def root_readyz() -> Any:
        return readyz()

    @root.get("/metrics")
    def root_metrics() -> Any:
        return metrics()

    app.register_blueprint(root)
