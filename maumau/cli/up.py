"""`maumau up`: queue server, API and workers as children of one process, until Ctrl-C."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import click
import httpx

from maumau.cli import embedded, place, show
from maumau.cli.welcome import Welcome
from maumau.processes.supervisor import Service, Stopped, Supervisor
from maumau.settings import Settings, load

# What each child may take to stop: workers give their chunks back, the API ends its answers.
WORKERS_STOP = 6.0
API_STOP = 5.0
QUEUE_STOP = 5.0


@click.command()
@click.option("--host", help="Address to listen on (MAUMAU_HOST).")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on (MAUMAU_PORT).")
@click.option("--workers", type=click.IntRange(0, 1024), help="Number of workers (MAUMAU_WORKERS).")
@click.option("--welcome/--no-welcome", default=True, help="Play and show the welcome tournament.")
def up(host: str | None, port: int | None, workers: int | None, welcome: bool) -> None:
    """Run an arena on this machine: API, workers, queue and database, until Ctrl-C."""
    given = {"MAUMAU_HOST": host, "MAUMAU_PORT": port, "MAUMAU_WORKERS": workers}
    chosen = {key: str(value) for key, value in given.items() if value is not None}
    Arena(load({**os.environ, **chosen}), welcome=welcome).run()


class Arena:
    """One running arena: its directory, its socket, its children."""

    def __init__(self, settings: Settings, *, welcome: bool):
        self.settings = settings
        self.console = show.console()
        self.play_welcome = welcome
        self.place = place.Place(settings.var)
        self._runtime: Path | None = None

    def run(self) -> None:
        """Start everything, serve until a signal, leave nothing behind."""
        self.place.prepare()
        with ExitStack() as stack:
            stack.enter_context(self.place.held())
            place.clear_away(place.read_state(self.place.state))
            self._prepare()
            listener = stack.enter_context(place.listen(self.settings.host, self.settings.port))
            if self.settings.redis_url is None:
                self._runtime = embedded.runtime_directory()
                # Before the supervisor in the stack: it is removed when all children are gone.
                stack.callback(shutil.rmtree, self._runtime, ignore_errors=True)
            supervisor = stack.enter_context(Supervisor(changed=self._write_state))
            with suppress(Stopped):
                self._start(supervisor, listener)
                welcome = Welcome(self.settings, self.console, play=self.play_welcome)
                welcome.start()
                stack.callback(welcome.stop)
                supervisor.run()
            click.echo("Stopping …")
        click.echo("Stopped; start again and everything goes on where it was.")

    def _prepare(self) -> None:
        # Here, so that no other command waits for the database's library.
        from maumau.cli import first_run
        from maumau.storage import Database
        from maumau.usecases.clock import system_clock, system_entropy

        db = Database(self.settings.database_url)
        file = self.settings.admin_token_file
        show.lines(self.console, *first_run.prepare(db, system_clock, system_entropy, file))
        db.close()

    def _start(self, supervisor: Supervisor, listener: socket.socket) -> None:
        if self._runtime is not None:
            supervisor.start(self._queue(self._runtime / "queue.sock"))
        supervisor.start(self._api(listener))
        supervisor.start(self._workers())

    def _queue(self, socket_path: Path) -> Service:
        server = embedded.binary()
        self.settings = replace(self.settings, redis_url=f"unix://{socket_path}")
        directory = self.place.queue

        def put_aside() -> None:
            # Somebody may have taken the directory away while the server ran in it.
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if any(directory.iterdir()):
                aside = embedded.put_aside(directory)
                click.echo(f"The queue server did not start; its files are now in {aside}.")

        return Service(
            name="queue",
            command=embedded.command(server, socket_path=socket_path, directory=directory),
            environment=os.environ,
            log=self.place.logs / "queue.log",
            stop_seconds=QUEUE_STOP,
            ready=lambda: embedded.answers(socket_path),
            on_early_end=put_aside,
        )

    def _api(self, listener: socket.socket) -> Service:
        listener.set_inheritable(True)
        return Service(
            name="api",
            command=_python(
                "gunicorn",
                *("--config", "python:service.gunicorn_conf"),
                *("--bind", f"fd://{listener.fileno()}"),
                "service.wsgi:app",
            ),
            environment=self._environment(),
            log=self.place.logs / "api.log",
            stop_seconds=API_STOP,
            pass_fds=(listener.fileno(),),
            ready=self._answers,
        )

    def _workers(self) -> Service:
        return Service(
            name="workers",
            command=_python("worker.main"),
            environment=self._environment(),
            log=self.place.logs / "workers.log",
            stop_seconds=WORKERS_STOP,
        )

    def _answers(self) -> bool:
        try:
            return httpx.get(
                f"{self.settings.address}/healthz", timeout=1, trust_env=False
            ).is_success
        except httpx.HTTPError:
            return False

    def _environment(self) -> dict[str, str]:
        """Give the children the settings as they are by now."""
        settings = self.settings
        return {
            **os.environ,
            "MAUMAU_VAR": str(settings.var),
            "MAUMAU_DATABASE_URL": settings.database_url,
            "MAUMAU_REDIS_URL": settings.redis_url or "",
            "MAUMAU_HOST": settings.host,
            "MAUMAU_PORT": str(settings.port),
            "MAUMAU_WORKERS": str(settings.workers),
        }

    def _write_state(self, pids: Mapping[str, int]) -> None:
        if not pids:
            self.place.state.unlink(missing_ok=True)
            return
        place.write_state(
            self.place.state,
            {
                "pid": os.getpid(),
                "server": self.settings.address,
                "queue": self.settings.redis_url,
                "runtime": str(self._runtime) if self._runtime else None,
                "children": dict(pids),
            },
        )


def _python(module: str, *arguments: str) -> list[str]:
    # -P: the current directory is no place to import from.
    return [sys.executable, "-P", "-m", module, *arguments]
