"""Rule sets: previewed, created, and found by whoever plays by them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from maumau.errors import Problem, RuleSetError
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.storage import Account, Database, Transaction
from maumau.usecases.clock import Clock
from maumau.usecases.read.rule_sets import RuleSetView, view

ID = re.compile(r"[0-9a-f]{64}")


def preview(spec: str | Mapping[str, Any]) -> RuleSet:
    """Give the rule set that was asked for, whole; nothing is kept. Raises `RuleSetError`."""
    return load_rules(spec)


def create(
    db: Database,
    clock: Clock,
    account: Account,
    spec: str | Mapping[str, Any],
    *,
    keep: Callable[[Transaction, RuleSetView], None] | None = None,
) -> RuleSetView:
    """Keep a rule set, once: the same rules have the same id. Raises `RuleSetError`."""
    rules = load_rules(spec)
    now = clock()
    with db.begin() as tx:
        keep_rules(tx, rules, account, now)
        stored = tx.rule_sets.get(rules.id)
        assert stored is not None
        created = view(stored)
        if keep is not None:
            keep(tx, created)
        return created


def keep_rules(tx: Transaction, rules: RuleSet, account: Account, now: datetime) -> bool:
    """Keep a rule set in a transaction that needs it; False if it was there."""
    return tx.rule_sets.put(
        rules.id, rules.canonical.decode(), name=rules.name, account_id=account.id, now=now
    )


def wanted_rules(tx: Transaction, wish: object, *, path: str = "rules") -> RuleSet:
    """Make the rule set that a request names by preset, id or object; paths begin with `path`."""
    if isinstance(wish, str) and ID.fullmatch(wish):
        stored = tx.rule_sets.get(wish)
        if stored is None:
            raise RuleSetError([Problem(path, "there is no rule set with this id")])
        return replace(load_rules(json.loads(stored.canonical)), name=stored.name)
    if not isinstance(wish, str | Mapping):
        message = "must be a preset's name, a rule set's id, a request or a rule set"
        raise RuleSetError([Problem(path, message)])
    try:
        return load_rules(wish)
    except RuleSetError as error:
        raise RuleSetError(
            [Problem(f"{path}.{p.path}" if p.path else path, p.message) for p in error.problems]
        ) from None
