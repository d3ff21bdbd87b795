"""Whether bots can be caged here: what the probe found (`probe_bot.py`)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from maumau.arena import faults
from maumau.arena.clock import Clock, SystemClock
from maumau.arena.launch import source_of
from maumau.arena.limits import Limits
from maumau.arena.sandbox import lockdown
from maumau.arena.session import Position, Session
from maumau.errors import MaumauError
from maumau.rules.deal import Deal
from maumau.rules.ruleset import load_rules

PROBE: Final = Path(__file__).with_name("probe_bot.py")


@dataclass(frozen=True, slots=True)
class Status:
    """Whether uploaded bots can be run safely by this process, and if not, why."""

    ok: bool
    reason: str


def status() -> Status:
    """Say it, as tried by this process when it was asked first."""
    return _status(os.getpid())


@lru_cache(maxsize=1)
def _status(pid: int) -> Status:
    reason = probe(SystemClock())
    return Status(not reason, reason)


def probe(clock: Clock, *, caged: bool = True) -> str:
    """Run the probe bot; "" if the cage held, else the reason (so, always, without a cage)."""
    if reason := lockdown.unsupported():
        return reason
    rules = load_rules("champion")
    limits = Limits(start_ms=30_000, decision_ms=10_000, wall_ms=30_000)
    try:
        with Session(
            source_of(PROBE, "probe"), rules, limits=limits, clock=clock, caged=caged
        ) as bot:
            if bot.start_fault is not None:
                return bot.start_fault.detail
            answer = bot.ask(Position.of(Deal(rules, seats=2, seed="probe"), "probe"))
    except MaumauError as error:
        return str(error)
    if answer.fault is None or answer.fault.detail != faults.FORBIDDEN_CALL:
        seen = answer.fault.detail if answer.fault else "it lived on"
        return f"a forbidden kernel call did not end a caged bot as it must: {seen}"
    return ""
