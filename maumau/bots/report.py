"""What the check says of a bot, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final

from maumau.rules.ruleset import load_rules, preset_of
from maumau.wording import counted

FINDINGS: Final = {
    "illegal_action": "The bot gave something that is not one of the legal actions.",
    "timeout": "The bot took longer than a decision may take.",
    "crash": "The bot raised an exception, or its process ended.",
    "protocol": "The bot's process sent something that is no answer.",
    "memory": "The bot needed more memory than it may have.",
    "start": "The bot was loaded once, and not again in a new process.",
    "not_repeatable": "The same game on the same seed got different answers.",
    "hidden_cards": "Cards that the bot cannot know made a difference to its answers.",
}
"""Why a check rejects a bot that loads; docs/bots.md tells how to mend each."""

MARKS: Final = {
    "stateful": "A game among others, or a deal after others, got other answers than alone.",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason to reject, or for a mark: its code, what happened, and the position.

    `record` is the record of the game, forfeited where the bot failed; `seat`, `deal` and `action`
    say which decision of it.
    """

    code: str
    message: str
    seat: int
    deal: int
    action: int
    record: dict[str, Any] | None

    @property
    def meaning(self) -> str:
        """Say what the code means."""
        return FINDINGS[self.code] if self.code in FINDINGS else MARKS[self.code]

    @property
    def place(self) -> str:
        """Name the decision."""
        where = f"seat {self.seat}, deal {self.deal}, action {self.action}"
        if self.record is not None:
            where += f" of a game of {counted(len(self.record['seats']), 'seat')}"
            rules = preset_of(load_rules(self.record["rules"])) or "rules of the check's own"
            where += f" under {rules} on seed {self.record['seed']!r}"
        return where


@dataclass(frozen=True, slots=True)
class Speed:
    """How long decisions took, in milliseconds; `limit` is what one may take, if that is known."""

    median: float
    p99: float
    worst: float
    limit: float | None


@dataclass(frozen=True, slots=True)
class Match:
    """A short match against a seat that draws lots: games and score share."""

    rules: str
    games: int
    share: float


@dataclass(frozen=True, slots=True)
class Report:
    """What the check found; `accepted` if there is no finding."""

    findings: tuple[Finding, ...]
    marks: tuple[str, ...]
    games: int
    decisions: int
    kinds: dict[str, int] = field(default_factory=dict)
    speed: Speed | None = None
    matches: tuple[Match, ...] = ()
    marked: tuple[Finding, ...] = ()
    """Where each mark was earned first."""

    @property
    def accepted(self) -> bool:
        """Whether the bot may play."""
        return not self.findings

    def to_dict(self) -> dict[str, Any]:
        """Give the report as plain values."""
        return {"accepted": self.accepted, **asdict(self)}
