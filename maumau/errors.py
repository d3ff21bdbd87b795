"""Every error that the arena raises on purpose, in the words of the domain.

The tree, drawn once::

    MaumauError
    ├── InvalidInput            a value is wrong; carries the path of each
    │   └── RuleSetError        … in a rule set
    ├── IllegalAction           not one of the legal actions
    ├── RecordError             a record does not replay to what it says
    ├── BotError                a bot cannot be loaded or declared wrongly
    ├── NotFound                nothing by that name or id
    ├── Conflict                it is there already, or in the wrong state
    ├── Unauthenticated         no token, or one that is not known
    ├── Forbidden               a known account without the right
    └── Unavailable             this cannot be done here or now
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One wrong value: where it stands and what is wrong with it.

    `path` is a dotted path from the root of the input (`effects.7.draw`); empty for the whole.
    """

    path: str
    message: str

    def __str__(self) -> str:
        """Give the path and the message on one line."""
        return f"{self.path}: {self.message}" if self.path else self.message


class MaumauError(Exception):
    """The root: `code` is stable, `str()` is a sentence that says how to mend it."""

    code = "error"


class InvalidInput(MaumauError):
    """Some values are wrong; nothing was changed."""

    code = "invalid_input"

    def __init__(self, problems: Sequence[Problem] | str):
        self.problems = [Problem("", problems)] if isinstance(problems, str) else list(problems)
        super().__init__("; ".join(map(str, self.problems)))


class RuleSetError(InvalidInput):
    """A rule set that does not hold (docs/rules.md §2)."""

    code = "invalid_rule_set"


class IllegalAction(MaumauError):
    """An action that is not legal now; the state is as it was."""

    code = "illegal_action"

    def __init__(self, action: object, legal: Sequence[str], reason: str = ""):
        self.action = action
        self.legal = list(legal)
        shown = " ".join(self.legal) or "none: the deal is over"
        why = f" ({reason})" if reason else ""
        super().__init__(f"{str(action)[:60]!r} is not a legal action{why}; legal: {shown}")


class RecordError(MaumauError):
    """A record that is false or cannot be read.

    `place` says where, for example `deals[2].actions[17]`.
    """

    code = "false_record"

    def __init__(self, place: str, message: str):
        self.place = place
        super().__init__(f"{place}: {message}" if place else message)


class BotError(MaumauError):
    """A bot that cannot be loaded, or that declares itself wrongly; `code` names the reason."""

    def __init__(self, code: str, message: str):
        self.code = code
        super().__init__(message)


class NotFound(MaumauError):
    """Nothing by that name or id."""

    code = "not_found"

    def __init__(self, kind: str, key: object, hint: str = ""):
        self.kind = kind
        super().__init__(f"there is no {kind} {str(key)[:80]!r}" + (f"; {hint}" if hint else ""))


class Conflict(MaumauError):
    """It is there already, or in a state that does not allow this."""

    def __init__(self, code: str, message: str):
        self.code = code
        super().__init__(message)


class Unauthenticated(MaumauError):
    """No token, or one that is unknown, expired or revoked."""

    code = "unauthenticated"


class Forbidden(MaumauError):
    """The account is known but may not do this."""

    code = "forbidden"


class Unavailable(MaumauError):
    """This cannot be done here or now; `retry_after` in seconds where waiting helps."""

    def __init__(self, code: str, message: str, *, retry_after: int | None = None):
        self.code = code
        self.retry_after = retry_after
        super().__init__(message)
