"""Wait for several bot processes side by side, each under its own clocks."""

from __future__ import annotations

import select
from collections.abc import Callable, Sequence
from typing import Final

from maumau.arena.clock import Clock
from maumau.arena.process import BotProcess

_MS: Final = 1_000_000


def settle(
    processes: Sequence[BotProcess],
    answered: Callable[[BotProcess], None],
    alive: Callable[[], None],
    clock: Clock,
) -> None:
    """Wait until each process has answered, or cannot.

    `answered` takes the answer and may ask the next question. `alive` is called now and then
    meanwhile; what it raises ends the wait.
    """
    for process in processes:
        # A question may have been answered, or have failed, while it was sent.
        _next_question(process, answered)
    while waiting := [process for process in processes if process.waiting]:
        _wait(waiting, min(process.next_look for process in waiting) - clock.wall())
        now = clock.wall()
        for process in waiting:
            if process.waiting:
                process.look(now)
            _next_question(process, answered)
        alive()


def _wait(waiting: Sequence[BotProcess], nanoseconds: int) -> None:
    """Wait until something can be read or sent, and do that."""
    milliseconds = max(0, nanoseconds // _MS + 1)
    if len(waiting) == 1 and waiting[0].wait(milliseconds):
        return
    owners: dict[int, BotProcess] = {}
    poll = select.poll()
    for process in waiting:
        for descriptor, events in process.watched():
            poll.register(descriptor, events)
            owners[descriptor] = process
    for descriptor, _ in poll.poll(milliseconds):
        if owners[descriptor].waiting:
            owners[descriptor].ready(descriptor)


def _next_question(process: BotProcess, answered: Callable[[BotProcess], None]) -> None:
    while process.answer is not None and process.fault is None:
        answered(process)
