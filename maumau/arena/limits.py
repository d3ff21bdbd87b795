"""What a bot may use while it plays: one frozen value per tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Final

from maumau.errors import InvalidInput, Problem
from maumau.wording import within


def _limit(default: int, low: int, high: int, meaning: str) -> int:
    """Declare one limit; the bounds and the meaning are what docs and validation read."""
    bounds = {"low": low, "high": high, "meaning": meaning}
    value: int = field(default=default, metadata=bounds)
    return value


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one bot process and of the games it plays; every one can be set per tournament.

    CPU is the bot process's own; waiting for a busy host costs it nothing.
    """

    decision_ms: int = _limit(100, 1, 60_000, "milliseconds of own CPU for one decision")
    game_ms: int = _limit(10_000, 1, 3_600_000, "milliseconds of own CPU for one game")
    wall_ms: int = _limit(
        5_000,
        100,
        600_000,
        "milliseconds until an answer must be there; a busy host is not counted",
    )
    memory_mb: int = _limit(256, 16, 65_536, "megabytes that the bot may add to its process")
    start_ms: int = _limit(5_000, 10, 120_000, "milliseconds of own CPU for loading the bot")
    reply_bytes: int = _limit(65_536, 4_096, 16_777_216, "bytes of one answer")
    log_bytes: int = _limit(
        16_384, 0, 16_777_216, "bytes kept of what the bot prints; the last ones are kept"
    )

    def to_dict(self) -> dict[str, int]:
        """Give every limit as plain values."""
        return {name: getattr(self, name) for name in NAMES}


NAMES: Final = tuple(f.name for f in fields(Limits))


def documented() -> list[tuple[str, int, str]]:
    """Give name, default and meaning of every limit, in the order of the docs."""
    defaults = Limits().to_dict()
    return [(f.name, defaults[f.name], f.metadata["meaning"]) for f in fields(Limits)]


def load_limits(data: object, *, path: str = "limits") -> Limits:
    """Make limits from a mapping that states only what differs from the defaults.

    Raises `InvalidInput` with the path (`limits.decision_ms`) of every wrong value.
    """
    if not isinstance(data, Mapping):
        raise InvalidInput([Problem(path, "must be an object")])
    problems: list[Problem] = []
    for name in sorted(set(map(str, data)) - set(NAMES)):
        problems.append(Problem(f"{path}.{name}", f"is not a limit; known: {', '.join(NAMES)}"))
    given: dict[str, int] = {}
    for f in fields(Limits):
        if f.name not in data:
            continue
        value, low, high = data[f.name], f.metadata["low"], f.metadata["high"]
        if type(value) is not int or not low <= value <= high:
            message = f"must be a whole number {within(low, high)}"
            problems.append(Problem(f"{path}.{f.name}", message))
        else:
            given[f.name] = value
    limits = Limits(**given)
    if not problems and limits.wall_ms < limits.decision_ms:
        message = f"must be at least decision_ms, which is {limits.decision_ms}"
        problems.append(Problem(f"{path}.wall_ms", message))
    if problems:
        raise InvalidInput(problems)
    return limits
