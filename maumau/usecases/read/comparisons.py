"""Is one version better than another, and what does another rule set change?

Both are judged on complete prefixes, in block order: what they say does not depend on who played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from maumau.errors import InvalidInput, Problem
from maumau.storage import Database, Transaction
from maumau.storage.values import Tournament
from maumau.tournament.compare import compare
from maumau.tournament.intervals import CONFIDENCE
from maumau.tournament.sprt import decide, scores_of
from maumau.tournament.stop_rules import load_stop_rule
from maumau.tournament.sums import BlockSums
from maumau.usecases.read.tournaments import found_tournament
from maumau.usecases.sums import gather

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class VersionTest:
    """How the sequential test of a new version against an old one stands.

    `verdict` is `better`, `not better` or `undecided`; `log_ratio` the log likelihood ratio after
    `seeds` seeds, decided where it leaves `low` to `high`; `seeds_played` all complete ones.
    """

    tournament: str
    state: str
    new: str
    old: str
    verdict: str
    log_ratio: float
    low: float
    high: float
    seeds: int
    seeds_played: int
    worse: float
    better: float
    alpha: float
    beta: float


@dataclass(frozen=True, slots=True)
class RuleComparison:
    """Every two entrants under two rule sets, over the seeds that both tournaments have played.

    `rows` are those of `maumau.tournament.compare.Change`, entrants as labels.
    """

    first: str
    second: str
    first_rules: str
    second_rules: str
    seeds: int
    confidence: float
    rows: tuple[Mapping[str, Any], ...]


def version_test(
    db: Database, tournament_id: str, asked: Mapping[str, Any] = NOTHING
) -> VersionTest:
    """Test whether entrant `new` is better than `old`, by the seeds that both played.

    `asked` has the keys of a stop rule of kind `better`; what it lacks is as in the tournament's
    stop rule, where that is of this kind. Raises `NotFound`, and `InvalidInput` for what are not
    two entrants of the tournament.
    """
    with db.read() as tx:
        found = found_tournament(tx, tournament_id)
        labels = [one.label for one in tx.tournaments.entrants(tournament_id)]
        stop = found.stop if found.stop and found.stop["kind"] == "better" else {}
        rule = load_stop_rule({**stop, **asked, "kind": "better"})
        pair, what = rule.pair(labels), rule.test
        assert pair is not None
        assert what is not None
        sums, complete = _played(tx, found, len(labels))
    scores = scores_of(sums.first_blocks(complete), *pair)
    tested = decide(scores, what)
    new, old = (labels[number] for number in pair)
    return VersionTest(
        tournament=found.id,
        state=found.state,
        new=new,
        old=old,
        verdict=tested.verdict,
        log_ratio=round(tested.log_ratio, 6),
        low=round(tested.low, 6),
        high=round(tested.high, 6),
        seeds=tested.seeds,
        seeds_played=len(scores),
        worse=what.worse,
        better=what.better,
        alpha=what.alpha,
        beta=what.beta,
    )


def rule_comparison(db: Database, first_id: str, second_id: str) -> RuleComparison:
    """Compare two tournaments of the same entrants on the same seeds under two rule sets.

    Raises `NotFound`, and `InvalidInput` where they cannot be compared.
    """
    with db.read() as tx:
        first, second = (found_tournament(tx, one) for one in (first_id, second_id))
        entrants = tx.tournaments.entrants(first_id)
        labels = [one.label for one in entrants]
        others = [one.label for one in tx.tournaments.entrants(second_id)]
        differ = {
            "entrants": labels != others,
            "seed": first.commitment != second.commitment,
            "seats": first.seats != second.seats,
            "line_ups": first.line_ups != second.line_ups,
        }
        if any(differ.values()):
            names = ", ".join(name for name, differs in differ.items() if differs)
            message = f"only tournaments that differ in their rules can be compared, not in {names}"
            raise InvalidInput([Problem("with", message)])
        played = [_played(tx, one, len(labels)) for one in (first, second)]
    seeds = min(complete for _, complete in played)
    changes = compare(
        *(sums.first_blocks(seeds) for sums, _ in played),
        repeated=any(load_stop_rule(one.stop).repeated for one in (first, second)),
    )
    return RuleComparison(
        first=first.id,
        second=second.id,
        first_rules=first.rules_name or first.rule_set_id,
        second_rules=second.rules_name or second.rule_set_id,
        seeds=seeds,
        confidence=CONFIDENCE,
        rows=tuple(
            asdict(one) | {"entrant": labels[one.entrant], "other": labels[one.other]}
            for one in changes
        ),
    )


def _played(tx: Transaction, one: Tournament, entrants: int) -> tuple[BlockSums, int]:
    """Give a tournament's sums, and how many blocks from the first on are complete."""
    line_ups, sums = tx.tournaments.line_ups(one.id), tx.legs.sums(one.id)
    complete = one.ended_blocks or tx.chunks.complete_blocks(one.id, one.blocks)
    return gather(entrants, one.blocks, line_ups, sums), complete
