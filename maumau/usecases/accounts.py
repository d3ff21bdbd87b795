"""Accounts and tokens: made, verified, revoked; the first admin."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from maumau.errors import Conflict, Forbidden, InvalidInput, NotFound, Problem, Unauthenticated
from maumau.storage import Account, Database, Transaction
from maumau.storage.values import ROLES, Role, Token
from maumau.usecases import access
from maumau.usecases.clock import Clock, Entropy

TOKEN_PREFIX = "mm_"
TOKEN_BYTES = 32
LONGEST_LABEL = 80
LONGEST_LIFE = timedelta(days=3650)
SYSTEM = "arena"
"""The account that holds the bots the operator installed."""

_NAME = re.compile(r"[a-z][a-z0-9-]{1,39}")


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its text, which is shown this once and not kept."""

    text: str = field(repr=False)
    token: Token
    account: str


def create_account(
    db: Database,
    clock: Clock,
    account: Account,
    *,
    name: str,
    role: Role,
    keep: Callable[[Transaction, Account], None] | None = None,
) -> Account:
    """Make an account; admins only. Raises `Conflict` (`name_taken`).

    `keep` is called last in the same transaction.
    """
    access.admin(account, "create accounts")
    _check_role(role)
    if not _NAME.fullmatch(name):
        raise InvalidInput(
            [Problem("name", "must be 2 to 40 of a-z, 0-9 and -, beginning with a letter")]
        )
    with db.begin() as tx:
        made = tx.accounts.create(name, role, now=clock())
        if keep is not None:
            keep(tx, made)
        return made


def disable_account(db: Database, clock: Clock, account: Account, name: str) -> Account:
    """Let no token of an account hold from now on; admins only, again is no error.

    What it owns stays, and what it scheduled is played. Raises `Conflict` (`own_account`,
    `system_account`).
    """
    access.admin(account, "disable accounts")
    with db.begin() as tx:
        found = _found(tx, name)
        if found.id == account.id:
            raise Conflict("own_account", "nobody can disable the account that they act for")
        if found.system:
            raise Conflict("system_account", f"{name} is a system account: nobody can act for it")
        tx.accounts.disable(found.id, now=clock())
        return _found(tx, name)


def enable_account(db: Database, clock: Clock, account: Account, name: str) -> Account:
    """Let the tokens of a disabled account hold again; admins only, again is no error."""
    access.admin(account, "enable accounts")
    with db.begin() as tx:
        tx.accounts.enable(_found(tx, name).id)
        return _found(tx, name)


def _found(tx: Transaction, name: str) -> Account:
    found = tx.accounts.by_name(name) if _NAME.fullmatch(name) else None
    if found is None:
        raise NotFound("account", name)
    return found


def create_token(
    db: Database,
    clock: Clock,
    account: Account,
    *,
    entropy: Entropy,
    for_account: str | None = None,
    role: Role | None = None,
    label: str = "",
    expires_at: datetime | None = None,
    keep: Callable[[Transaction, NewToken], None] | None = None,
) -> NewToken:
    """Make a token for oneself, or as an admin for anybody; it may do no more than its account.

    `keep` is called last in the same transaction. Raises `Conflict` (`account_disabled`).
    """
    now = clock()
    with db.begin() as tx:
        owner = account if for_account is None else _found(tx, for_account)
        if owner.id != account.id:
            access.admin(account, "make tokens for another account")
        role = _check_role(owner.role if role is None else role)
        if ROLES.index(role) > ROLES.index(owner.role):
            a = "a" if owner.role == "reader" else "an"
            raise Forbidden(f"this token may do no more than {a} {owner.role}")
        _check_label(label)
        if expires_at is not None and not now < expires_at <= now + LONGEST_LIFE:
            raise InvalidInput(
                [Problem("expires_at", "must be in the future, at most ten years from now")]
            )
        made = _add_token(tx, owner, role, label, now, expires_at, entropy)
        if keep is not None:
            keep(tx, made)
        return made


def begin_session(
    db: Database, clock: Clock, text: str, *, entropy: Entropy, lasts: timedelta
) -> NewToken:
    """Make a token for a browser out of one that was entered; raises `Unauthenticated`.

    It ends after `lasts`, and at once when the token that was entered holds no more.
    """
    now = clock()
    with db.begin() as tx:
        account, entered = _verified(tx, text, now)
        return _add_token(
            tx,
            account,
            account.role,
            "browser session",
            now,
            now + lasts,
            entropy,
            session_of=entered.session_of or entered.id,
        )


def verify_token(db: Database, clock: Clock, text: str) -> Account:
    """Give the account of a token, its role what the token may do; raises `Unauthenticated`."""
    with db.read() as tx:
        return _verified(tx, text, clock())[0]


def _verified(tx: Transaction, text: str, now: datetime) -> tuple[Account, Token]:
    found = tx.accounts.by_token(_sha256(text), now=now)
    if found is None:
        raise Unauthenticated("the token is unknown, expired or revoked")
    return found


def revoke_token(db: Database, clock: Clock, account: Account, token_id: str) -> Token:
    """Take a token back, one's own or as an admin anybody's; again is no error."""
    with db.begin() as tx:
        found = tx.accounts.token(token_id)
        if found is None or (found.account_id != account.id and account.role != "admin"):
            raise NotFound("token", token_id)
        tx.accounts.revoke(token_id, now=clock())
        revoked = tx.accounts.token(token_id)
        assert revoked is not None
        return revoked


def first_admin(
    db: Database, clock: Clock, *, entropy: Entropy, name: str = "admin"
) -> NewToken | None:
    """Make the first admin account with its token; None where there ever was an admin token."""
    now = clock()
    with db.begin() as tx:
        if tx.accounts.has_admin():
            return None
        try:
            owner = tx.accounts.create(name, "admin", now=now)
        except Conflict:
            found = tx.accounts.by_name(name)
            assert found is not None
            owner = found
        return _add_token(tx, owner, "admin", "first run", now, None, entropy)


def system_account(tx: Transaction, now: datetime) -> Account:
    """Give the account of the operator's bots, made where it is missing; it has no token."""
    found = tx.accounts.by_name(SYSTEM)
    return found or tx.accounts.create(SYSTEM, "admin", now=now, system=True)


def _add_token(
    tx: Transaction,
    owner: Account,
    role: Role,
    label: str,
    now: datetime,
    expires_at: datetime | None,
    entropy: Entropy,
    session_of: str | None = None,
) -> NewToken:
    if owner.system:
        raise Forbidden(f"{owner.name} is a system account: it has no tokens")
    if owner.disabled_at is not None:
        raise Conflict("account_disabled", f"the account {owner.name} is disabled; enable it first")
    text = TOKEN_PREFIX + base64.urlsafe_b64encode(entropy(TOKEN_BYTES)).decode().rstrip("=")
    sha256 = _sha256(text)
    token = Token(
        # Part of the hash, so that whoever holds the token can find its row.
        id=sha256[:12],
        account_id=owner.id,
        sha256=sha256,
        role=role,
        label=label,
        created_at=now,
        expires_at=expires_at,
        revoked_at=None,
        session_of=session_of,
    )
    tx.accounts.add_token(token)
    return NewToken(text, token, owner.name)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _check_role(role: Role) -> Role:
    if role not in ROLES:
        raise InvalidInput([Problem("role", f"must be one of {', '.join(ROLES)}")])
    return role


def _check_label(label: str) -> None:
    if len(label) > LONGEST_LABEL or not label.isprintable():
        raise InvalidInput(
            [Problem("label", f"must be at most {LONGEST_LABEL} printable characters")]
        )
