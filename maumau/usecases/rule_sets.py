"""Rule sets: previewed, created, and found by whoever plays by them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from maumau.errors import Problem, RuleSetError
from maumau.rules.ruleset import RuleSet, load_rules
from maumau.storage import Account, Database, Transaction
from maumau.usecases.clock import Clock
from maumau.usecases.read.rule_sets import RuleSetView, view
from maumau.wording import counted

ID = re.compile(r"[0-9a-f]{64}")

# What a game may take here. A rule set may ask for a billion deals, which nobody can play, keep or
# even forfeit: all of it could be forced. The library plays whatever it is given.
MOST_DEALS = 1_000
MOST_DEAL_ACTIONS = 10_000
MOST_GAME_ACTIONS = 1_000_000


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
    """Make the rule set that a request names by preset, id or object; paths begin with `path`.

    Raises `RuleSetError`, also where its games might never end.
    """
    rules = _named_rules(tx, wish, path)
    problems = list(_endless(rules, path))
    if problems:
        raise RuleSetError(problems)
    return rules


def _endless(rules: RuleSet, path: str) -> Iterator[Problem]:
    """Give what lets a game take more than can be played here."""
    game, deals, actions = rules.data["game"], rules.data["max_deals"], rules.data["max_actions"]
    if game["length"] == "deal":
        deals = 1
    elif game["length"] == "deals":
        deals = min(deals, game["deals"])
    if deals > MOST_DEALS:
        yield Problem(
            f"{path}.max_deals", f"lets a game have {counted(deals, 'deal')}; at most {MOST_DEALS}"
        )
    elif actions > MOST_DEAL_ACTIONS:
        message = f"lets a deal have {counted(actions, 'action')}; at most {MOST_DEAL_ACTIONS}"
        yield Problem(f"{path}.max_actions", message)
    elif deals * actions > MOST_GAME_ACTIONS:
        many = counted(deals * actions, "action")
        message = (
            f"lets a game of {counted(deals, 'deal')} have {many}; at most {MOST_GAME_ACTIONS}"
        )
        yield Problem(f"{path}.max_actions", message)


def _named_rules(tx: Transaction, wish: object, path: str) -> RuleSet:
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
