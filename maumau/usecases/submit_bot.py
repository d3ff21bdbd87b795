"""Submit a bot: the file is kept by its content, a version is pending; nothing is parsed here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from maumau.bots import registry
from maumau.bots.wheels import MAX_FILE
from maumau.errors import Conflict, InvalidInput, Problem
from maumau.settings import Uploads
from maumau.storage import Account, Database, Transaction
from maumau.storage.types import storable
from maumau.storage.values import BotKind, BotVersion, NewVersion
from maumau.usecases import workers
from maumau.usecases.clock import Clock

LARGEST = MAX_FILE
"""Bytes of a submitted file."""

LONGEST_FILENAME = 255
NAME = re.compile(r"[a-z][a-z0-9-]{1,39}")
KINDS: dict[str, BotKind] = {".py": "py", ".whl": "wheel"}


@dataclass(frozen=True, slots=True)
class Submitted:
    """The version that the file is; `created` is false where it was there already."""

    version: BotVersion
    created: bool


def submit(
    db: Database,
    clock: Clock,
    account: Account,
    *,
    name: str,
    filename: str,
    content: bytes,
    uploads: Uploads,
    keep: Callable[[Transaction, Submitted], None] | None = None,
) -> Submitted:
    """Keep a submitted file as the bot's next version, `pending` until it is checked.

    `uploads` is the setting; `keep` is called last in the same transaction. Raises `InvalidInput`,
    `Conflict` (`name_taken`: another account's bot) or `Unavailable` (`uploads_off`,
    `sandbox_unavailable`).
    """
    kind = _check(name, filename, content)
    if registry.sees_all(name):
        raise Conflict(
            "name_taken", f"{name} is the name of the bot that sees all cards; take another name"
        )
    now = clock()
    new = NewVersion(
        sha256=hashlib.sha256(content).hexdigest(),
        kind=kind,
        filename=storable(filename),
        entry="",
        size=len(content),
        state="pending",
        created_at=now,
    )
    with db.begin() as tx:
        workers.accepting(tx, clock, uploads)
        bot = tx.bots.claim_name(name, account.id, now=now)
        if bot.owner_id != account.id:
            raise Conflict(
                "name_taken", f"the bot {name} belongs to another account; take another name"
            )
        same = tx.bots.by_sha256(bot.id, new.sha256)
        if same is not None:
            submitted = Submitted(same, created=False)
        else:
            tx.files.put(content)
            submitted = Submitted(tx.bots.add_version(bot.id, new), created=True)
        if keep is not None:
            keep(tx, submitted)
        return submitted


def _check(name: str, filename: str, content: bytes) -> BotKind:
    problems = []
    if not NAME.fullmatch(name):
        problems.append(
            Problem("name", "must be 2 to 40 of a-z, 0-9 and -, beginning with a letter")
        )
    suffix = next((end for end in KINDS if filename.endswith(end)), None)
    if suffix is None:
        problems.append(Problem("file", "must be a wheel (.whl) or a single Python file (.py)"))
    elif len(filename) > LONGEST_FILENAME or not filename.isprintable() or "/" in filename:
        problems.append(
            Problem("file", f"needs a plain file name of at most {LONGEST_FILENAME} characters")
        )
    if not content:
        problems.append(Problem("file", "is empty"))
    elif len(content) > MAX_FILE:
        problems.append(
            Problem("file", f"has {len(content)} bytes; at most {MAX_FILE} are taken (5 MB)")
        )
    if problems or suffix is None:
        raise InvalidInput(problems)
    return KINDS[suffix]
