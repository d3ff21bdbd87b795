"""The check of one bot file: the same code on an author's machine and on the server.

Nothing of the file is imported here; the static checks only read it, and the bot plays in a child
process, caged where `uploads` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from maumau.arena.limits import Limits
from maumau.arena.trials import Trials
from maumau.bots.check import check_bot
from maumau.bots.report import Report
from maumau.bots.source import BotSource
from maumau.errors import BotError
from maumau.rules.ruleset import load_rules
from maumau.settings import Uploads

FIRST_RULES = "champion"
DECISIONS = 2_000
"""So many decisions a check makes at least."""


@dataclass(slots=True)
class Examined:
    """What a check has found: `refusal` where the bot did not load, else `report`.

    `runtime` is what its process ran on, `log` the last of what it printed.
    """

    name: str = ""
    refusal: BotError | None = None
    report: Report | None = None
    runtime: str = ""
    log: str = field(default="", repr=False)

    @property
    def accepted(self) -> bool:
        """Whether the bot may play."""
        return self.report is not None and self.report.accepted

    def document(self) -> dict[str, Any] | None:
        """Give report and runtime as plain values; None where the bot did not load."""
        if self.report is None:
            return None
        return {"runtime": self.runtime, **self.report.to_dict()}


def examine(
    source: BotSource,
    *,
    limits: Limits,
    uploads: Uploads,
    decisions: int = DECISIONS,
    alive: Callable[[], None] = lambda: None,
) -> Examined:
    """Load a bot under limits and check it.

    `alive` is called now and then; what it raises ends the check. Raises `Unavailable` where bots
    cannot be run here, or the host fails.
    """
    examined = Examined(source.name)
    with Trials(source, limits=limits, uploads=uploads, alive=alive) as trials:
        try:
            trials.load(load_rules(FIRST_RULES))
            examined.name, examined.runtime = trials.name, trials.runtime
            examined.report = check_bot(
                trials.seat,
                clock=trials.seconds,
                fresh=trials.fresh,
                decisions=decisions,
                limit_ms=limits.decision_ms,
            )
        except BotError as error:
            examined.refusal = error
        finally:
            examined.log = trials.log()
    return examined
