"""Runs the command line in this process, as its entry point does."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from unittest import mock

from maumau.cli import main


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


def maumau(*arguments: str, given: str = "", env: Mapping[str, str] | None = None) -> Ran:
    out, err = _stream(), _stream()
    stdin = io.TextIOWrapper(io.BytesIO(given.encode()), encoding="utf-8")
    with (
        mock.patch.multiple(sys, stdin=stdin, stdout=out, stderr=err),
        mock.patch.dict("os.environ", env or {}),
    ):
        code: object = None
        try:
            main(arguments)
        except SystemExit as end:
            code = end.code
        out.flush()
        err.flush()
    assert isinstance(code, int)
    return Ran(code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())  # type: ignore[attr-defined]


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
