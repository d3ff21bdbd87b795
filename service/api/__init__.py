"""A file per resource: routes and schemas side by side."""

from __future__ import annotations

from service.api import (
    accounts,
    analysis,
    bots,
    games,
    index,
    leaderboard,
    matches,
    operations,
    results,
    rulesets,
    tables,
    tournaments,
)
from service.api.common import Resource


def blueprints() -> tuple[Resource, ...]:
    """Give the resources in the order of the docs page."""
    return (
        index.blueprint,
        bots.blueprint,
        rulesets.blueprint,
        tournaments.blueprint,
        results.blueprint,
        analysis.blueprint,
        matches.blueprint,
        games.blueprint,
        leaderboard.blueprint,
        tables.blueprint,
        accounts.blueprint,
        operations.blueprint,
    )
