"""Settings: the environment, read once by a root, as one frozen value.

Every variable is a row of `VARIABLES`; docs and `--help` are checked against `documented()`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast
from urllib.parse import urlsplit

from maumau.errors import InvalidInput, Problem
from maumau.wording import within

Uploads = Literal["sandbox", "unsafe", "off"]
LogFormat = Literal["text", "json"]

DATABASES = ("sqlite", "postgresql", "postgresql+psycopg")
QUEUES = ("redis", "rediss", "unix")
SHORTEST_SECRET = 20
LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says; secrets stay out of its `repr`."""

    var: Path
    database_url: str = field(repr=False)
    redis_url: str | None = field(repr=False)
    host: str
    port: int
    workers: int
    threads: int
    rate_reads: str | None
    rate_writes: str | None
    trusted_proxies: int
    metrics_token: str | None = field(repr=False)
    uploads: Uploads
    server: str | None
    token: str | None = field(repr=False)
    lease_seconds: int
    log_level: str
    log_format: LogFormat

    @property
    def admin_token_file(self) -> Path:
        """Where the first run leaves the admin token, readable by its owner only."""
        return self.var / "admin-token"

    @property
    def address(self) -> str:
        """Where an API that these settings start is to be talked to."""
        return f"http://{_reachable(self.host)}:{self.port}"


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable: its name, its default as text ("" for none) and what it means."""

    name: str
    default: str
    meaning: str
    parse: Callable[[str], object]


def _number(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and low <= int(text[:12]) <= high):
            raise ValueError(f"must be a whole number {within(low, high)}")
        return int(text)

    return parse


def _rate(text: str) -> str | None:
    if text == "off":
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,8}/(second|minute|hour|day)", text):
        raise ValueError(
            "must be a number per second, minute, hour or day, like 600/minute, or off"
        )
    return text


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text

    return parse


def _url(*schemes: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        # The value itself is not repeated: it may carry a password.
        scheme, colon, rest = text.partition("://")
        if scheme not in schemes or not colon or not rest:
            raise ValueError(f"must be a URL that begins with {' or '.join(schemes)} and ://")
        return text

    return parse


def server_address(text: str) -> str:
    """Read the address of a server; raises `ValueError` that says how one looks."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError("must be the address of a server, like http://127.0.0.1:8000")
    return text.rstrip("/")


def _host(text: str) -> str:
    if any(c.isspace() or c == "/" for c in text):
        raise ValueError("must be an address or host name to listen on, like 127.0.0.1")
    return text


def token_text(text: str) -> str:
    """Read a token; raises `ValueError` that says how one looks."""
    if not text.isascii() or any(c.isspace() for c in text):
        raise ValueError("must be a token as it was shown, without blanks")
    return text


def _secret(text: str) -> str:
    token_text(text)
    if len(text) < SHORTEST_SECRET:
        raise ValueError(f"must be at least {SHORTEST_SECRET} characters that nobody can guess")
    return text


VARIABLES: tuple[Variable, ...] = (
    Variable("MAUMAU_VAR", "./var", "directory for everything that is kept", Path),
    Variable(
        "MAUMAU_DATABASE_URL",
        "",
        "database: `sqlite:///path` or `postgresql://…`; without it SQLite in MAUMAU_VAR",
        _url(*DATABASES),
    ),
    Variable(
        "MAUMAU_REDIS_URL",
        "",
        "queue: `redis://…`, `rediss://…` or `unix://path`; without it `maumau up` runs its own",
        _url(*QUEUES),
    ),
    Variable("MAUMAU_HOST", "127.0.0.1", "address that the API listens on", _host),
    Variable("MAUMAU_PORT", "8000", "port that the API listens on", _number(1, 65535)),
    Variable("MAUMAU_WORKERS", "", "number of workers; without it one per core", _number(0, 1024)),
    Variable(
        "MAUMAU_THREADS",
        "16",
        "threads of the API; at most half of them hold event streams",
        _number(2, 1024),
    ),
    Variable(
        "MAUMAU_RATE_READS",
        "6000/minute",
        "reading requests that one account or address may make: `600/minute` or `off`",
        _rate,
    ),
    Variable(
        "MAUMAU_RATE_WRITES",
        "600/minute",
        "the same for requests that change something",
        _rate,
    ),
    Variable(
        "MAUMAU_TRUSTED_PROXIES",
        "0",
        "proxies in front of the API: so many addresses at the end of `X-Forwarded-For` are "
        "theirs and believed",
        _number(0, 10),
    ),
    Variable(
        "MAUMAU_METRICS_TOKEN",
        "",
        "a token that reads `/metrics` and nothing else; without it only admins' tokens do",
        _secret,
    ),
    Variable(
        "MAUMAU_UPLOADS",
        "sandbox",
        "uploaded bots run in the `sandbox` only, `unsafe` without one, or not at all: `off`",
        _one_of("sandbox", "unsafe", "off"),
    ),
    Variable(
        "MAUMAU_SERVER",
        "",
        "server that the command line talks to; without it the arena that runs in MAUMAU_VAR",
        server_address,
    ),
    Variable(
        "MAUMAU_TOKEN",
        "",
        "token that the command line sends; without it the one that the first run made, to the "
        "arena in MAUMAU_VAR only",
        token_text,
    ),
    Variable(
        "MAUMAU_LEASE_SECONDS",
        "30",
        "seconds without a sign of life after which a worker's chunk is due again",
        _number(1, 86400),
    ),
    Variable("MAUMAU_LOG_LEVEL", "info", f"one of {', '.join(LEVELS)}", _one_of(*LEVELS)),
    Variable(
        "MAUMAU_LOG_FORMAT",
        "text",
        "`text` for people, `json` for programs",
        _one_of("text", "json"),
    ),
    Variable(
        "MAUMAU_COMPILE",
        "",
        "read when the arena is installed: `0` leaves the engine plain Python, `1` compiles it in "
        "an editable install too",
        _one_of("0", "1"),
    ),
)


def documented() -> list[tuple[str, str, str]]:
    """Give name, default ("" for none) and meaning of every variable, in the order of the docs."""
    return [(v.name, v.default, v.meaning) for v in VARIABLES]


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings from `environ` (the process's own by default); an empty value is none.

    Raises `InvalidInput` with every wrong variable as a path; an unknown `MAUMAU_*` one is wrong.
    """
    given = os.environ if environ is None else environ
    values: dict[str, object] = {}
    problems: list[Problem] = []
    known = {v.name for v in VARIABLES}
    for name in sorted(given):
        if name.startswith("MAUMAU_") and name not in known:
            problems.append(
                Problem(name, "is not a setting; see docs/settings.md for those there are")
            )
    for variable in VARIABLES:
        text = given.get(variable.name, "").strip() or variable.default
        try:
            values[variable.name] = variable.parse(text) if text else None
        except ValueError as error:
            problems.append(Problem(variable.name, str(error)))
    if problems:
        raise InvalidInput(problems)
    return _settings(values)


def _settings(values: Mapping[str, object]) -> Settings:
    var = cast(Path, values["MAUMAU_VAR"]).absolute()
    workers = cast("int | None", values["MAUMAU_WORKERS"])
    return Settings(
        var=var,
        database_url=cast("str | None", values["MAUMAU_DATABASE_URL"])
        or f"sqlite:///{var / 'maumau.db'}",
        redis_url=cast("str | None", values["MAUMAU_REDIS_URL"]),
        host=cast(str, values["MAUMAU_HOST"]),
        port=cast(int, values["MAUMAU_PORT"]),
        workers=_cores() if workers is None else workers,
        threads=cast(int, values["MAUMAU_THREADS"]),
        rate_reads=cast("str | None", values["MAUMAU_RATE_READS"]),
        rate_writes=cast("str | None", values["MAUMAU_RATE_WRITES"]),
        trusted_proxies=cast(int, values["MAUMAU_TRUSTED_PROXIES"]),
        metrics_token=cast("str | None", values["MAUMAU_METRICS_TOKEN"]),
        uploads=cast(Uploads, values["MAUMAU_UPLOADS"]),
        server=cast("str | None", values["MAUMAU_SERVER"]),
        token=cast("str | None", values["MAUMAU_TOKEN"]),
        lease_seconds=cast(int, values["MAUMAU_LEASE_SECONDS"]),
        log_level=cast(str, values["MAUMAU_LOG_LEVEL"]),
        log_format=cast(LogFormat, values["MAUMAU_LOG_FORMAT"]),
    )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _reachable(host: str) -> str:
    """Give an address to talk to for one to listen on."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{shown}]" if ":" in shown else shown
