"""Load a bot's code; a submitted file's is loaded in a sandboxed child process only."""

from __future__ import annotations

import importlib
import sys
import types
from operator import attrgetter
from pathlib import Path
from typing import Final

from maumau.bots.base import Bot
from maumau.bots.declared import Declared, declared
from maumau.bots.reasons import described, printable, refused
from maumau.bots.source import BotSource
from maumau.bots.wheels import check_path
from maumau.errors import BotError

# What there is to import (docs/sandbox.md), said where a module is missing.
SUBMITTED: Final = "a bot has the standard library, maumau and what its own file holds, no more"
PLUGIN: Final = "install what the plugin needs beside the arena"


def load_source(source: BotSource) -> type[Bot]:
    """Load the bot class of a bot version; raises BotError with the reason."""
    if source.kind == "plugin":
        return _named(_asked(_module(source.entry, by=PLUGIN), source.name), source.name)
    assert source.path is not None
    if source.kind == "wheel":
        return load_wheel(source.path, source.entry, source.name or None)
    return load_py(source.path, source.name or None)


def load_file(path: Path, name: str | None = None) -> type[Bot]:
    """Check and load a submitted file, a `.py` or a wheel, by its own name.

    It must bring exactly one bot, called `name` if that is given. Raises BotError.
    """
    submission = check_path(path, path.name)
    if submission.kind == "wheel":
        return load_wheel(path, submission.entry, name)
    return load_py(path, name)


def load_py(path: Path, name: str | None = None) -> type[Bot]:
    """Run a single `.py` file and give its one bot; raises BotError."""
    title = f"submitted_{path.stem}" if path.stem.isidentifier() else "submitted_bot"
    module = types.ModuleType(title)
    module.__file__ = str(path)
    try:
        code = compile(path.read_bytes(), path.name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise refused("syntax_error", _syntax(error, path.name)) from None
    # Dataclasses and typing look a class's module up by its name.
    sys.modules[title] = module
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        del sys.modules[title]
        raise _import_failed("the file", error, SUBMITTED) from None
    return _only(module, _asked(module, title), name)


def load_wheel(path: Path, entry: str, name: str | None = None) -> type[Bot]:
    """Put a checked wheel at the end of `sys.path` and give its one bot; raises BotError."""
    if str(path) not in sys.path:
        sys.path.append(str(path))
    module = _module(entry, by=SUBMITTED)
    return _only(module, _asked(module, entry), name)


def _module(entry: str, *, by: str) -> object:
    """Import what an entry point names: a module, or an object in one."""
    title, _, attributes = entry.partition(":")
    try:
        module = importlib.import_module(title)
        return attrgetter(attributes)(module) if attributes else module
    except SyntaxError as error:
        raise refused("syntax_error", _syntax(error, title)) from None
    except BaseException as error:
        raise _import_failed(printable(title, 80), error, by) from None


def _import_failed(what: str, error: BaseException, there: str) -> BotError:
    message = f"importing {what} raised {described(error)}"
    if isinstance(error, ModuleNotFoundError):
        message += f"; {there}"
    return refused("import_error", message)


def _syntax(error: BaseException, file: str) -> str:
    if isinstance(error, SyntaxError):
        name = (error.filename or file).replace("\\", "/").rpartition("/")[2]
        where = f"{printable(name, 80)}, line {error.lineno}"
        return f"{where}: {printable(error.msg)}"
    return f"{printable(file, 80)} cannot be compiled: {described(error)}"


def _asked(module: object, name: str) -> Declared:
    try:
        return declared(module, name)
    except BotError:
        raise
    except BaseException as error:
        raise refused("bad_declaration", f"the module raised {described(error)}") from None


def _only(module: object, brought: Declared, name: str | None) -> type[Bot]:
    """Give the one bot of a submission, which must have the name that was asked for."""
    if not brought.bots:
        if callable(getattr(module, "maumau_bots", None)):
            message = (
                "maumau_bots gives no bot; is @hookimpl above it, and does it return [YourBot]?"
            )
        else:
            message = "there is no @hookimpl function maumau_bots() that returns [YourBot]"
        raise refused("no_bot", message)
    if len(brought.bots) > 1:
        names = ", ".join(bot.name for bot in brought.bots)
        raise refused("several_bots", f"a submission carries one bot, this one brings {names}")
    bot = brought.bots[0]
    if name is not None and bot.name != name:
        raise refused(
            "wrong_name", f"the bot calls itself {bot.name!r}, but {name!r} was asked for"
        )
    return bot


def _named(brought: Declared, name: str) -> type[Bot]:
    """Give a plugin's bot by its name."""
    for bot in brought.bots:
        if bot.name == name:
            return bot
    names = ", ".join(bot.name for bot in brought.bots) or "none"
    raise refused("wrong_name", f"the plugin brings no bot called {name!r}; it brings {names}")
