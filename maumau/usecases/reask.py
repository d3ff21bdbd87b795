"""Ask a bot again in a position of a recorded game, as it was asked there.

A new object of the bot is led through the game from its beginning, each of its decisions included,
so that its `rng` and what it remembers stand as they stood; but the game goes on as recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from maumau.arena.limits import Limits
from maumau.arena.trials import Trials
from maumau.bots.source import BotSource
from maumau.bots.trial import Seat, SeatFault
from maumau.errors import InvalidInput, Problem, RecordError
from maumau.rules.deal import Deal
from maumau.rules.game import Game
from maumau.rules.observation import Observation
from maumau.rules.record import verify_record
from maumau.rules.ruleset import load_rules
from maumau.settings import Uploads


@dataclass(frozen=True, slots=True)
class Place:
    """A decision of a record: what is asked of whom."""

    seat: int
    deal: int
    action: int

    def __str__(self) -> str:
        return f"seat {self.seat}, deal {self.deal}, action {self.action}"


@dataclass(frozen=True, slots=True)
class Other:
    """An answer on the way that is not the recorded one."""

    place: Place
    recorded: str
    answer: str


@dataclass(slots=True)
class Reasked:
    """What a bot did: an `answer`, which may be illegal, or a fault's `kind` and `detail`.

    `asked` is the decision that was asked for, `place` where it ended: before it, if the bot failed
    on the way. `recorded` is the action or the fault of the record there.
    """

    asked: Place
    place: Place
    observation: Observation
    recorded: str
    answer: str | None = None
    kind: str = ""
    detail: str = ""
    others: list[Other] = field(default_factory=list)
    name: str = ""
    runtime: str = ""
    log: str = ""
    cpu_ms: float = 0.0


def place_in(
    record: Mapping[str, Any],
    *,
    seat: int | None = None,
    deal: int | None = None,
    at: int | None = None,
) -> Place:
    """Name the decision: the one asked for, else the one that the record's fault is at.

    Raises `InvalidInput` with the path of what is missing.
    """
    fault = record["fault"]
    if fault is not None and seat in (None, fault["seat"]) and deal is None and at is None:
        return Place(fault["seat"], fault["deal"], fault["action"])
    missing = [
        Problem(path, "is needed: the record has no fault of this seat to ask for")
        for path, value in (("seat", seat), ("at", at))
        if value is None
    ]
    if seat is None or at is None:
        raise InvalidInput(missing)
    return Place(seat, deal or 0, at)


def reask(
    record: Mapping[str, Any],
    place: Place,
    source: BotSource,
    *,
    limits: Limits,
    uploads: Uploads,
    alive: Callable[[], None] = lambda: None,
) -> Reasked:
    """Ask a bot one decision of a record, in a process under limits.

    Raises `RecordError` for a record that does not hold, `InvalidInput` for a decision that there
    is not, `BotError` for a bot that does not load, `Unavailable` where it cannot be run.
    """
    verify_record(record)
    _check(record, place)
    rules, seats = load_rules(record["rules"]), record["seats"]
    game = Game(rules, seats=len(seats), seed=record["seed"], names=seats)
    with Trials(source, limits=limits, uploads=uploads, alive=alive) as trials:
        try:
            trials.load(rules)
            done = _led(record, place, game, trials)
        finally:
            log = trials.log()
        done.name, done.runtime, done.log = trials.name, trials.runtime, log
    return done


def _check(record: Mapping[str, Any], place: Place) -> None:
    """Refuse a decision that nobody made."""
    seats, deals = len(record["seats"]), record["deals"]
    problems = []
    if not 0 <= place.seat < seats:
        problems.append(Problem("seat", f"must be 0 to {seats - 1}"))
    if not 0 <= place.deal < len(deals):
        problems.append(Problem("deal", f"must be 0 to {len(deals) - 1}"))
    elif not 0 <= place.action <= len(deals[place.deal]["actions"]):
        most = len(deals[place.deal]["actions"])
        problems.append(Problem("at", f"must be 0 to {most}: deal {place.deal} has so many"))
    if problems:
        raise InvalidInput(problems)


def _led(record: Mapping[str, Any], place: Place, game: Game, trials: Trials) -> Reasked:
    rules, seats = game.rules, game.seats
    done = Reasked(place, place, game.deal.observation(place.seat), "")
    here = place
    deal = game.deal
    player: Seat | None = None
    try:
        for number in range(place.deal + 1):
            deal = game.deal
            asking = _asking(record, place, deal, number)
            if player is None:
                here = Place(place.seat, number, 0)
                player = trials.fresh(rules, seats, place.seat, game.seed)
            player.start(deal)
            for at, action in asking:
                if deal.seat == place.seat and len(deal.legal_ids()) > 1:
                    here = Place(place.seat, number, at)
                    before = trials.cpu_ns
                    answer = player.ask(deal)
                    done.cpu_ms = (trials.cpu_ns - before) / 1_000_000
                    if here == place:
                        done.answer = answer
                        break
                    if answer not in deal.legal_actions():
                        raise SeatFault("illegal_action", f"answered {answer!r}")
                    if answer != action:
                        done.others.append(Other(here, action, answer))
                game.apply(action)
            else:
                if deal.over:
                    player.end(deal, deal.result())
    except SeatFault as fault:
        done.kind, done.detail = fault.kind, fault.detail
    finally:
        if player is not None:
            player.close()
    done.place, done.observation = here, deal.observation(place.seat)
    done.recorded = _recorded(record, here)
    if done.answer is not None and done.answer not in deal.legal_actions():
        legal = " ".join(deal.legal_actions())
        done.kind, done.detail = "illegal_action", f"answered {done.answer}; legal were: {legal}"
    return done


def _asking(
    record: Mapping[str, Any], place: Place, deal: Deal, number: int
) -> list[tuple[int, str]]:
    """Give the actions of a deal by number, up to the decision that is asked for."""
    actions = [action for _, action in record["deals"][number]["actions"]]
    if number < place.deal:
        return list(enumerate(actions))
    known = _decisions(deal, actions, place.seat)
    fault = record["fault"]
    if fault is not None and fault["kind"] == "start" and place == place_in(record):
        # It may have failed before it was asked anything.
        known.append(place.action)
    if place.action not in known:
        where = ", ".join(map(str, known)) or "none"
        message = (
            f"seat {place.seat} had nothing to decide there; in deal {number} it had at {where}"
        )
        raise InvalidInput([Problem("at", message)])
    return list(enumerate([*actions, ""]))[: place.action + 1]


def _decisions(deal: Deal, actions: list[str], seat: int) -> list[int]:
    """Give the numbers of the actions of a deal at which a seat had a choice."""
    there, found = deal.copy(), []
    for at, action in enumerate([*actions, ""]):
        if there.over:
            break
        if there.seat == seat and len(there.legal_ids()) > 1:
            found.append(at)
        if action:
            there.apply(action)
    return found


def _recorded(record: Mapping[str, Any], place: Place) -> str:
    """Give what the record has at a decision: the action, or the fault."""
    fault = record["fault"]
    if fault is not None and (fault["deal"], fault["action"]) == (place.deal, place.action):
        return f"{fault['kind']}: {fault['detail']}"
    actions = record["deals"][place.deal]["actions"]
    if place.action >= len(actions):
        raise RecordError(f"deals[{place.deal}]", "ends before this decision")
    return str(actions[place.action][1])
