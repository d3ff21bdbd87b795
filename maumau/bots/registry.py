"""The bots and presets that are installed: entry points of group `maumau`, through pluggy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from maumau.bots.base import Bot, ExhibitionBot
from maumau.bots.declared import Declared, declared
from maumau.bots.reasons import described, printable
from maumau.bots.source import BotSource, module_hash
from maumau.errors import MaumauError, NotFound
from maumau.hookspecs import GROUP
from maumau.rules import presets
from maumau.rules.problems import nearest
from maumau.rules.ruleset import load_rules


@dataclass(frozen=True, slots=True)
class InstalledBot:
    """A bot that an installed plugin brings; `distribution` is the package it came with."""

    name: str
    bot: type[Bot]
    source: BotSource
    distribution: str


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A plugin, or a part of it, that cannot be used, and why."""

    plugin: str
    reason: str


@dataclass(frozen=True, slots=True)
class Plugins:
    """All that the installed plugins bring, and what failed."""

    bots: tuple[InstalledBot, ...]
    presets: Mapping[str, Mapping[str, Any]]
    failures: tuple[PluginFailure, ...]


@cache
def plugins() -> Plugins:
    """Load every installed plugin once; one that fails leaves the others working."""
    return load_plugins(sorted(entry_points(group=GROUP), key=lambda ep: (ep.name, ep.value)))


def installed() -> list[InstalledBot]:
    """List the installed bots by name, without those that see all cards."""
    return [it for it in _by_name() if not issubclass(it.bot, ExhibitionBot)]


def exhibition() -> list[InstalledBot]:
    """List the installed bots that see all cards, which play in exhibitions only, by name."""
    return [it for it in _by_name() if issubclass(it.bot, ExhibitionBot)]


def sees_all(name: str) -> bool:
    """Tell whether this is the name of an installed bot that sees all cards."""
    return any(it.name == name for it in exhibition())


def _by_name() -> list[InstalledBot]:
    return sorted(plugins().bots, key=lambda it: it.name)


def failures() -> list[PluginFailure]:
    """List the plugins that failed to load, each with the reason."""
    return list(plugins().failures)


def find(name: str, *, exhibition: bool = False) -> InstalledBot:
    """Give an installed bot by its name; raises NotFound with the nearest name.

    Those that see all cards are found only for an exhibition.
    """
    bots = _by_name() if exhibition else installed()
    for it in bots:
        if it.name == name:
            return it
    known = [it.name for it in bots]
    hint = nearest(name, known).removeprefix("; ") or f"installed are {', '.join(known) or 'none'}"
    raise NotFound("installed bot", name, hint)


def load_plugins(points: list[EntryPoint]) -> Plugins:
    """Load plugins in the order given; of two with the same name the first one stays."""
    bots: dict[str, InstalledBot] = {}
    found: dict[str, Mapping[str, Any]] = {}
    failed: list[PluginFailure] = []
    for point in points:
        where = printable(f"{point.name} ({point.value})", 120)
        try:
            brought, digest = _load(point)
        except MaumauError as error:
            failed.append(PluginFailure(where, str(error)))
            continue
        except (Exception, SystemExit) as error:
            failed.append(PluginFailure(where, f"importing it raised {described(error)}"))
            continue
        package = point.dist.name if point.dist else ""
        for bot in brought.bots:
            if bot.name in bots:
                failed.append(PluginFailure(where, f"the bot name {bot.name!r} is taken"))
            else:
                source = BotSource("plugin", bot.name, digest, None, point.value)
                bots[bot.name] = InstalledBot(bot.name, bot, source, package)
        for name, document in brought.presets.items():
            reason = _preset_problem(name, document, found)
            if reason:
                failed.append(PluginFailure(where, reason))
            else:
                found[name] = document
    return Plugins(tuple(bots.values()), found, tuple(failed))


def _load(point: EntryPoint) -> tuple[Declared, str]:
    brought = declared(point.load(), point.name)
    return brought, module_hash(point.module)


def _preset_problem(name: object, document: object, found: Mapping[str, Any]) -> str:
    shown = printable(name, 60)
    if not isinstance(name, str) or not presets.NAME_PATTERN.fullmatch(name):
        return f"preset {shown!r}: a name is small letters, digits and hyphens"
    if name in presets.shipped_names() or name in found:
        return f"the preset name {shown!r} is taken"
    try:
        load_rules(presets.parse_preset(name, document).rules)
    except MaumauError as error:
        return f"preset {shown!r}: {printable(error)}"
    return ""


def plugin_presets() -> Mapping[str, Mapping[str, Any]]:
    """Give the presets that installed plugins bring."""
    return plugins().presets


# A preset's name that does not ship is looked for among the plugins, which are loaded only then.
presets.add_finder(plugin_presets)
