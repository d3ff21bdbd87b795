"""Measurements: a process each, contestants taking turns, what failed kept as a reason."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Values = dict[str, Any]
"""What one measurement printed: a JSON object."""


class NotMeasured(Exception):
    """Something could not be measured; the text says why."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One side of a comparison: a command that prints one JSON object.

    `form` is the form of our engine that must have run; None for peers.
    """

    name: str
    command: tuple[str, ...]
    form: str | None = None


@dataclass(slots=True)
class Rounds:
    """What was measured, by contestant: the values of each round, or why there are none."""

    values: dict[str, list[Values]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def rates(self, name: str, what: str, per: str = "seconds") -> list[float]:
        """Give `what` per second in each round; raises NotMeasured."""
        if name not in self.values:
            raise NotMeasured(self.failures.get(name, f"{name} was not run"))
        rates = [run[what] / run[per] for run in self.values[name] if run.get(what)]
        if not rates:
            raise NotMeasured(f"{name} does not tell {what}")
        return rates


def run(command: Sequence[str], *, timeout: float, cwd: Path, env: Mapping[str, str]) -> Values:
    """Run a command and read the JSON object that it prints last; raises NotMeasured."""
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        printed, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise NotMeasured(f"took more than {timeout:.0f} s") from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode:
        last = errors.strip().rpartition("\n")[2]
        raise NotMeasured(f"exit status {process.returncode}: {last[:200] or 'it said nothing'}")
    try:
        values = json.loads(printed.strip().rpartition("\n")[2])
    except ValueError:
        raise NotMeasured(f"printed no JSON: {printed[-200:]!r}") from None
    if not isinstance(values, dict):
        raise NotMeasured(f"printed no JSON object: {printed[-200:]!r}")
    return values


def alternate(
    contestants: Sequence[Contestant],
    repeats: int,
    measure: Callable[[Contestant], Values],
    done: Callable[[str], None],
) -> Rounds:
    """Let all contestants run once a round, every second round in the opposite order.

    So what the machine does besides falls on all alike. One that fails is left out from then on.
    """
    rounds = Rounds()
    for number in range(repeats):
        for contestant in contestants[:: -1 if number % 2 else 1]:
            name = contestant.name
            if name not in rounds.failures:
                try:
                    values = measure(contestant)
                    if contestant.form and values.get("form") != contestant.form:
                        raise NotMeasured(f"{values.get('form')} ran, not {contestant.form}")
                    rounds.values.setdefault(name, []).append(values)
                except (NotMeasured, OSError) as error:
                    rounds.failures[name] = str(error)
                    rounds.values.pop(name, None)
            done(name)
    return rounds


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Give the median, over rounds, of ours by theirs in the same round."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
