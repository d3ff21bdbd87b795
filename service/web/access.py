"""What each page needs: a part of the one table in `service.auth`, which a test compares."""

from __future__ import annotations

from collections.abc import Mapping

PAGES: Mapping[tuple[str, str], str | None] = {
    ("GET", "/"): None,
    ("GET", "/cards/<name>.svg"): None,
    ("GET", "/choose"): None,
    ("GET", "/session"): None,
    ("POST", "/session"): None,
    ("POST", "/session/end"): None,
    ("GET", "/rules"): None,
    ("POST", "/rules"): None,
    ("GET", "/rules/<id>"): None,
    ("GET", "/tournaments"): None,
    ("GET", "/tournaments/<id>"): None,
    ("GET", "/tournaments/<id>/results"): None,
    ("GET", "/tournaments/<id>/games"): None,
    ("GET", "/tournaments/<id>/matches"): None,
    ("GET", "/matches/<id>"): None,
    ("GET", "/bots"): None,
    ("GET", "/bots/<name>"): None,
    ("GET", "/bots/<name>/<int:number>"): None,
    ("GET", "/leaderboard"): None,
    ("GET", "/tables"): None,
    ("POST", "/tables"): None,
    ("GET", "/tables/<id>"): None,
    ("POST", "/tables/<id>"): None,
    ("POST", "/tables/<id>/report"): None,
    ("GET", "/tables/<id>/replay"): None,
    ("GET", "/tables/<id>/replay/step"): None,
    ("GET", "/reports"): "admin",
    ("GET", "/reports/<id>"): "admin",
    ("POST", "/reports/<id>"): "admin",
    ("GET", "/reports/<id>/step"): "admin",
    ("GET", "/reports/<id>/conformance"): "admin",
    ("GET", "/games/<id>"): None,
    ("GET", "/games/<id>/step"): None,
}
