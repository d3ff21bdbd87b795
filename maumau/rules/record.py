"""Records: checked without the bots, and written for people to read (docs/rules.md §5)."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any, Final

from maumau.errors import IllegalAction, InvalidInput, RecordError, RuleSetError
from maumau.rules.deal import Deal
from maumau.rules.game import RECORD_FORMAT, Game, deal_record
from maumau.rules.ruleset import RuleSet, load_rules, preset_of
from maumau.wording import counted

KEYS: Final = ("format", "seed", "rules", "seats", "deals", "totals", "ranks", "fault")
DEAL_KEYS: Final = (
    "leader",
    "order",
    "reshuffles",
    "actions",
    "end",
    "finisher",
    "hands",
    "points",
    "rating",
)
FAULT_KEYS: Final = ("seat", "kind", "detail", "deal", "action")
FAULT_KINDS: Final = ("illegal_action", "timeout", "crash", "protocol", "memory", "start")
WIDTH: Final = 100


def verify_record(record: Mapping[str, Any]) -> None:
    """Replay a record from its seed and actions and compare all that it says.

    Raises RecordError with the place of the first difference, such as `deals[2].actions[17]`.
    """
    _must_have("", record, KEYS)
    _must_equal("format", record["format"], RECORD_FORMAT)
    rules = _rules(record["rules"])
    seats, seed = record["seats"], record["seed"]
    if not isinstance(seats, list) or not all(isinstance(name, str) for name in seats):
        raise RecordError("seats", "must be a list of bot versions")
    if not isinstance(record["deals"], list) or not record["deals"]:
        raise RecordError("deals", "must be a list of at least one deal")
    fault = record["fault"]
    if fault is not None:
        _check_fault(fault, record, len(seats))
    try:
        game = Game(rules, seats=len(seats), seed=seed, names=seats)
    except InvalidInput as error:
        wrong = error.problems[0]
        raise RecordError(wrong.path, wrong.message) from None
    for number, entry in enumerate(record["deals"]):
        if game.over or game.number != number:
            raise RecordError(f"deals[{number}]", "the game ends before this deal")
        _replay_deal(game, f"deals[{number}]", entry)
    last = len(record["deals"]) - 1
    if fault is not None:
        if game.over or game.number != last:
            raise RecordError("fault", f"deal {last} had come to its end by then")
        if fault["kind"] == "illegal_action":
            _must_equal("fault.seat", fault["seat"], game.deal.seat)
        game.forfeit(fault["seat"], fault["kind"], fault["detail"])
        _compare_deal(f"deals[{last}]", record["deals"][last], deal_record(game.deal))
    elif not game.over:
        raise RecordError("deals", f"the game does not end with deal {last}")
    _must_equal("totals", record["totals"], game.totals)
    _must_equal("ranks", record["ranks"], game.ranks)


def _rules(given: object) -> RuleSet:
    if not isinstance(given, Mapping):
        raise RecordError("rules", "must be a whole rule set")
    try:
        rules = load_rules(given)
    except RuleSetError as error:
        raise RecordError("rules", str(error)) from None
    _must_equal("rules", given, rules.data)
    return rules


def _check_fault(fault: object, record: Mapping[str, Any], seats: int) -> None:
    _must_have("fault", fault, FAULT_KEYS)
    assert isinstance(fault, Mapping)
    for key in ("seat", "deal", "action"):
        if type(fault[key]) is not int:
            raise RecordError(f"fault.{key}", "must be a whole number")
    for key in ("kind", "detail"):
        if not isinstance(fault[key], str):
            raise RecordError(f"fault.{key}", "must be a text")
    if fault["kind"] not in FAULT_KINDS:
        raise RecordError("fault.kind", f"must be one of {', '.join(FAULT_KINDS)}")
    if not 0 <= fault["seat"] < seats:
        raise RecordError("fault.seat", f"must be from 0 to {seats - 1}")
    last = len(record["deals"]) - 1
    _must_equal("fault.deal", fault["deal"], last)
    entry = record["deals"][last]
    actions = entry.get("actions") if isinstance(entry, Mapping) else None
    if isinstance(actions, list):
        _must_equal("fault.action", fault["action"], len(actions))


def _replay_deal(game: Game, place: str, entry: object) -> None:
    _must_have(place, entry, DEAL_KEYS)
    assert isinstance(entry, Mapping)
    deal = game.deal
    _must_equal(f"{place}.leader", entry["leader"], deal.leader)
    _must_equal(f"{place}.order", entry["order"], deal.order())
    if not isinstance(entry["actions"], list):
        raise RecordError(f"{place}.actions", "must be a list")
    for k, step in enumerate(entry["actions"]):
        here = f"{place}.actions[{k}]"
        if not isinstance(step, list) or len(step) != 2:
            raise RecordError(here, "must be a pair of seat and action")
        if deal.over:
            raise RecordError(here, f"the deal has ended before ({deal.over})")
        _must_equal(f"{here}[0]", step[0], deal.seat)
        try:
            game.apply(step[1])
        except IllegalAction as error:
            raise RecordError(here, str(error)) from None
    if deal.over:
        _compare_deal(place, entry, deal_record(deal))
    elif entry["end"] != "forfeit":
        raise RecordError(f"{place}.actions", "the deal does not end with its last action")


def _compare_deal(place: str, said: Mapping[str, Any], true: Mapping[str, Any]) -> None:
    for key in DEAL_KEYS:
        here = f"{place}.{key}"
        if key == "hands":
            hands = said[key]
            if not isinstance(hands, list) or not all(isinstance(hand, list) for hand in hands):
                raise RecordError(here, "must be a list of hands")
            _must_equal(here, [sorted(hand, key=str) for hand in hands], true[key])
        elif key != "actions":
            _must_equal(here, said[key], true[key])


def _must_have(place: str, value: object, keys: tuple[str, ...]) -> None:
    if not isinstance(value, Mapping):
        raise RecordError(place, "must be an object")
    missing = [key for key in keys if key not in value]
    unknown = [key for key in value if key not in keys]
    if missing or unknown:
        wrong = [f"{key} is missing" for key in missing] + [
            f"{key!r} is unknown" for key in unknown
        ]
        raise RecordError(place, ", ".join(wrong))


def _must_equal(place: str, said: object, true: object) -> None:
    """Compare as JSON values: 1, 1.0 and true are not the same."""
    if type(said) is not type(true):
        raise RecordError(place, f"says {_shown(said)}; the replay gives {_shown(true)}")
    if isinstance(said, dict) and isinstance(true, dict):
        for key in sorted({*said, *true}, key=str):
            if key not in said or key not in true:
                which = "is missing" if key in true else "is unknown"
                raise RecordError(f"{place}.{key}", which)
            _must_equal(f"{place}.{key}", said[key], true[key])
    elif isinstance(said, list) and isinstance(true, list):
        if len(said) != len(true):
            raise RecordError(
                place, f"has {counted(len(said), 'entry', 'entries')}; the replay gives {len(true)}"
            )
        for k, (one, other) in enumerate(zip(said, true, strict=True)):
            _must_equal(f"{place}[{k}]", one, other)
    elif said != true:
        raise RecordError(place, f"says {_shown(said)}; the replay gives {_shown(true)}")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "…"


def record_text(record: Mapping[str, Any]) -> str:
    """Write a record for people: who played, then one deal a paragraph, like a chess score.

    Each seat's actions stand after its number; what a seat does in one go stays together. The
    record is taken at its word: `verify_record` checks it.
    """
    seats = [f"{seat} {name}" for seat, name in enumerate(record["seats"])]
    rules = load_rules(record["rules"])
    named = preset_of(rules) or f"of their own, {rules.id[:12]}"
    head = [f"Rules {named}. Seed {record['seed']!r}. Seats: {', '.join(seats)}."]
    deals = [
        _deal_text(number, deal, _starter(rules, len(seats), deal))
        for number, deal in enumerate(record["deals"])
    ]
    tail = []
    fault = record["fault"]
    if fault is not None:
        where = f"deal {fault['deal']}, action {fault['action']}"
        tail.append(f"Forfeited by seat {fault['seat']}: {fault['kind']} at {where}.")
        if fault["detail"]:
            tail.append(f"{fault['detail']!r}")
    tail.append(f"Totals {_listed(record['totals'])}; ranks {_listed(record['ranks'])}.")
    parts = [" ".join(head), *deals, " ".join(tail)]
    return "\n\n".join(parts) + "\n"


def _starter(rules: RuleSet, seats: int, deal: Mapping[str, Any]) -> str:
    """Give the card that a deal began with; none where the record's order cannot be dealt."""
    try:
        dealt = Deal.from_order(rules, seats, deal["leader"], deal["order"])
    except InvalidInput:
        return ""
    return dealt.observation(0).turned_up[-1]


def _deal_text(number: int, deal: Mapping[str, Any], starter: str) -> str:
    turns: list[str] = []
    last = None
    for seat, action in deal["actions"]:
        turns.append(action if seat == last else f"{seat}: {action}")
        last = seat
    left = [f"{seat}: {' '.join(hand) or 'none'}" for seat, hand in enumerate(deal["hands"])]
    ending = {"finished": f"Seat {deal['finisher']} finishes", "stock_out": "The stock is used up"}
    ending |= {"blocked": "Nobody can play or draw", "limit": "The limit of actions is reached"}
    sentences = [f"{ending.get(deal['end'], 'Forfeited')}; left {', '.join(left)}"]
    if deal["reshuffles"]:
        sentences.append(f"reshuffles {len(deal['reshuffles'])}")
    if deal["points"] is not None:
        sentences.append(f"points {_listed(deal['points'])}")
    if deal["rating"] is not None:
        sentences.append(f"rating {_listed(deal['rating'])}")
    begun = f"Deal {number}, led by seat {deal['leader']}" + (f", on {starter}" if starter else "")
    lines = [f"{begun}. {'; '.join(sentences)}."]
    lines.append(" ".join(turns) or "No action.")
    return "\n".join("\n".join(textwrap.wrap(line, WIDTH)) for line in lines)


def _listed(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
