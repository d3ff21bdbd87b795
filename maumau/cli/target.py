"""Which server a command talks to, and with which token.

The server that is named (`--server`, `MAUMAU_SERVER`) goes first; without one it is the arena that
runs in `MAUMAU_VAR`, wherever it listens. The token of the first run belongs to that arena and is
sent nowhere else; one that is given (`--token`, `MAUMAU_TOKEN`) goes where the command goes.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from maumau import settings as environment
from maumau.cli.called import called
from maumau.cli.failures import UNREACHABLE, Failure
from maumau.cli.place import Place
from maumau.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Target:
    """A server's address and the token to send there; the token stays out of the `repr`."""

    server: str
    token: str | None = field(default=None, repr=False)
    token_from: str = "--token or MAUMAU_TOKEN"

    @property
    def local(self) -> bool:
        """Whether it is a server on this machine."""
        host = urlsplit(self.server).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"


def find(settings: Settings) -> Target:
    """Give the target that the settings name; raises `Failure` where no server is known."""
    state = Place(settings.var).running()
    here = str(state["server"]) if state else None
    server = settings.server or here
    if server is None:
        raise Failure(
            f"no arena runs in {settings.var}: start one with `{called('up')}`, or name a server "
            "with --server or MAUMAU_SERVER",
            UNREACHABLE,
        )
    if settings.token or server != here:
        return Target(server, settings.token)
    return Target(server, own_token(settings), str(settings.admin_token_file))


Find = Callable[[], Target]
"""What `to_server` gives a command."""


def own_token(settings: Settings) -> str | None:
    """Give the token that the first run left here; None where there is none to be read."""
    try:
        return settings.admin_token_file.read_text(encoding="ascii").strip() or None
    except (OSError, ValueError):
        return None


def _parsed(parse: Callable[[str], str]) -> Callable[..., str | None]:
    def callback(_context: object, _parameter: object, text: str | None) -> str | None:
        if text is None:
            return None
        try:
            return parse(text.strip())
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def to_server(command: Command) -> Command:
    """Give a command `--server` and `--token`, and as `target` what finds the target of them.

    A command asks for it when all else that it was given holds.
    """

    @click.option(
        "--server",
        callback=_parsed(environment.server_address),
        help="Server to talk to (MAUMAU_SERVER); without it the arena that runs here.",
    )
    @click.option(
        "--token",
        callback=_parsed(environment.token_text),
        help="Token to send (MAUMAU_TOKEN); without it the running arena's own.",
    )
    @wraps(command)
    def wrapped(*arguments: Any, server: str | None, token: str | None, **options: Any) -> Any:
        found = environment.load()
        wanted = replace(found, server=server or found.server, token=token or found.token)
        return command(*arguments, target=partial(find, wanted), **options)

    return wrapped  # type: ignore[return-value]
