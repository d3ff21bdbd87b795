"""Live workers: what each says of itself, again and again while it lives."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from maumau.storage.dialects import upsert
from maumau.storage.schema import worker
from maumau.storage.values import WorkerSign


class Workers:
    """The signs of life of workers, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def show(self, sign: WorkerSign) -> None:
        """Keep a worker's sign of life in the place of its last one."""
        upsert(
            self._connection,
            worker,
            {
                "name": sign.name,
                "seen_at": sign.seen_at,
                "cages": sign.cages,
                "cage_reason": sign.cage_reason,
            },
        )

    def seen(self, since: datetime) -> list[WorkerSign]:
        """Give the last sign of every worker that has shown one since then, by name."""
        query = select(worker).where(worker.c.seen_at >= since).order_by(worker.c.name)
        return [
            WorkerSign(row.name, row.seen_at, row.cages, row.cage_reason)
            for row in self._connection.execute(query)
        ]

    def names(self) -> list[str]:
        """Give the names of all workers that have not said that they end."""
        return list(self._connection.execute(select(worker.c.name)).scalars())

    def forget(self, name: str) -> None:
        """Forget a worker that has ended."""
        self._connection.execute(worker.delete().where(worker.c.name == name))

    def forget_before(self, before: datetime) -> None:
        """Forget the workers that have shown no sign since then."""
        self._connection.execute(worker.delete().where(worker.c.seen_at < before))

    def forget_all(self) -> None:
        """Forget all: the workers are those of another database."""
        self._connection.execute(worker.delete())
