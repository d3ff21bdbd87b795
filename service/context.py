"""What every request works with: one frozen value per app, made by the factory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask import Flask, current_app

from maumau.settings import Settings
from maumau.storage import Database
from maumau.usecases.clock import Clock, Entropy
from service.events import Streams
from service.jobs import Queue
from service.metrics import Metrics
from service.thinking import Thinker


@dataclass(frozen=True, slots=True)
class Arena:
    """Settings, database, clock, random bytes, queue, open streams, asked bots, measurements."""

    settings: Settings
    db: Database
    clock: Clock
    entropy: Entropy
    queue: Queue
    streams: Streams
    thinker: Thinker
    metrics: Metrics

    def attach(self, app: Flask) -> None:
        """Make this the arena of `app`."""
        app.extensions["maumau"] = self


def arena() -> Arena:
    """Give the arena of the app that serves this request."""
    return cast(Arena, current_app.extensions["maumau"])
