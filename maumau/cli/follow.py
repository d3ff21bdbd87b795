"""Following a tournament: its event stream, or polling where there is none, as a progress bar."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from maumau.cli.client import Client
from maumau.cli.failures import REFUSED, Failure
from maumau.cli.show import lines, plain
from maumau.wording import counted

ENDED = ("finished", "cancelled")
POLL_SECONDS = 1.0
# A server that is started again is back within this time.
PATIENCE_SECONDS = 30.0

Sleep = Callable[[float], object]


def states(
    client: Client, tournament: str, *, sleep: Sleep = time.sleep
) -> Iterator[Mapping[str, Any]]:
    """Give `{"state", "progress"}` whenever it changes, until the tournament has ended.

    Streams where the server has one free, polls where it has not; a server that goes away for a
    while is waited for. Raises `Failure` where it stays away, or knows no such tournament.
    """
    # An unknown id is told at once.
    last: Mapping[str, Any] = client.get(f"/tournaments/{tournament}")
    yield last
    away = 0.0
    while last["state"] not in ENDED:
        try:
            for last in _streamed(client, tournament):
                away = 0.0
                yield last
                if last["state"] in ENDED:
                    return
            sleep(POLL_SECONDS)
            last = client.get(f"/tournaments/{tournament}")
            away = 0.0
        except Failure as failure:
            away += POLL_SECONDS
            if failure.exit_code == REFUSED or away > PATIENCE_SECONDS:
                raise
            sleep(POLL_SECONDS)
            continue
        yield last


def _streamed(client: Client, tournament: str) -> Iterator[Mapping[str, Any]]:
    try:
        for _, data in client.events(f"/tournaments/{tournament}/events"):
            yield data
    except Failure as failure:
        if failure.exit_code == REFUSED:
            raise
        # No stream is free, or it broke off: the caller polls.


def watch(
    seen: Iterable[Mapping[str, Any]],
    console: Console,
    *,
    title: str,
    stop: threading.Event | None = None,
) -> str:
    """Show the progress until the tournament has ended, or until `stop`; gives its last state.

    `seen` is what `states` gives. In a terminal it is shown as a bar, elsewhere as a line for
    every tenth of the games.
    """
    if stop is not None:
        seen = takewhile(lambda _one: not stop.is_set(), seen)
    return _bar(seen, console, title) if console.is_terminal else _lines(seen, console, title)


def _bar(seen: Iterable[Mapping[str, Any]], console: Console, title: str) -> str:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeRemainingColumn(),
    )
    state = "scheduled"
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(plain(title), total=None)
        for one in seen:
            state, progress = str(one["state"]), one["progress"]
            stuck = progress["chunks"]["stuck"]
            bar.update(
                task,
                description=plain(title)
                + (f" [red]({counted(stuck, 'chunk')} stuck)[/red]" if stuck else ""),
                completed=progress["games_played"],
                total=progress["games_total"],
            )
    return state


def _lines(seen: Iterable[Mapping[str, Any]], console: Console, title: str) -> str:
    state, shown = "scheduled", -1
    for one in seen:
        state, progress = str(one["state"]), one["progress"]
        played, total = progress["games_played"], progress["games_total"]
        tenths = 10 * played // total if total else 0
        if tenths > shown:
            shown = tenths
            lines(console, f"{title}: {played} of {counted(total, 'game')}")
    return state
