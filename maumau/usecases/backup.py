"""Back a database up into one file while it is in use, and restore it.

A backup is a SQLite database of the same schema, whatever kind the arena runs on: it can be looked
into, and restored into either kind.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from maumau.errors import Conflict, InvalidInput, Problem
from maumau.storage import Database


@dataclass(frozen=True, slots=True)
class Copied:
    """How many rows a backup holds, or a restore has brought back."""

    rows: int


def backup(db: Database, file: Path) -> Copied:
    """Write everything as of one moment into a new file, whole or not at all, for its owner only.

    Workers and the API may go on meanwhile. Raises `Conflict` (`file_exists`).
    """
    _must_be_new(file)
    with _private_beside(file) as directory:
        draft = directory / "draft"
        target = Database(f"sqlite:///{draft.absolute()}")
        try:
            target.migrate()
            rows = db.copy_into(target)
        finally:
            target.close()
        draft.chmod(0o600)
        # Another backup may have been made meanwhile.
        _must_be_new(file)
        os.replace(draft, file)
    return Copied(rows)


def restore(file: Path, db: Database) -> Copied:
    """Bring a backup back into an empty database; what was being played then is due again.

    Raises `InvalidInput` for a file that is no backup of this release or an earlier one,
    `Conflict` (`not_empty`).
    """
    if not file.is_file():
        raise InvalidInput([Problem("file", f"there is no file {file}")])
    # The backup stays as it is, also where an older one has to be brought up to date first.
    with _private_beside(file) as directory:
        copy = directory / "copy"
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
    with db.begin() as tx:
        tx.chunks.release_all()
        tx.bots.release_all_checks()
        tx.workers.forget_all()
    return Copied(rows)


def _must_be_new(file: Path) -> None:
    if file.exists():
        raise Conflict("file_exists", f"{file} is there already; name a new file")


@contextmanager
def _private_beside(file: Path) -> Iterator[Path]:
    """Give a directory on the file's disk that nobody else can look into, or works in."""
    file.absolute().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=file.absolute().parent, prefix=f".{file.name}-") as text:
        yield Path(text)
