"""Derive a tournament's results again from its records and compare them with what is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from maumau.errors import MaumauError
from maumau.rules.compact import expand
from maumau.rules.record import verify_record
from maumau.rules.ruleset import RuleSet
from maumau.storage import Database, Transaction
from maumau.storage.values import Entrant, Leg, Match, Tournament
from maumau.tournament import seeds
from maumau.tournament.formats import Plan, plan
from maumau.tournament.suspension import suspended
from maumau.usecases import rank, suspend
from maumau.usecases.read.games import rules_of
from maumau.usecases.read.tournaments import found_tournament
from maumau.usecases.sums import gather, sums_of, total
from maumau.wording import counted


@dataclass(frozen=True, slots=True)
class Verified:
    """What was looked at, and every difference that was found; none means that all agrees."""

    games: int
    matches: int
    complete: bool
    differences: tuple[str, ...]


def verify_tournament(db: Database, tournament_id: str) -> Verified:
    """Replay every record of a tournament and derive matches, sums and standings from it again.

    The plan, seeds, seatings, totals, ranks and faults must be those that are kept. Raises
    `NotFound`.
    """
    with db.read() as tx:
        check = _Check(tx, found_tournament(tx, tournament_id))
        found = tuple(check.run())
        return Verified(
            games=check.games,
            matches=len(check.matches),
            complete=check.games == check.tournament.games_total,
            differences=found,
        )


def differences(tx: Transaction, tournament_id: str) -> Iterator[str]:
    """Give every difference within a transaction, as a sentence with its place."""
    return _Check(tx, found_tournament(tx, tournament_id)).run()


class _Check:
    def __init__(self, tx: Transaction, tournament: Tournament):
        self.tx, self.tournament = tx, tournament
        self.rules: RuleSet = rules_of(tx, tournament.id)
        self.entrants: tuple[Entrant, ...] = tx.tournaments.entrants(tournament.id)
        self.matches: list[Match] = tx.tournaments.all_matches(tournament.id)
        self.plan: Plan = plan(
            len(self.entrants),
            seats=tournament.seats,
            blocks=tournament.blocks,
            line_ups=tournament.line_ups,
        )
        self.games = 0

    def run(self) -> Iterator[str]:
        """Give every difference, as a sentence with its place."""
        yield from self._plan()
        kept = self.tx.legs.sums(self.tournament.id)
        derived = []
        played = dict.fromkeys(range(len(self.matches)), 0)
        legs = self.tx.legs.all(self.tournament.id)
        for number, group in groupby(legs, key=lambda leg: leg.match):
            match = self.matches[number]
            mine = []
            for leg in group:
                self.games += 1
                played[number] += 1
                yield from self._leg(match, leg)
                mine.append(leg)
            sums = sums_of(match.line_up, mine)
            derived += sums
            if match.sums != total(sums):
                yield f"match {match.id}: its sums are not those of its games"
        for match in self.matches:
            if match.games_played != played[match.number]:
                yield f"match {match.id}: {counted(match.games_played, 'game')} said to be played"
        if kept != derived:
            yield "the block sums are not those of the games"
        if self.tournament.games_played != self.games:
            said = counted(self.tournament.games_played, "game")
            yield f"{said} said to be played, not {self.games}"
        stored = self.tx.standings.standings(self.tournament.id)
        basis = replace(rank.basis_of(self.tx, self.tournament.id), sums=derived, final=True)
        whole = gather(len(self.entrants), self.tournament.blocks, basis.line_ups, derived)
        ended = self.tournament.ended_blocks
        complete = basis.complete if ended is None else ended
        if self.tournament.state == "finished" and (
            basis.ends_at(whole, complete=complete) != ended
        ):
            yield "the tournament did not end where its stop rule says"
        if self.tournament.state == "finished" and basis.suspended != suspended(
            suspend.played(basis.line_ups, derived),
            fault_share=self.tournament.fault_share,
            complete=complete,
        ):
            yield "other entrants are suspended than their faults say"
        if stored is None or (stored.final and stored.document != rank.document_of(basis, whole)):
            yield "the standings and crosstable are not those of the games"

    def _plan(self) -> Iterator[str]:
        tournament = self.tournament
        if seeds.commitment(tournament.seed) != tournament.commitment:
            yield "the commitment is not the seed's"
        if [match.line_up for match in self.matches] != list(self.plan.line_ups):
            yield "the line-ups are not those of the plan"
        games = self._games_planned()
        if games != tournament.games_total:
            yield f"{counted(tournament.games_total, 'game')} said to be planned, not {games}"

    def _games_planned(self) -> int:
        """Count the games of the plan that count: none after a stop or a suspension."""
        ended = self.tournament.ended_blocks
        after = {
            one.number: one.suspended_after
            for one in self.entrants
            if one.suspended_after is not None
        }
        if ended is None and not after:
            return self.plan.games
        blocks = self.tournament.blocks if ended is None else ended
        tables = sum(
            all(block < after.get(entrant, blocks) for entrant in self.matches[number].line_up)
            for block in range(blocks)
            for number in self.plan.playing(block)
        )
        return tables * self.plan.legs

    def _leg(self, match: Match, leg: Leg) -> Iterator[str]:
        seatings = self.plan.seatings(match.number, leg.block)
        if leg.leg >= len(seatings) or leg.seating != seatings[leg.leg]:
            yield f"game {leg.id}: its seating is not the plan's"
            return
        try:
            record = expand(leg.record, self.rules)
            verify_record(record)
        except MaumauError as error:
            yield f"game {leg.id}: its record does not hold: {error}"
            return
        said = {
            "seed": seeds.block_seed(self.tournament.seed, leg.block),
            "seats": [self.entrants[number].label for number in leg.seating],
            "totals": list(leg.totals),
            "ranks": list(leg.ranks),
        }
        for key, value in said.items():
            if record[key] != value:
                yield f"game {leg.id}: its {key} are not those of its record"
        if len(record["deals"]) != leg.deals:
            yield f"game {leg.id}: its deals are not those of its record"
        kept = leg.fault and (leg.fault.seat, leg.fault.kind, leg.fault.deal, leg.fault.action)
        fault = record["fault"]
        told = fault and (fault["seat"], fault["kind"], fault["deal"], fault["action"])
        if kept != told:
            yield f"game {leg.id}: its fault is not that of its record"
