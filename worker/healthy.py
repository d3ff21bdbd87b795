"""The health check of one host's workers: `python -m worker.healthy` ends with 0 if one lives."""

from __future__ import annotations

import sys

from maumau.errors import MaumauError
from maumau.settings import load
from maumau.storage import Database
from maumau.usecases import workers
from maumau.usecases.clock import Clock, system_clock
from worker.names import is_of_this_host


def living(db: Database, clock: Clock) -> int:
    """Count the workers of this host that have lately told the database that they live."""
    return sum(map(is_of_this_host, workers.living(db, clock)))


def main() -> int:
    """Say how many live; 1 if none does, 2 if that cannot be known."""
    try:
        count = living(Database(load().database_url), system_clock)
    except MaumauError as error:
        print(f"worker: {error}", file=sys.stderr)
        return 2
    print(f"workers of this host alive: {count}")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
