"""Everything that a tournament came to, as canonical bytes: what must not depend on who played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from maumau.rules.compact import expand
from maumau.storage import Database
from maumau.usecases.read.games import rules_of
from maumau.usecases.read.tournaments import found_tournament

RANKED = (*("standings", "crosstable", "ratings", "rating_history", "differences", "intransitive"),)


def export_results(db: Database, tournament_id: str) -> bytes:
    """Give a tournament's results as JSON lines: head, standings and what else was
    ranked, matches, games.

    Nothing in it is random or a time: the same seed, entrants and rules give the same bytes on any
    database, however many workers played in whatever order. Raises `NotFound`.
    """
    return b"".join(export_lines(db, tournament_id))


def export_lines(db: Database, tournament_id: str) -> Iterator[bytes]:
    """Give the same line by line."""
    with db.read() as tx:
        found = found_tournament(tx, tournament_id)
        entrants = tx.tournaments.entrants(tournament_id)
        labels = [one.label for one in entrants]
        rules = rules_of(tx, tournament_id)
        stored = tx.standings.standings(tournament_id)
        assert stored is not None
        yield _line(
            "tournament",
            {
                "rule_set": found.rule_set_id,
                "entrants": [
                    {
                        "label": one.label,
                        "sha256": one.sha256,
                        "suspended_after": one.suspended_after,
                    }
                    for one in entrants
                ],
                "seats": found.seats,
                "blocks": found.blocks,
                "line_ups": found.line_ups,
                "limits": found.limits,
                "stop": found.stop,
                "ended_blocks": found.ended_blocks,
                "fault_share": found.fault_share,
                "luck_model": found.luck_model,
                "seed_commitment": found.commitment,
                "games_played": found.games_played,
                "games_total": found.games_total,
            },
        )
        for part in RANKED:
            yield _line(part, stored.document.get(part))
        for match in tx.tournaments.all_matches(tournament_id):
            yield _line(
                "match",
                {
                    "number": match.number,
                    "line_up": [labels[number] for number in match.line_up],
                    "games": match.games_played,
                    "sums": match.sums,
                },
            )
        for leg in tx.legs.all(tournament_id):
            yield _line(
                "game",
                {
                    "match": leg.match,
                    "block": leg.block,
                    "leg": leg.leg,
                    "seats": [labels[number] for number in leg.seating],
                    "totals": leg.totals,
                    "ranks": leg.ranks,
                    "fault": leg.fault.kind if leg.fault else None,
                    "record": expand(leg.record, rules),
                },
            )


def _line(kind: str, value: Any) -> bytes:
    return json.dumps({kind: value}, sort_keys=True, separators=(",", ":")).encode() + b"\n"
