"""The check that every bot version passes, the same on the author's machine and on the server.

It plays games under every preset and some odd rule sets, and gives what it found as data.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from maumau.bots.alone import deals_alone
from maumau.bots.hidden import hidden_cards
from maumau.bots.report import Finding, Match, Report, Speed
from maumau.bots.trial import KINDS, Clock, SeatFault, SeatMaker, Trial, play_trial
from maumau.rules.presets import preset_names
from maumau.rules.ruleset import RuleSet, load_rules

ODD_RULES: Final = (
    {
        "players": [2, 4],
        "deck": {"lowest": "9"},
        "hand_size": 3,
        "starter": {"effect": "acts"},
        "effects": {
            "9": {"draw": 2, "answer": ["9", "T"]},
            "T": {"draw": 1, "answer": ["9", "T"], "again": True},
            "J": {"wild": {"not_on": ["J"]}},
            "Q": {"reverse": True, "skip": 1},
        },
        "reverse_with_two": "again",
        "draw": {"then": "may_play_drawn"},
        "after_penalty": "turn",
        "call": {"mode": "catch", "one_left": True, "last_card": "always", "penalty": 3},
    },
    {
        "players": [2, 5],
        "deck": {"lowest": "7", "jokers": 2},
        "hand_size": 5,
        "effects": {
            "7": {"draw": 3, "answer": ["7", "X"]},
            "8": {"wild": {"wish": False}, "accepts_any": True},
            "X": {"wild": {}, "draw": 4, "answer": ["X"]},
        },
        "draw": {"voluntary": True, "then": "may_play_any", "max": 3},
        "call": {"mode": "catch", "one_left": True, "last_card": "wild"},
        "max_actions": 120,
    },
)
"""Rule sets whose positions are rarer than those of any preset."""

MOST_GAMES: Final = 2_000


def check_bot(
    make: SeatMaker,
    *,
    clock: Clock,
    fresh: SeatMaker | None = None,
    decisions: int = 2_000,
    match_games: int = 40,
    limit_ms: float | None = None,
    seed: str = "check",
) -> Report:
    """Check a bot that has been loaded.

    `make` seats it for a game, all games one after another as a chunk does; `fresh` seats it in a
    new process where there is one. It makes at least `decisions` decisions, among them all rare
    kinds of position that its rule sets bring about. `clock` gives seconds, for the speed table;
    with `limit_ms` a bot is rejected of which one decision in a hundred takes longer. The first
    reason to reject ends the check.
    """
    trials: list[Trial] = []
    for rules, seats, seat, number in _schedule(decisions, trials):
        name = f"{seed}:{number}"
        trial = play_trial(make, rules, seats=seats, seat=seat, seed=name, clock=clock)
        trials.append(trial)
        if trial.fault is not None:
            return _report(trials, (_failed(trial, trial.fault),), limit_ms=limit_ms)
    findings, marked = _replays(fresh or make, trials, clock)
    findings += _slow(trials, limit_ms)
    if not findings and not marked:
        # What a bot carries over would look like hidden knowledge.
        findings = hidden_cards(fresh or make, trials, random.Random(seed))
        carried = None if findings else deals_alone(fresh or make, trials)
        marked = () if carried is None else (carried,)
    matches: tuple[Match, ...] = ()
    if not findings:
        findings, matches = _matches(make, match_games, clock)
    return _report(trials, findings, marked, matches, limit_ms=limit_ms)


def _schedule(decisions: int, trials: Sequence[Trial]) -> Iterator[tuple[RuleSet, int, int, int]]:
    """Give games to play, until enough decisions were made and enough rare ones among them."""
    rule_sets = [load_rules(name) for name in preset_names()]
    rule_sets += [load_rules(data) for data in ODD_RULES]
    number = 0
    while number < MOST_GAMES:
        for rules in rule_sets:
            fewest, most = rules.players
            seats = fewest + number // len(rule_sets) % (most - fewest + 1)
            yield rules, seats, number % seats, number
            number += 1
        counts = _kinds(trials)
        made = sum(len(trial.decisions) for trial in trials)
        if made >= decisions and min(counts[kind] for kind in KINDS) >= decisions // 100:
            return


def _kinds(trials: Sequence[Trial]) -> Counter[str]:
    counts: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    for trial in trials:
        for decision in trial.decisions:
            counts.update(decision.kinds)
    return counts


def _failed(trial: Trial, fault: SeatFault) -> Finding:
    game = trial.game
    last = game.fault
    deal, action = (last.deal, last.action) if last else (game.number, game.deal.action_count)
    return Finding(fault.kind, fault.detail, trial.seat, deal, action, game.record())


def _replays(
    make: SeatMaker, trials: Sequence[Trial], clock: Clock
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Play some games again, each twice and alone: reasons to reject, and reasons for marks."""
    marked: list[Finding] = []
    count = len(preset_names()) + len(ODD_RULES)
    # The last games come after the most others.
    for trial in trials[-count:]:
        alone, again = (_again(make, trial, clock) for _ in range(2))
        for other in (alone, again):
            if other.fault is not None:
                return (_failed(other, other.fault),), ()
        if alone.choices != again.choices:
            return (_differs("not_repeatable", alone, again),), ()
        if alone.choices != trial.choices and not marked:
            marked.append(_differs("stateful", trial, alone))
    return (), tuple(marked)


def _again(make: SeatMaker, trial: Trial, clock: Clock) -> Trial:
    game = trial.game
    return play_trial(
        make, game.rules, seats=game.seats, seat=trial.seat, seed=game.seed, clock=clock
    )


def _differs(code: str, first: Trial, second: Trial) -> Finding:
    """Name the first decision in which two plays of a game differ."""
    pairs = zip(first.choices, second.choices, strict=False)
    (deal, action, choice), other = next((one, two) for one, two in pairs if one != two)
    message = f"the same position was answered by {choice} and by {other[2]}"
    if code == "not_repeatable":
        message += (
            "; a bot's only randomness is self.info.rng, not the module random, the time or hash()"
        )
    else:
        message += ", in the middle of other games and in the game alone"
    return Finding(code, message, first.seat, deal, action, first.game.record())


def _slow(trials: Sequence[Trial], limit_ms: float | None) -> tuple[Finding, ...]:
    speed = _speed(trials, limit_ms)
    if speed is None or limit_ms is None or speed.p99 <= limit_ms:
        return ()
    pairs = ((it.seconds, trial, it) for trial in trials for it in trial.decisions)
    seconds, trial, worst = max(pairs, key=lambda pair: pair[0])
    message = (
        f"one decision in a hundred takes {speed.p99:.1f} ms or longer, this one "
        f"{1000 * seconds:.1f} ms; the limit is {limit_ms:g} ms"
    )
    record = trial.game.record()
    return (Finding("timeout", message, trial.seat, worst.deal, worst.action, record),)


def _speed(trials: Sequence[Trial], limit_ms: float | None) -> Speed | None:
    times = sorted(1000 * it.seconds for trial in trials for it in trial.decisions)
    if not times:
        return None
    last = len(times) - 1
    return Speed(times[last // 2], times[last * 99 // 100], times[last], limit_ms)


def _matches(
    make: SeatMaker, games: int, clock: Clock
) -> tuple[tuple[Finding, ...], tuple[Match, ...]]:
    """Play short matches of two seats against lots, on the same cards from both seats."""
    matches = []
    for name in ("champion", "gamerules", "gameduell"):
        rules = load_rules(name)
        score = 0.0
        for number in range(games):
            seed = f"match:{number // 2}"
            seat = number % 2
            trial = play_trial(make, rules, seats=2, seat=seat, seed=seed, clock=clock)
            if trial.fault is not None:
                return (_failed(trial, trial.fault),), ()
            ranks = trial.game.ranks
            score += 0.5 if ranks[0] == ranks[1] else 1.0 if ranks[seat] == 1 else 0.0
        if games:
            matches.append(Match(name, games, score / games))
    return (), tuple(matches)


def _report(
    trials: Sequence[Trial],
    findings: tuple[Finding, ...],
    marked: tuple[Finding, ...] = (),
    matches: tuple[Match, ...] = (),
    *,
    limit_ms: float | None,
) -> Report:
    return Report(
        findings=findings,
        marks=tuple(sorted({mark.code for mark in marked})),
        marked=marked,
        games=len(trials),
        decisions=sum(len(trial.decisions) for trial in trials),
        kinds=dict(_kinds(trials)),
        speed=_speed(trials, limit_ms),
        matches=matches,
    )
