"""Records in a small form: the seed, and one byte for every decision that was a choice.

A forced action is not kept, and neither is anything that the replay gives back.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from maumau.errors import MaumauError, RecordError
from maumau.rules.actions import ACTION_NUMBER
from maumau.rules.deal import Deal
from maumau.rules.game import Game
from maumau.rules.ruleset import RuleSet

VERSION: Final = 1


class _Fault(msgspec.Struct, array_like=True, frozen=True):
    seat: int
    kind: str
    detail: str
    action: int


class _Compact(msgspec.Struct, array_like=True, frozen=True):
    version: int
    rules: str
    seed: str
    names: list[str]
    choices: list[bytes]
    """Per deal, the place in the list of legal actions wherever it held more than one."""
    fault: _Fault | None


def pack_game(game: Game) -> bytes:
    """Give the small form of a game that is over."""
    fault = game.fault
    kept = None
    if fault is not None:
        kept = _Fault(fault.seat, fault.kind, fault.detail, fault.action)
    choices = [_choices(deal, game.seed) for deal in game.deals]
    return msgspec.msgpack.encode(
        _Compact(VERSION, game.rules.id, game.seed, game.names, choices, kept)
    )


def _choices(deal: Deal, seed: str) -> bytes:
    replay = Deal(deal.rules, deal.seats, deal.leader, seed, deal.number)
    places = bytearray()
    for _, action in deal.actions():
        number = ACTION_NUMBER[action]
        legal = replay.legal_ids()
        if len(legal) > 1:
            places.append(legal.index(number))
        replay.apply_id(number)
    return bytes(places)


def expand(compact: bytes, rules: RuleSet) -> dict[str, Any]:
    """Give the whole record again by replaying; raises RecordError if it does not replay."""
    try:
        kept = msgspec.msgpack.decode(compact, type=_Compact)
    except msgspec.MsgspecError as error:
        raise RecordError("", f"this is no compact record ({error})") from None
    if kept.version != VERSION:
        raise RecordError("version", f"is {kept.version}; only {VERSION} can be read")
    if kept.rules != rules.id:
        raise RecordError("rules", f"the record was played by rule set {kept.rules}")
    try:
        return _replay(kept, rules).record()
    except RecordError:
        raise
    except MaumauError as error:
        raise RecordError("", str(error)) from None


def _replay(kept: _Compact, rules: RuleSet) -> Game:
    game = Game(rules, seats=len(kept.names), seed=kept.seed, names=kept.names)
    last = len(kept.choices) - 1
    for number, choices in enumerate(kept.choices):
        if game.over:
            raise RecordError(f"deals[{number}]", "the game was over before this deal")
        stop = kept.fault.action if kept.fault is not None and number == last else None
        _replay_deal(game, number, choices, stop)
    if kept.fault is not None and not game.over:
        game.forfeit(kept.fault.seat, kept.fault.kind, kept.fault.detail)
    return game


def _replay_deal(game: Game, number: int, choices: bytes, stop: int | None) -> None:
    """Play one deal on: to its end, or to the number of actions at which it was forfeited."""
    deal = game.deal
    at = 0
    while not deal.over and deal.action_count != stop:
        legal = deal.legal_ids()
        choice = 0
        if len(legal) > 1:
            if at == len(choices) or choices[at] >= len(legal):
                raise RecordError(f"deals[{number}]", f"choice {at} is missing or impossible")
            choice = choices[at]
            at += 1
        game.apply_id(legal[choice])
    if at != len(choices):
        raise RecordError(f"deals[{number}]", "more was chosen than the deal has decisions")
