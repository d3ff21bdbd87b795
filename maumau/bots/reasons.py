"""Why a bot is refused: the stable codes of `BotError`, each with what it means."""

from __future__ import annotations

import difflib
import os
import traceback
import types
from typing import Final

from maumau.errors import BotError

REASONS: Final = {
    "too_large": "The file, or what a wheel unpacks to, is larger than the limit.",
    "not_a_wheel": "The file is neither a Python wheel nor a single .py file.",
    "not_pure": "The wheel holds compiled code, or says that it is not pure Python.",
    "unsafe_wheel": "The wheel holds something that no bot needs, such as a path outside itself.",
    "no_entry_point": "The wheel names no module in entry-point group `maumau`.",
    "several_entry_points": "The wheel names more than one module in group `maumau`.",
    "syntax_error": "A module is not valid Python.",
    "import_error": "Importing the module raised an exception.",
    "no_bot": "The module brings no bot: the hook `maumau_bots` is missing or gives none.",
    "several_bots": "The module brings more than one bot.",
    "bad_declaration": "The hook or the bot class is not what the contract asks for.",
    "wrong_name": "The bot's name is not a valid name, or not the one that was asked for.",
}
"""Reason codes; docs/bots.md tells how to mend each."""


_OURS: Final = (os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep, "maumau/")
"""Where the files of this package are; compiled ones name theirs without a directory."""


_TOLD: Final = ("Observation", "Event", "GameInfo", "DealResult", "Deal")
"""Classes of what a bot is told, whose attributes docs/bots.md lists."""


_LIBRARY: Final = os.path.dirname(os.__file__) + os.sep


def printable(text: object, most: int = 300) -> str:
    """Make one short line of plain characters from hostile text."""
    try:
        shown = str(text)
    except BaseException:
        shown = f"a {type(text).__name__} that cannot be shown"
    shown = " ".join(shown[: 4 * most].split())
    shown = escaped(shown)
    return shown if len(shown) <= most else shown[: most - 3] + "..."


def escaped(text: str) -> str:
    """Write what does not show on a terminal, or would steer it, as Python escapes it."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return shown.encode("utf-8", "backslashreplace").decode()


def described(error: BaseException) -> str:
    """Give an exception's kind, its text and the bot's innermost line, as one line with a hint."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(("<frozen", *_OURS)) and "importlib" not in frame.filename
    ]
    own = [frame for frame in frames if not frame.filename.startswith(_LIBRARY)]
    text = printable(error)
    place = ""
    if frames:
        frame = (own or frames)[-1]
        file = frame.filename.replace("\\", "/").rsplit("/", 1)[-1]
        place = f" ({printable(file, 80)}, line {frame.lineno})"
    told = f"{printable(type(error).__name__, 80)}" + (f": {text}" if text else "") + place
    return told + _hint(error, text)


def _hint(error: BaseException, text: str) -> str:
    """Say what the cage has to do with an exception, where it has."""
    if isinstance(error, FileNotFoundError | PermissionError):
        return (
            "; an uploaded bot reads no files but its own: put data into the code, or into a wheel "
            "and read it with importlib.resources"
        )
    if isinstance(error, RuntimeError) and text == "can't start new thread":
        return "; an uploaded bot has one thread and no other processes"
    if isinstance(error, TypeError) and text.endswith("Observation is not JSON serializable"):
        return "; obs.to_json() gives it as text, obs.to_dict() as plain values"
    if type(error) is AttributeError:
        return _instead(error.obj, str(error.name))
    return ""


def _instead(thing: object, name: str) -> str:
    """Say what there is in place of an attribute that is not there."""
    kind = type(thing)
    if kind.__name__ in _TOLD:
        there = [known for known in dir(kind) if not known.startswith("_")]
        near = difflib.get_close_matches(name, there, n=1)
        return f"; there is {near[0]!r}" if near else "; docs/bots.md lists what there is"
    if name == "info" and hasattr(kind, "deal_started"):
        return "; an __init__ of the bot's own must call super().__init__(info)"
    if kind is tuple and hasattr(list, name):
        return "; lists in an observation are tuples and stay as they are: list(...) makes a copy"
    return ""


def near(answer: str) -> str:
    """Say what may have been meant by a text that is no legal action."""
    if len(answer) > 2 and answer.strip().rstrip("!")[2:3] not in ("", "="):
        return "; actions are written like 7h, Js=d, 7h!, draw, pass, catch (docs/rules.md §1)"
    return ""


def its_own(error: BaseException) -> types.TracebackType | None:
    """Give an exception's traceback from the first line on that is not ours; None if all are."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    return trace


def unmade(error: BaseException, told: str) -> str:
    """Say why a bot could not be made, with what to do where its `__init__` is of another form."""
    if isinstance(error, TypeError) and "__init__()" in told and ", line " not in told:
        told += "; it is called with one argument: def __init__(self, info)"
    return told


def refused(code: str, message: str) -> BotError:
    """Make the error for one of the codes above."""
    assert code in REASONS
    return BotError(code, message)
