"""Signed in by a token: a session cookie of its own, and proof that a form came from our pages.

The token that a person enters is not kept: a new one is made that lasts a working day, and the
cookie holds it. It ends with the token that was entered, and opens pages only; the API takes no
cookies.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from urllib.parse import urlsplit

from flask import Response, request

from maumau.errors import Unauthenticated
from maumau.usecases import accounts
from service.auth import SESSION, anyone
from service.context import arena
from service.problems import HttpProblem

LASTS = timedelta(hours=12)
FIELD = "csrf"


def begin(response: Response, token: str) -> None:
    """Sign in with a token; raises `Unauthenticated` for one that does not hold."""
    made = accounts.begin_session(
        arena().db, arena().clock, token.strip(), entropy=arena().entropy, lasts=LASTS
    )
    response.set_cookie(
        SESSION,
        made.text,
        max_age=int(LASTS.total_seconds()),
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )


def end(response: Response) -> None:
    """Sign out: the session's token holds no more."""
    text = request.cookies.get(SESSION, "")
    response.delete_cookie(SESSION)
    try:
        account = accounts.verify_token(arena().db, arena().clock, text)
    except Unauthenticated:
        return
    token_id = hashlib.sha256(text.encode()).hexdigest()[:12]
    accounts.revoke_token(arena().db, arena().clock, account, token_id)


def csrf() -> str:
    """Give what a form must send along: only who holds the session can know it."""
    text = request.cookies.get(SESSION, "")
    return hmac.new(text.encode(), b"maumau-form/1", hashlib.sha256).hexdigest() if text else ""


def _ours(origin: str) -> bool:
    try:
        return urlsplit(origin).netloc == request.host
    except ValueError:  # no address at all
        return False


def check_form() -> None:
    """Refuse a form that another site sent, or that lacks this session's proof."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    origin = request.headers.get("Origin")
    if (origin is not None and not _ours(origin)) or request.headers.get("Sec-Fetch-Site") in (
        "cross-site",
        "same-site",
    ):
        raise HttpProblem(403, "this form was sent from another site")
    if anyone() is not None and "Authorization" not in request.headers:
        sent = request.form.get(FIELD, "")
        if not hmac.compare_digest(sent.encode(), csrf().encode()):
            message = "this form is not of this session; load the page again and send it once more"
            raise HttpProblem(403, message)
