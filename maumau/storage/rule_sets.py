"""Rule sets that were created or used, by the SHA-256 of their canonical JSON."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, select

from maumau.storage.dialects import insert_absent
from maumau.storage.pages import Keyed, Order, Slice, fetch
from maumau.storage.schema import rule_set
from maumau.storage.values import StoredRules

NEWEST = Order((rule_set.c.created_at, rule_set.c.id), descending=True)


class RuleSets:
    """The rule sets, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def put(self, new: StoredRules) -> bool:
        """Keep a rule set, once; False if it was there."""
        return insert_absent(
            self._connection,
            rule_set,
            {
                "id": new.id,
                "canonical": new.canonical,
                "label": new.label,
                "account_id": new.account_id,
                "created_at": new.created_at,
            },
        )

    def get(self, rule_set_id: str) -> StoredRules | None:
        """Find a rule set by its id."""
        row = self._connection.execute(select(rule_set).where(rule_set.c.id == rule_set_id)).first()
        return _rules(row) if row else None

    def page(self, cut: Slice) -> Keyed[StoredRules]:
        """List the rule sets, youngest first."""
        return fetch(self._connection, select(rule_set), NEWEST, cut, _rules)


def _rules(row: Row[Any]) -> StoredRules:
    return StoredRules(row.id, row.canonical, row.label, row.account_id, row.created_at)
