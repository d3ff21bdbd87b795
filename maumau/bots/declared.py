"""What a plugin module declares through the hooks, taken from it with all its mistakes named."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pluggy

from maumau import hookspecs
from maumau.bots.base import NAME_PATTERN, Bot
from maumau.bots.reasons import described, printable, refused


@dataclass(frozen=True, slots=True)
class Declared:
    """The bots and presets that one plugin brings."""

    bots: tuple[type[Bot], ...]
    presets: Mapping[str, Any]


def declared(plugin: object, name: str) -> Declared:
    """Ask a plugin module for what it brings; raises BotError `bad_declaration`."""
    manager = pluggy.PluginManager(hookspecs.GROUP)
    manager.add_hookspecs(hookspecs)
    try:
        manager.register(plugin, name=name)
        manager.check_pending()
        bots = manager.hook.maumau_bots()
        presets = manager.hook.maumau_presets()
    except pluggy.PluginValidationError as error:
        raise refused("bad_declaration", printable(error)) from None
    except (Exception, SystemExit) as error:
        told = described(error)
        if isinstance(error, TypeError) and "__init__()" in told:
            told += "; maumau_bots returns classes: write [YourBot], without calling it"
        raise refused("bad_declaration", f"a hook raised {told}") from None
    return Declared(_bots(bots), _presets(presets))


def _bots(answers: list[Any]) -> tuple[type[Bot], ...]:
    found: list[type[Bot]] = []
    for answer in answers:
        if not isinstance(answer, list | tuple):
            given = type(answer).__name__
            message = f"maumau_bots must return a list of bot classes, [YourBot], not a {given}"
            raise refused("bad_declaration", message)
        for bot in answer:
            check_class(bot)
            found.append(bot)
    return tuple(found)


def _presets(answers: list[Any]) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for answer in answers:
        if not isinstance(answer, Mapping):
            given = type(answer).__name__
            message = f"maumau_presets must return an object by name, not a {given}"
            raise refused("bad_declaration", message)
        found.update(answer)
    return found


CALLED_WITH: Final = {
    "__init__": "info",
    "act": "obs",
    "deal_started": "obs",
    "observe": "event",
    "deal_ended": "result",
}
"""What the arena calls of a bot, each with one argument."""


def check_class(bot: object) -> None:
    """Check that a value is a bot class; raises BotError."""
    if isinstance(bot, Bot):
        message = f"maumau_bots must return classes: write {type(bot).__name__}, without calling it"
        raise refused("bad_declaration", message)
    if not isinstance(bot, type) or not issubclass(bot, Bot):
        message = f"{printable(bot, 80)} is no subclass of maumau.Bot"
        raise refused("bad_declaration", message)
    if bot.act is Bot.act:
        raise refused(
            "bad_declaration", f"{printable(bot.__name__, 80)} has no method act(self, obs)"
        )
    for method in CALLED_WITH:
        if not callable(getattr(bot, method, None)):
            message = f"{printable(bot.__name__, 80)}.{method} must be a method"
            raise refused("bad_declaration", message)
    for method, argument in CALLED_WITH.items():
        if not _takes_one(bot, method):
            message = f"{printable(bot.__name__, 80)}.{method} must take (self, {argument})"
            raise refused("bad_declaration", message)
    check_name(getattr(bot, "name", None), f"{printable(bot.__name__, 80)}.name")


def _takes_one(bot: type[Bot], method: str) -> bool:
    """Tell whether a method can be called with `self` and one argument, as far as can be seen."""
    found = inspect.getattr_static(bot, method)
    if not isinstance(found, types.FunctionType):
        return True  # decorated, or no function: the first call tells
    try:
        inspect.signature(found).bind(None, None)
    except TypeError:
        return False
    except Exception:  # a signature of the bot's own making
        return True
    return True


def check_name(name: object, what: str = "the bot's name") -> str:
    """Give a valid bot name back; raises BotError `wrong_name`."""
    if not isinstance(name, str) or not NAME_PATTERN.fullmatch(name):
        message = (
            f"{what} must be 2 to 40 small letters, digits and hyphens and begin with a letter, "
            f"not {printable(repr(name), 80)}"
        )
        raise refused("wrong_name", message)
    return name
