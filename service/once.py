"""`Idempotency-Key`: a creating POST sent twice with one key does its work once.

The answer is kept in the same transaction as the thing that was created, so a lost connection, a
crash or two requests at once never make two of it. `maumau.usecases.tidy` forgets it in the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from flask import Response, json, request

from maumau.errors import Conflict, Problem
from maumau.storage import Transaction
from maumau.storage.values import Answer
from service.auth import caller
from service.context import arena
from service.problems import HttpProblem

T = TypeVar("T")
Keep = Callable[[Transaction, T], None]
MOST = 255


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer before it is one: status, JSON body, more headers."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)

    def response(self) -> Response:
        """Build the HTTP answer."""
        return _response(self.status, json.dumps(self.body).encode(), self.headers)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What was made, or nothing where an old answer is given again; and the answer."""

    made: T | None
    answer: Response


def once(
    content: object,
    create: Callable[[Keep[T]], T],
    reply: Callable[[T], Reply],
    *,
    kept: Callable[[T], Reply] | None = None,
) -> Outcome[T]:
    """Create something, or give the answer that this request's key was given before.

    `content` is all that the request says, as plain values: the same key with other content is
    refused. `kept` makes the answer that is kept, where the first one holds a secret.
    """
    key = _key()
    if key is None:
        made = create(_keep_nothing)
        return Outcome(made, reply(made).response())
    fingerprint = _fingerprint(content)
    before = _kept(key, fingerprint)
    if before is not None:
        return Outcome(None, before)

    def keep(tx: Transaction, made: T) -> None:
        told = (kept or reply)(made)
        tx.answers.put(
            Answer(
                account_id=caller().id,
                key=key,
                fingerprint=fingerprint,
                status=told.status,
                headers=told.headers,
                body=json.dumps(told.body).encode(),
                created_at=arena().clock(),
            )
        )

    try:
        made = create(keep)
    except Conflict:
        # Another request with this key may have been faster: then its answer is ours.
        before = _kept(key, fingerprint)
        if before is None:
            raise
        return Outcome(None, before)
    return Outcome(made, reply(made).response())


def _keep_nothing(tx: Transaction, made: object) -> None:
    """Keep no answer: the request has no key."""


def _key() -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not 1 <= len(key) <= MOST or not (key.isascii() and key.isprintable()):
        problem = Problem("Idempotency-Key", f"must be 1 to {MOST} printable ASCII characters")
        raise HttpProblem(422, str(problem), problems=(problem,))
    return key


def _fingerprint(content: object) -> str:
    said = json.dumps([request.method, request.path, content], sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()


def _kept(key: str, fingerprint: str) -> Response | None:
    with arena().db.read() as tx:
        answer = tx.answers.get(caller().id, key)
    if answer is None:
        return None
    if answer.fingerprint != fingerprint:
        raise HttpProblem(
            422,
            "this Idempotency-Key was used with another request; take a new key for this one",
            code="idempotency_key_reused",
        )
    response = _response(answer.status, answer.body, dict(answer.headers))
    response.headers["Idempotent-Replayed"] = "true"
    return response


def _response(status: int, body: bytes, headers: dict[str, str]) -> Response:
    response = Response(body, status=status, content_type="application/json")
    response.headers.update(headers)
    return response
