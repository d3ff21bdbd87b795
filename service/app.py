"""The app factory: everything that serves HTTP, put together once."""

from __future__ import annotations

from flask import Flask

from maumau.settings import Settings
from maumau.storage import Database
from maumau.usecases.clock import Clock, Entropy
from service import auth, headers, jobs, limits, logs, metrics, parsing, problems
from service.api import blueprints, operations
from service.context import Arena
from service.docs import register_docs
from service.events import Streams
from service.openapi import ArenaApi
from service.thinking import Thinker
from service.web.site import register_pages


def create_app(settings: Settings, *, clock: Clock, entropy: Entropy) -> Flask:
    """Make the WSGI app.

    `clock` gives the moment (aware, UTC), `entropy` so many random bytes. The database must have
    been migrated (`maumau up` and the migration step do it); nothing is contacted here.
    """
    app = Flask("service", static_folder="web/static", static_url_path="/static")
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.config.update(
        API_TITLE="Mau-Mau Arena",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        MAX_FORM_PARTS=20,
    )
    app.url_map.strict_slashes = False
    limits.trust_proxies(app, settings)
    db = Database(settings.database_url)
    queue = jobs.connect(settings.redis_url)
    arena = Arena(
        settings=settings,
        db=db,
        clock=clock,
        entropy=entropy,
        queue=queue,
        streams=Streams(settings.threads // 2),
        thinker=Thinker(settings, db),
        metrics=metrics.Metrics(db, clock, queue.depth),
    )
    arena.attach(app)
    limiter = limits.rate_limiter(settings)

    # Before a request these run in this order; after it in the opposite one.
    logs.register(app)
    metrics.register(app, arena.metrics)
    headers.register(app)
    app.before_request(auth.identify)
    limits.register(app, limiter)
    app.before_request(auth.authorize)
    app.before_request(parsing.refuse_nul)

    problems.register(app)
    api = ArenaApi(app)
    for blueprint in blueprints():
        api.register_blueprint(blueprint)
    operations.register_at_root(app)
    register_docs(app, api)
    register_pages(app)
    return app
