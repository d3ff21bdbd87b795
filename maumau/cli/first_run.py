"""What must be there before anything is served: schema, installed bots, the operator's token."""

from __future__ import annotations

import os
from pathlib import Path

from maumau.bots import registry
from maumau.errors import Unauthenticated
from maumau.storage import Database
from maumau.usecases import accounts, builtins
from maumau.usecases.clock import Clock, Entropy

ADMIN = "admin"


def prepare(db: Database, clock: Clock, entropy: Entropy, token_file: Path) -> list[str]:
    """Migrate, install the bots that ship, make sure of the token; gives warnings as sentences.

    Again changes nothing.
    """
    db.migrate()
    installed = builtins.install_builtins(db, clock)
    warnings = [f"The plugin {one.plugin} is left out: {one.reason}" for one in registry.failures()]
    warnings += [
        f"The installed bot {name} is left out: another account has a bot of that name"
        for name in installed.taken
    ]
    return warnings + _token(db, clock, entropy, token_file)


def _token(db: Database, clock: Clock, entropy: Entropy, file: Path) -> list[str]:
    """Leave an admin's token in the file where there is none, for its owner's eyes only."""
    try:
        accounts.verify_token(db, clock, file.read_text(encoding="ascii").strip())
        return []
    except FileNotFoundError:
        pass
    except (Unauthenticated, UnicodeDecodeError):
        return [f"The token in {file} is not valid any more; remove the file for a new one"]
    made = accounts.first_admin(db, clock, entropy=entropy, name=ADMIN)
    if made is None:
        # There was one: its file is gone, or the first run was cut short before it was written.
        with db.read() as tx:
            account = tx.accounts.by_name(ADMIN)
        if account is None or account.role != "admin":
            return [f"There are admins, but none called {ADMIN}: {file} is not made again"]
        made = accounts.create_token(db, clock, account, entropy=entropy, label="made by maumau up")
    _write_private(file, made.text + "\n")
    return []


def _write_private(file: Path, text: str) -> None:
    """Write a file whole or not at all, readable by its owner only from the first moment on."""
    draft = file.with_name(file.name + ".new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(file)
