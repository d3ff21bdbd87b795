"""Rule sets that were created or used, by the SHA-256 of their canonical JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from maumau.storage.dialects import insert_absent
from maumau.storage.pages import Keyed, Order, Slice, fetch
from maumau.storage.schema import account, rule_set
from maumau.storage.values import StoredRules

NEWEST = Order((rule_set.c.created_at, rule_set.c.id), descending=True)


class RuleSets:
    """The rule sets, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def put(
        self, rule_set_id: str, canonical: str, *, name: str, account_id: int, now: datetime
    ) -> bool:
        """Keep a rule set, once; False if it was there."""
        return insert_absent(
            self._connection,
            rule_set,
            {
                "id": rule_set_id,
                "canonical": canonical,
                "name": name,
                "account_id": account_id,
                "created_at": now,
            },
        )

    def get(self, rule_set_id: str) -> StoredRules | None:
        """Find a rule set by its id."""
        row = self._connection.execute(_rule_sets().where(rule_set.c.id == rule_set_id)).first()
        return _rules(row) if row else None

    def lock(self, rule_set_id: str) -> None:
        """Keep others that lock this rule set waiting until this transaction ends."""
        self._connection.execute(
            select(rule_set.c.id).where(rule_set.c.id == rule_set_id).with_for_update()
        ).first()

    def page(self, cut: Slice) -> Keyed[StoredRules]:
        """List the rule sets, youngest first."""
        return fetch(self._connection, _rule_sets(), NEWEST, cut, _rules)


def _rule_sets() -> Select[Any]:
    return select(rule_set, account.c.name.label("owner")).join(
        account, account.c.id == rule_set.c.account_id
    )


def _rules(row: Row[Any]) -> StoredRules:
    return StoredRules(row.id, row.canonical, row.name, row.owner, row.created_at)
