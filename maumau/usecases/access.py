"""Who may: the checks that several walks share."""

from __future__ import annotations

from maumau.errors import Forbidden
from maumau.storage import Account


def owner_or_admin(account: Account, owner_id: int, what: str) -> None:
    """Let pass the owner and admins; raises `Forbidden` for others."""
    if account.id != owner_id and account.role != "admin":
        raise Forbidden(f"only its owner or an admin may {what}")


def admin(account: Account, what: str) -> None:
    """Let pass admins; raises `Forbidden` for others."""
    if account.role != "admin":
        raise Forbidden(f"only an admin may {what}")
