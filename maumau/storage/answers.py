"""Kept answers: what a request with an `Idempotency-Key` was answered with."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select

from maumau.errors import Conflict
from maumau.storage.dialects import insert_absent
from maumau.storage.schema import answer
from maumau.storage.values import Answer


class Answers:
    """The kept answers, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def get(self, account_id: int, key: str) -> Answer | None:
        """Find the answer to a key of an account."""
        row = self._connection.execute(
            select(answer).where(answer.c.account_id == account_id, answer.c.key == key)
        ).first()
        if row is None:
            return None
        return Answer(
            account_id=row.account_id,
            key=row.key,
            fingerprint=row.fingerprint,
            status=row.status,
            headers=row.headers,
            body=bytes(row.body),
            created_at=row.created_at,
        )

    def put(self, new: Answer) -> None:
        """Keep an answer; raises `Conflict` (`key_in_use`) if another request has used the key."""
        kept = insert_absent(
            self._connection,
            answer,
            {
                "account_id": new.account_id,
                "key": new.key,
                "fingerprint": new.fingerprint,
                "status": new.status,
                "headers": new.headers,
                "body": new.body,
                "created_at": new.created_at,
            },
        )
        if not kept:
            raise Conflict(
                "key_in_use", "a request with this Idempotency-Key came first; send it again"
            )

    def forget(self, *, before: datetime) -> int:
        """Drop the answers kept before a moment; gives how many."""
        gone = self._connection.execute(answer.delete().where(answer.c.created_at < before))
        return gone.rowcount
