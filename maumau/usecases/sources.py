"""Where a bot version's code lies on this machine: installed, or copied from the database."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from maumau.bots import registry
from maumau.bots.source import BotSource
from maumau.errors import NotFound, Unavailable
from maumau.storage import Database
from maumau.storage.values import BotVersion

SUFFIX = {"wheel": ".whl", "py": ".py"}


def source_of(
    db: Database, version: BotVersion, files: Path, *, entry: str | None = None
) -> BotSource:
    """Give the source of a bot version, its submitted file copied into `files` by its SHA-256.

    `entry` goes before the one that the check has found.

    Raises `Unavailable` (`plugin_missing`) where an installed plugin is not here, or not with the
    content that the version is.
    """
    if version.kind == "plugin":
        return _installed(version)
    path = files / f"{version.sha256}{SUFFIX[version.kind]}"
    if not path.exists():
        with db.read() as tx:
            content = tx.files.get(version.sha256)
        _write(path, content)
    entry = version.entry if entry is None else entry
    return BotSource(version.kind, version.bot, version.sha256, path, entry)


def _installed(version: BotVersion) -> BotSource:
    try:
        here = registry.find(version.bot).source
    except NotFound:
        here = None
    if here is None or here.sha256 != version.sha256:
        raise Unavailable(
            "plugin_missing",
            f"{version.label} is an installed plugin, which this machine does not have "
            f"with the content {version.sha256[:12]}; install the same release here",
        )
    return here


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, whoever else writes it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
