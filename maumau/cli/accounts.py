"""Commands about who may: `accounts`, `tokens`; for admins."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from maumau.cli import show
from maumau.cli.called import called
from maumau.cli.client import Client
from maumau.cli.options import Group, as_json
from maumau.cli.target import Find, to_server

ROLES = click.Choice(["reader", "author", "admin"])
ACCOUNT_COLUMNS = ["account", "role", "since", "disabled"]
TOKEN_COLUMNS = ["id", "account", "role", "label", "since", "expires", "revoked"]


@click.group(cls=Group)
def accounts() -> None:
    """List, make, disable and enable accounts; for admins."""


@accounts.command("list")
@click.option("--limit", type=click.IntRange(1), default=200, show_default=True)
@to_server
@as_json
def list_accounts(target: Find, limit: int, as_json: bool) -> None:
    """List the accounts by name."""
    with Client(target()) as client:
        found = client.first(limit, "/accounts")
    if as_json:
        show.as_json(found)
    else:
        show.console().print(show.table("Accounts", ACCOUNT_COLUMNS, map(_account, found)))


@accounts.command("create")
@click.argument("name")
@click.option("--role", type=ROLES, default="author", show_default=True, help="What it may do.")
@to_server
@as_json
def create_account(target: Find, name: str, role: str, as_json: bool) -> None:
    """Make an account called NAME; it can do nothing until it has a token."""
    with Client(target()) as client:
        made = client.post(
            "/accounts", json={"name": name, "role": role}, key=secrets.token_hex(16)
        )
    _tell(made, f"Made {role} {name}: {called('tokens', 'create', name)}", as_json=as_json)


@accounts.command("disable")
@click.argument("name")
@to_server
@as_json
def disable_account(target: Find, name: str, as_json: bool) -> None:
    """Let no token of the account NAME hold any more; what it owns stays."""
    with Client(target()) as client:
        done = client.post(f"/accounts/{name}/disable")
    _tell(done, f"{name} is disabled: none of its tokens holds", as_json=as_json)


@accounts.command("enable")
@click.argument("name")
@to_server
@as_json
def enable_account(target: Find, name: str, as_json: bool) -> None:
    """Let the tokens of the account NAME hold again."""
    with Client(target()) as client:
        done = client.post(f"/accounts/{name}/enable")
    _tell(done, f"{name} is enabled: its tokens hold", as_json=as_json)


@click.group(cls=Group)
def tokens() -> None:
    """List, make and revoke tokens; for admins."""


@tokens.command("list")
@click.option("--account", help="Only those of this account.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@to_server
@as_json
def list_tokens(target: Find, account: str | None, limit: int, as_json: bool) -> None:
    """List the tokens, the youngest first; never what they are made of."""
    with Client(target()) as client:
        found = client.first(limit, "/tokens", account=account)
    if as_json:
        show.as_json(found)
    else:
        show.console().print(show.table("Tokens", TOKEN_COLUMNS, map(_token, found)))


@tokens.command("create")
@click.argument("account")
@click.option("--role", type=ROLES, help="What it may do; without it, what its account may.")
@click.option("--label", default="", help="For people: where it is used.")
@click.option("--days", type=click.IntRange(1, 3650), help="How long it holds; without it, always.")
@to_server
@as_json
def create_token(
    target: Find, account: str, role: str | None, label: str, days: int | None, as_json: bool
) -> None:
    """Make a token for ACCOUNT and print it: this once, for only its hash is kept."""
    # The server's clock decides; a minute less, so that the longest life is not a moment too long.
    ends = None if days is None else datetime.now(UTC) + timedelta(days=days, minutes=-1)
    wanted = {
        "account": account,
        "role": role,
        "label": label,
        "expires_at": ends and ends.isoformat(timespec="seconds"),
    }
    with Client(target()) as client:
        made = client.post("/tokens", json=wanted, key=secrets.token_hex(16))
    _tell(made, str(made["token"]), as_json=as_json)


@tokens.command("revoke")
@click.argument("token_id", metavar="ID")
@to_server
@as_json
def revoke_token(target: Find, token_id: str, as_json: bool) -> None:
    """Take the token with this ID back: from now on it does not hold."""
    with Client(target()) as client:
        done = client.delete(f"/tokens/{token_id}")
    _tell(done, f"{token_id} of {done['account']} is revoked", as_json=as_json)


def _tell(value: Any, sentence: str, *, as_json: bool) -> None:
    if as_json:
        show.as_json(value)
    else:
        click.echo(show.printable(sentence))


def _account(one: dict[str, Any]) -> tuple[object, ...]:
    role = f"{one['role']} (system)" if one["system"] else one["role"]
    return one["name"], role, one["created_at"], one["disabled_at"]


def _token(one: dict[str, Any]) -> tuple[object, ...]:
    return (
        *(one["id"], one["account"], one["role"], one["label"]),
        *(one["created_at"], one["expires_at"], one["revoked_at"]),
    )
