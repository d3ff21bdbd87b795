"""How long the service takes for a leaderboard, as JSON and as a page.

usage: leaderboard_ask.py DATABASE TIMES. Prints one JSON line with milliseconds, each the median
over TIMES requests (and the 95th percentile), from the WSGI call to the last byte; no network.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time

from flask.testing import FlaskClient

from maumau.logs import configure
from maumau.rules import compiled
from maumau.settings import load
from maumau.usecases.clock import system_clock
from service.app import create_app

PATHS = {
    "json": "/api/v1/leaderboard?rules=champion&seats=2",
    "page": "/leaderboard?rules=champion&seats=2",
}


def asked(client: FlaskClient, path: str, times: int) -> list[float]:
    """Ask for a path again and again; give the milliseconds, sorted."""
    found = []
    for _ in range(times + 3):
        began = time.perf_counter()
        answer = client.get(path)
        content = answer.data
        found.append(1000 * (time.perf_counter() - began))
        assert answer.status_code == 200, (path, answer.status_code, content[:300])
        assert content.count(b"made-") >= 20, path
    return sorted(found[3:])


def main() -> None:
    """Ask and print."""
    with tempfile.TemporaryDirectory() as var:
        settings = load(
            {
                "MAUMAU_VAR": var,
                "MAUMAU_DATABASE_URL": f"sqlite:///{sys.argv[1]}",
                "MAUMAU_RATE_READS": "off",
                "MAUMAU_RATE_WRITES": "off",
            }
        )
        # As in a running service: each request is logged, here to the standard error.
        configure(settings)
        app = create_app(settings, clock=system_clock, entropy=os.urandom)
        with app.test_client() as client:
            told: dict[str, object] = {"form": "compiled" if compiled() else "plain"}
            for name, path in PATHS.items():
                times = asked(client, path, int(sys.argv[2]))
                told[name] = statistics.median(times)
                told[f"{name}_95"] = times[int(0.95 * (len(times) - 1))]
    print(json.dumps(told))


if __name__ == "__main__":
    main()
