"""`maumau status`: is the server well, and what does it do now."""

from __future__ import annotations

from typing import Any

import click

from maumau.cli import show
from maumau.cli.called import called
from maumau.cli.client import Client
from maumau.cli.failures import UNABLE, Failure
from maumau.cli.options import as_json
from maumau.cli.place import Place
from maumau.cli.target import Find, Target, to_server
from maumau.settings import load
from maumau.wording import counted

MOST = 20


@click.command()
@to_server
@as_json
def status(target: Find, as_json: bool) -> None:
    """Say whether the server is well and what it plays; exit code 5 if something is missing."""
    asked = target()
    with Client(asked) as client:
        ready = client.readiness()
        running = client.first(MOST, "/tournaments", state="running") if _ok(ready) else []
        waiting = client.first(MOST, "/tournaments", state="scheduled") if _ok(ready) else []
    found = {
        "server": asked.server,
        "ready": ready,
        "processes": _processes(asked),
        "running": running,
        "waiting": waiting,
    }
    if as_json:
        show.as_json(found)
    else:
        _print(found)
    if not _ok(ready):
        raise Failure(f"{asked.server} is not ready", UNABLE)


def _ok(ready: dict[str, Any]) -> bool:
    return ready.get("status") == "ok"


def _print(found: dict[str, Any]) -> None:
    console = show.console()
    rows = [*found["ready"].items(), *((f"process {k}", v) for k, v in found["processes"].items())]
    console.print(show.table(found["server"], ["what", "how it is"], rows))
    for one in found["running"]:
        progress = one["progress"]
        played = f"{progress['games_played']} of {counted(progress['games_total'], 'game')}"
        show.lines(console, f"running: {one['id']} {one['name']}: {played}")
        if stuck := progress["chunks"]["stuck"]:
            aside = f"  {counted(stuck, 'chunk')} set aside, for workers died over them: "
            show.lines(console, f"{aside}{called()} retry {one['id']} --look")
    for one in found["waiting"]:
        show.lines(console, f"scheduled: {one['id']} {one['name']}: begins {one['start_at']}")


def _processes(asked: Target) -> dict[str, int]:
    """Give the processes of the `maumau up` in this place, if it is the one that is asked."""
    state = Place(load().var).running()
    if state is None or state["server"] != asked.server:
        return {}
    return {"up": int(state["pid"]), **{k: int(v) for k, v in state["children"].items()}}
