"""The welcome tournament: what a newcomer sees first, and sees again at every start."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from maumau.cli import follow, show
from maumau.cli.called import called
from maumau.cli.client import Client
from maumau.cli.failures import REFUSED, Failure
from maumau.cli.target import Target, own_token
from maumau.settings import Settings

LEVELS = ("random", "easy", "medium", "hard")
# Long enough to tell the levels apart, well under a minute on two cores.
BLOCKS = 50
RULES = "gameduell"
KEY = "welcome-of-the-first-run"


def request(client: Client, name: str) -> dict[str, Any]:
    """Give the request for a tournament of the bots that ship, those that this server has."""
    there = {bot["name"] for bot in client.pages("/bots", limit=100) if bot["latest"]}
    entrants = [level for level in LEVELS if level in there]
    if len(entrants) < 2:
        raise Failure(f"the server has fewer than two of the bots {', '.join(LEVELS)}")
    return {"name": name, "entrants": entrants, "rules": RULES, "seats": 2, "blocks": BLOCKS}


class Welcome:
    """Plays and shows it beside the supervisor, in a thread of its own."""

    def __init__(self, settings: Settings, console: Console, *, play: bool):
        self._settings = settings
        self._console = console
        self._play = play
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Say no more; what is played goes on when the arena is started again."""
        self._stop.set()
        self._thread.join(timeout=1.0)

    def _run(self) -> None:
        try:
            # This arena talks to itself, whatever server the command line is set to.
            target = Target(self._settings.address, own_token(self._settings))
            with Client(target) as client:
                if self._play:
                    self._show(client)
        except Failure as failure:
            self._say(f"No welcome tournament: {failure.message}".splitlines())
        self._say(how_to_go_on(self._settings.address, _short(self._settings.admin_token_file)))

    def _show(self, client: Client) -> None:
        tournament = self._tournament(client)
        title = f"Welcome tournament ({RULES})"
        seen = follow.states(client, tournament, sleep=self._stop.wait)
        follow.watch(seen, self._console, title=title, stop=self._stop)
        if not self._stop.is_set():
            found = client.get(f"/tournaments/{tournament}/standings")
            self._console.print(show.standings(found, title))

    def _tournament(self, client: Client) -> str:
        """Give the id of the welcome tournament, scheduled now if there never was one."""
        kept: Path = self._settings.var / "welcome"
        try:
            found = kept.read_text(encoding="ascii").strip()
            client.get(f"/tournaments/{found}")
            return found
        except FileNotFoundError:
            pass
        except Failure as failure:
            # Another database by now: there it never was.
            if failure.exit_code != REFUSED:
                raise
        made = client.post("/tournaments", json=request(client, "welcome"), key=KEY)
        kept.write_text(f"{made['id']}\n", encoding="ascii")
        return str(made["id"])

    def _say(self, lines: Sequence[str]) -> None:
        if not self._stop.is_set():
            show.lines(self._console, *lines)


def _short(path: Path) -> Path:
    """Give a path as one would type it here."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def how_to_go_on(server: str, token_file: Path) -> Sequence[str]:
    """Give what to do next, as lines that can be copied."""
    return (
        "",
        f"Pages {server}/",
        f"API   {server}/api/v1",
        f"Docs  {server}/api/v1/docs",
        "Submit a bot (README.md shows one) from another terminal:",
        f"  {called('submit', 'my_bot.py')}",
        f"or  curl -H \"Authorization: Bearer $(cat '{token_file}')\" \\",
        f"      -F name=my-bot -F file=@my_bot.py {server}/api/v1/bots",
        f"Ctrl-C stops everything; {called('up')} goes on where it was.",
    )
