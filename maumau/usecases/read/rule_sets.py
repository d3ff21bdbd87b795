"""Read the rule sets that were created or used."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from maumau.errors import NotFound
from maumau.storage import Database
from maumau.storage.rule_sets import NEWEST
from maumau.storage.values import StoredRules
from maumau.usecases.read.pages import Page, Pages


@dataclass(frozen=True, slots=True)
class RuleSetView:
    """A rule set in full; `name` is the preset and options it was asked for by, or empty."""

    id: str
    name: str
    owner: str
    created_at: datetime
    rules: dict[str, Any] = field(repr=False)


def rule_sets(db: Database, *, limit: int = 50, after: str | None = None) -> Page[RuleSetView]:
    """List the rule sets that were created or used, youngest first."""
    pages = Pages(NEWEST, "rule_sets")
    cut = pages.slice(limit, after)
    with db.read() as tx:
        found = tx.rule_sets.page(cut)
    return pages.page(found, view)


def rule_set(db: Database, rule_set_id: str) -> RuleSetView:
    """Read one rule set by its id; raises `NotFound`."""
    with db.read() as tx:
        found = tx.rule_sets.get(rule_set_id)
    if found is None:
        raise NotFound("rule set", rule_set_id)
    return view(found)


def view(stored: StoredRules) -> RuleSetView:
    """Give a stored rule set with its rules parsed."""
    return RuleSetView(
        stored.id, stored.name, stored.owner, stored.created_at, json.loads(stored.canonical)
    )
