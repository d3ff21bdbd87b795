"""`/accounts` and `/tokens`: who may use the arena, for admins."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from flask import Response

from maumau.storage import Account
from maumau.storage.values import ROLES
from maumau.usecases import accounts, read
from service.api.common import (
    NEXT_LINK,
    PRIVATE,
    Moment,
    PageQuery,
    Resource,
    Strict,
    page,
    page_schema,
)
from service.auth import API, caller
from service.context import arena
from service.once import Keep, Reply, once

blueprint = Resource("accounts", "Accounts and their tokens; for admins.")

NAME = {"pattern": "^[a-z][a-z0-9-]{1,39}$"}


class AccountOut(Strict):
    """Who owns bots and tokens."""

    name = ma.fields.String(required=True)
    role = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(ROLES),
        metadata={"description": "The most that its tokens may do."},
    )
    system = ma.fields.Boolean(
        required=True, metadata={"description": "It holds what the operator installed."}
    )
    created_at = Moment(required=True)
    disabled_at = Moment(
        required=True,
        allow_none=True,
        metadata={"description": "From then on none of its tokens holds."},
    )


class AccountIn(ma.Schema):
    """A new account."""

    name = ma.fields.String(required=True, metadata=NAME)
    role = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(ROLES),
        metadata={"description": "The most that its tokens may do."},
    )


class TokenOut(Strict):
    """A token without what it is made of."""

    id = ma.fields.String(required=True, metadata={"description": "The beginning of its SHA-256."})
    account = ma.fields.String(required=True)
    role = ma.fields.String(required=True, validate=ma.validate.OneOf(ROLES))
    label = ma.fields.String(required=True)
    created_at = Moment(required=True)
    expires_at = Moment(required=True, allow_none=True)
    revoked_at = Moment(required=True, allow_none=True)


class NewTokenOut(TokenOut):
    """A new token with its text, which is shown this once."""

    token = ma.fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "What to send as `Authorization: Bearer …`; only its SHA-256 is kept, "
            "so that it is null where the request was sent again."
        },
    )


class TokenIn(ma.Schema):
    """A new token."""

    account = ma.fields.String(required=True, metadata={"description": "Whose it is to be."})
    role = ma.fields.String(
        load_default=None,
        allow_none=True,
        validate=ma.validate.OneOf(ROLES),
        metadata={"description": "What it may do; without it, what its account may."},
    )
    label = ma.fields.String(
        load_default="",
        metadata={"maxLength": accounts.LONGEST_LABEL, "description": "For people."},
    )
    expires_at = ma.fields.AwareDateTime(
        load_default=None,
        allow_none=True,
        format="iso",
        metadata={"description": "RFC 3339 with a time zone, at most ten years from now."},
    )


class TokensQuery(PageQuery):
    """Which tokens."""

    account = ma.fields.String(metadata={"description": "Only those of this account."})


@blueprint.get("/accounts")
@blueprint.arguments(PageQuery, location="query")
@blueprint.response(200, page_schema(AccountOut), headers=NEXT_LINK)
def list_accounts(query: dict[str, Any]) -> Any:
    """List the accounts by name."""
    found, headers = page(read.accounts(arena().db, caller(), **query))
    return found, headers | PRIVATE


@blueprint.post("/accounts")
@blueprint.arguments(AccountIn)
@blueprint.response(201, AccountOut)
def create_account(wanted: dict[str, Any]) -> Response:
    """Make an account; it can do nothing until it has a token."""

    def create(keep: Keep[Account]) -> Account:
        return accounts.create_account(arena().db, arena().clock, caller(), keep=keep, **wanted)

    return once(wanted, create, _created).answer


def _created(made: Account) -> Reply:
    shown = AccountOut().dump(read.account_view(made))
    return Reply(201, shown, {"Location": f"{API}/accounts/{made.name}"})


@blueprint.get("/accounts/<name>")
@blueprint.response(200, AccountOut)
def show_account(name: str) -> Any:
    """Show an account."""
    return read.account(arena().db, caller(), name), PRIVATE


@blueprint.post("/accounts/<name>/disable")
@blueprint.response(200, AccountOut)
def disable_account(name: str) -> Any:
    """Let none of an account's tokens hold any more; what it owns stays."""
    done = accounts.disable_account(arena().db, arena().clock, caller(), name)
    return read.account_view(done), PRIVATE


@blueprint.post("/accounts/<name>/enable")
@blueprint.response(200, AccountOut)
def enable_account(name: str) -> Any:
    """Let the tokens of a disabled account hold again."""
    done = accounts.enable_account(arena().db, arena().clock, caller(), name)
    return read.account_view(done), PRIVATE


@blueprint.get("/tokens")
@blueprint.arguments(TokensQuery, location="query")
@blueprint.response(200, page_schema(TokenOut), headers=NEXT_LINK)
def list_tokens(query: dict[str, Any]) -> Any:
    """List the tokens, the youngest first; never what they are made of."""
    of = query.pop("account", None)
    if of is None:
        found, headers = page(read.all_tokens(arena().db, caller(), **query))
    else:
        found, headers = page(read.tokens(arena().db, caller(), of=of, **query))
    return found, headers | PRIVATE


@blueprint.post("/tokens")
@blueprint.arguments(TokenIn)
@blueprint.response(201, NewTokenOut)
def create_token(wanted: dict[str, Any]) -> Response:
    """Make a token for an account; its text is in this answer and nowhere else."""
    said = dict(wanted, expires_at=wanted["expires_at"] and wanted["expires_at"].isoformat())
    owner = wanted.pop("account")

    def create(keep: Keep[accounts.NewToken]) -> accounts.NewToken:
        return accounts.create_token(
            arena().db,
            arena().clock,
            caller(),
            entropy=arena().entropy,
            for_account=owner,
            keep=keep,
            **wanted,
        )

    return once(said, create, _with_text, kept=_without_text).answer


def _with_text(made: accounts.NewToken) -> Reply:
    return _new(made, made.text)


def _without_text(made: accounts.NewToken) -> Reply:
    return _new(made, None)


def _new(made: accounts.NewToken, text: str | None) -> Reply:
    shown = TokenOut().dump(read.token_view(made.token, made.account)) | {"token": text}
    return Reply(201, shown, {"Location": f"{API}/tokens/{made.token.id}", **PRIVATE})


@blueprint.get("/tokens/<id>")
@blueprint.response(200, TokenOut)
def show_token(id: str) -> Any:
    """Show a token without what it is made of."""
    return read.token(arena().db, caller(), id), PRIVATE


@blueprint.delete("/tokens/<id>")
@blueprint.response(200, TokenOut)
def revoke_token(id: str) -> Any:
    """Take a token back: from now on it does not hold."""
    accounts.revoke_token(arena().db, arena().clock, caller(), id)
    return read.token(arena().db, caller(), id), PRIVATE
