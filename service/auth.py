"""Who asks, and what each route needs: one table, which a test compares with every route.

Fail-closed: a route that is not in the table answers nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from flask import g, request
from flask_httpauth import HTTPTokenAuth
from werkzeug.routing import Rule

from maumau.errors import Forbidden, Unauthenticated
from maumau.storage import Account
from maumau.storage.values import ROLES
from maumau.usecases import accounts
from service.context import arena
from service.metrics import opens
from service.web.access import PAGES

API = "/api/v1"
SESSION = "session"
"""The cookie of somebody who is signed in; it opens pages, never the API."""

# None: open to all. HEAD is as GET, OPTIONS only says which methods there are.
ROUTES: Mapping[tuple[str, str], str | None] = {
    **PAGES,
    ("GET", "/healthz"): None,
    ("GET", "/readyz"): None,
    ("GET", "/metrics"): "admin",
    ("GET", "/static/<path:filename>"): None,
    ("GET", f"{API}/"): None,
    ("GET", f"{API}/healthz"): None,
    ("GET", f"{API}/readyz"): None,
    ("GET", f"{API}/metrics"): "admin",
    ("GET", f"{API}/openapi.json"): None,
    ("GET", f"{API}/docs"): None,
    ("GET", f"{API}/docs/<path:filename>"): None,
    ("GET", f"{API}/bots"): None,
    ("POST", f"{API}/bots"): "author",
    ("GET", f"{API}/bots/<name>"): None,
    ("DELETE", f"{API}/bots/<name>"): "author",
    ("GET", f"{API}/bots/<name>/versions"): None,
    ("GET", f"{API}/bots/<name>/versions/<int:number>"): None,
    ("DELETE", f"{API}/bots/<name>/versions/<int:number>"): "author",
    ("GET", f"{API}/bots/<name>/versions/<int:number>/report"): None,
    ("GET", f"{API}/bots/<name>/versions/<int:number>/log"): "author",
    ("GET", f"{API}/bots/<name>/versions/<int:number>/source"): "author",
    ("GET", f"{API}/rulesets"): None,
    ("POST", f"{API}/rulesets"): "author",
    ("POST", f"{API}/rulesets/preview"): None,
    ("GET", f"{API}/rulesets/<id>"): None,
    ("GET", f"{API}/tournaments"): None,
    ("POST", f"{API}/tournaments"): "author",
    ("GET", f"{API}/tournaments/<id>"): None,
    ("POST", f"{API}/tournaments/<id>/cancel"): "author",
    ("GET", f"{API}/tournaments/<id>/stuck"): "admin",
    ("POST", f"{API}/tournaments/<id>/retry"): "admin",
    ("GET", f"{API}/tournaments/<id>/standings"): None,
    ("GET", f"{API}/tournaments/<id>/crosstable"): None,
    ("GET", f"{API}/tournaments/<id>/ratings"): None,
    ("GET", f"{API}/tournaments/<id>/differences"): None,
    ("GET", f"{API}/tournaments/<id>/charts/<name>"): None,
    ("GET", f"{API}/tournaments/<id>/test"): None,
    ("GET", f"{API}/tournaments/<id>/comparison"): None,
    ("GET", f"{API}/tournaments/<id>/matches"): None,
    ("GET", f"{API}/tournaments/<id>/games"): None,
    ("GET", f"{API}/tournaments/<id>/events"): None,
    ("GET", f"{API}/matches/<id>"): None,
    ("GET", f"{API}/matches/<id>/games"): None,
    ("GET", f"{API}/games/<id>"): None,
    ("GET", f"{API}/games/<id>/record"): None,
    ("GET", f"{API}/games/<id>/fault"): "author",
    ("GET", f"{API}/leaderboard"): None,
    ("POST", f"{API}/tables"): None,
    ("GET", f"{API}/tables/<id>"): None,
    ("POST", f"{API}/tables/<id>/actions"): None,
    ("POST", f"{API}/tables/<id>/report"): None,
    ("GET", f"{API}/tables/<id>/record"): None,
    ("GET", f"{API}/accounts"): "admin",
    ("POST", f"{API}/accounts"): "admin",
    ("GET", f"{API}/accounts/<name>"): "admin",
    ("POST", f"{API}/accounts/<name>/disable"): "admin",
    ("POST", f"{API}/accounts/<name>/enable"): "admin",
    ("GET", f"{API}/tokens"): "admin",
    ("POST", f"{API}/tokens"): "admin",
    ("GET", f"{API}/tokens/<id>"): "admin",
    ("DELETE", f"{API}/tokens/<id>"): "admin",
}

tokens = HTTPTokenAuth(scheme="Bearer")


@tokens.verify_token
def _verify(text: str) -> Account | None:
    """Find the account of a token, with the role that the token gives."""
    try:
        return accounts.verify_token(arena().db, arena().clock, text)
    except Unauthenticated:
        return None


def needed(method: str, rule: Rule) -> str | None:
    """Give the role that a route needs; one that is not in the table needs more than there is."""
    return ROUTES.get(("GET" if method == "HEAD" else method, rule.rule), "nobody")


def caller() -> Account:
    """Give who asks; only for routes that need somebody."""
    found = anyone()
    if found is None:
        raise Unauthenticated("this needs a token: send `Authorization: Bearer <token>`")
    return found


def anyone() -> Account | None:
    """Give who asks, or None for somebody without a token."""
    return cast("Account | None", g.get("caller"))


def identify() -> None:
    """Find out who asks; nothing is refused yet, so that bad tokens count against the rate too."""
    g.caller, g.bad_token, g.reads_metrics = None, False, False
    if "Authorization" not in request.headers:
        if not request.path.startswith("/api/") and SESSION in request.cookies:
            # A session that has ended is nobody's, not a bad token: pages stay readable.
            g.caller = _verify(request.cookies[SESSION])
        return
    try:
        credentials = tokens.get_auth()
    except ValueError:
        # Not even base64: werkzeug says so by whatever its decoder raises.
        credentials = None
    if credentials and credentials.token and opens(arena().settings, credentials.token):
        g.reads_metrics = True
        return
    found = tokens.authenticate(credentials, None) if credentials and credentials.token else None
    g.caller, g.bad_token = found or None, not found


def authorize() -> None:
    """Let a request pass that has the right to; a bad token is refused on open routes too."""
    if g.bad_token:
        raise Unauthenticated(
            "the token is not known, has expired or was revoked; "
            "send `Authorization: Bearer <token>` with one that holds"
        )
    if request.url_rule is None or request.method == "OPTIONS":
        return
    role = needed(request.method, request.url_rule)
    if role is None or g.reads_metrics:
        return
    who = caller()
    if role not in ROLES or ROLES.index(who.role) < ROLES.index(role):
        raise Forbidden(f"this needs a token with the role {role}; yours is {who.role}")
