"""Read rule sets by name or id: those that ship, and those that were created or used."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from maumau.rules.presets import preset_info, preset_names
from maumau.rules.ruleset import load_rules
from maumau.storage import Database
from maumau.usecases.read.pages import Page
from maumau.usecases.read.rule_sets import RuleSetView, rule_set, rule_sets

_PRESET = "preset:"


@dataclass(frozen=True, slots=True)
class NamedRules:
    """A rule set in full; a preset has a title, but no owner and no time."""

    id: str
    name: str
    title: str
    preset: bool
    owner: str | None
    created_at: datetime | None
    rules: dict[str, Any] = field(repr=False)


def all_rules(db: Database, *, limit: int = 50, after: str | None = None) -> Page[NamedRules]:
    """List the presets by name, then what was created or used, the youngest first."""
    names = sorted(preset_names())
    shown: list[str] = []
    if after is None or after.removeprefix(_PRESET) in names:
        rest = [name for name in names if after is None or name > after.removeprefix(_PRESET)]
        shown, after = rest[:limit], None
        if len(shown) < len(rest) or len(shown) == limit:
            return Page(tuple(map(_preset, shown)), _PRESET + shown[-1])
    stored = rule_sets(db, limit=limit - len(shown), after=after)
    return Page((*map(_preset, shown), *map(shown_rules, stored.items)), stored.next)


def named_rules(db: Database, wish: str) -> NamedRules:
    """Read a rule set by its id or a preset's name (with options: `champion+pack-32`).

    Raises `NotFound`.
    """
    if wish.split("+")[0] in preset_names():
        return _preset(wish)
    return shown_rules(rule_set(db, wish))


def rule_set_id(wish: str) -> str:
    """Give the id that a preset's name stands for; anything else is taken for an id."""
    if wish.split("+")[0] not in preset_names():
        return wish
    return load_rules(wish).id


def is_preset(rule_set_id: str) -> bool:
    """Tell whether a preset has this id: it is known even if nobody has used it."""
    return rule_set_id in {load_rules(name).id for name in preset_names()}


def _preset(name: str) -> NamedRules:
    rules = load_rules(name)
    title = preset_info(name.split("+")[0]).title
    return NamedRules(rules.id, rules.name, title, True, None, None, rules.data)


def shown_rules(one: RuleSetView) -> NamedRules:
    """Show a stored rule set."""
    return NamedRules(one.id, one.name, "", False, one.owner, one.created_at, one.rules)
