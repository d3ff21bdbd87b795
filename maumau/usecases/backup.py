"""Back a database up into one file while it is in use, and restore it.

A backup is a SQLite database of the same schema, whatever kind the arena runs on: it can be looked
into, and restored into either kind.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from maumau.errors import Conflict, InvalidInput, Problem
from maumau.storage import Database


@dataclass(frozen=True, slots=True)
class Copied:
    """How many rows a backup holds, or a restore has brought back."""

    rows: int


def backup(db: Database, file: Path) -> Copied:
    """Write everything as of one moment into a new file, whole or not at all.

    Workers and the API may go on meanwhile. Raises `Conflict` (`file_exists`).
    """
    if file.exists():
        raise Conflict("file_exists", f"{file} is there already; name a new file")
    draft = file.with_name(file.name + ".part")
    draft.unlink(missing_ok=True)
    try:
        target = Database(f"sqlite:///{draft.absolute()}")
        try:
            target.migrate()
            rows = db.copy_into(target)
        finally:
            target.close()
        os.replace(draft, file)
    finally:
        for leftover in (draft, *(draft.with_name(draft.name + end) for end in ("-wal", "-shm"))):
            leftover.unlink(missing_ok=True)
    return Copied(rows)


def restore(file: Path, db: Database) -> Copied:
    """Bring a backup back into an empty database; what was being played then is due again.

    Raises `InvalidInput` for a file that is no backup of this release or an earlier one,
    `Conflict` (`not_empty`).
    """
    if not file.is_file():
        raise InvalidInput([Problem("file", f"there is no file {file}")])
    # The backup stays as it is, also where an older one has to be brought up to date first.
    copy = file.with_name(file.name + ".restoring")
    try:
        shutil.copyfile(file, copy)
        source = Database(f"sqlite:///{copy.absolute()}")
        try:
            if not source.is_ours():
                raise InvalidInput([Problem("file", f"{file} is not a backup of an arena")])
            source.migrate()
            db.migrate()
            rows = source.copy_into(db)
        finally:
            source.close()
    finally:
        for leftover in (copy, *(copy.with_name(copy.name + end) for end in ("-wal", "-shm"))):
            leftover.unlink(missing_ok=True)
    with db.begin() as tx:
        tx.chunks.release_all()
        tx.bots.release_all_checks()
        tx.workers.forget_all()
    return Copied(rows)
