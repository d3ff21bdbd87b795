"""Submitted files, by content: workers on other machines need only the database."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, select

from maumau.errors import NotFound
from maumau.storage.dialects import insert_absent
from maumau.storage.schema import file


class Files:
    """The files, in one transaction."""

    def __init__(self, connection: Connection):
        self._connection = connection

    def put(self, content: bytes) -> str:
        """Keep a file, once; gives its SHA-256 in hex."""
        sha256 = hashlib.sha256(content).hexdigest()
        insert_absent(
            self._connection, file, {"sha256": sha256, "size": len(content), "content": content}
        )
        return sha256

    def get(self, sha256: str) -> bytes:
        """Give a file's content; raises `NotFound`."""
        row = self._connection.execute(
            select(file.c.content).where(file.c.sha256 == sha256)
        ).first()
        if row is None:
            raise NotFound("file", sha256)
        return bytes(row.content)
