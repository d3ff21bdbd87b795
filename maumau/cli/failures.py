"""How a command fails: one sentence on the error stream, and an exit code that says of which kind.

0 done; 1 no, or nothing to be had: a false record, a rejected bot, a cancelled tournament; 2 wrong
use; 3 no server answers; 4 the server refused; 5 the server cannot now; 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from maumau.errors import InvalidInput, MaumauError
from maumau.wording import counted

NO = 1
USAGE = 2
UNREACHABLE = 3
REFUSED = 4
UNABLE = 5
INTERRUPTED = 130


class Failure(click.ClickException):
    """A command's failure with its exit code."""

    def __init__(self, message: str, code: int = NO):
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]  # click reads it from the instance


def of_error(error: MaumauError) -> Failure:
    """Give the failure for an error of the library: each problem on a line of its own."""
    if isinstance(error, InvalidInput) and len(error.problems) > 1:
        lines = "".join(f"\n  {problem}" for problem in error.problems)
        return Failure(f"{counted(len(error.problems), 'value')} are wrong:{lines}", USAGE)
    return Failure(str(error), USAGE if isinstance(error, InvalidInput) else NO)


def of_problem(status: int, problem: Mapping[str, Any]) -> Failure:
    """Give the failure for a problem document (RFC 9457), with the path of each bad value."""
    title = str(problem.get("title") or f"HTTP status {status}")
    detail = str(problem.get("detail") or "")
    text = f"{title}: {detail}" if detail and detail != title else title
    for error in problem.get("errors") or []:
        if isinstance(error, Mapping):
            path, message = error.get("path", ""), error.get("message", "")
            line = f"{path}: {message}" if path else str(message)
            # A single problem may be the detail already.
            text += "" if line == detail else f"\n  {line}"
    if code := problem.get("code"):
        text += f"\n  ({code}, HTTP {status})"
    return Failure(text, UNABLE if status >= 500 else REFUSED)
