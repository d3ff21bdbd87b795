"""A person, or a remote program, plays bots at a table.

What is kept is the seed and the actions: the game is made anew from them whenever it is needed, so
it survives any restart. Bots are asked each decision afresh with a seed of its own, so that one
that is asked twice gives the same answer twice, and a game that went on meanwhile is noticed.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from maumau.arena.session import Answer
from maumau.errors import Conflict, IllegalAction, NotFound
from maumau.rules.deal import Deal
from maumau.rules.game import Game
from maumau.rules.ruleset import RuleSet
from maumau.storage import Account, Database, Transaction
from maumau.storage.values import BotVersion, GameTable
from maumau.tournament.seeds import commitment
from maumau.usecases.accounts import system_account
from maumau.usecases.ask import decision_seed, forced
from maumau.usecases.clock import Clock, Entropy
from maumau.usecases.read.games import load_stored
from maumau.usecases.replay import Replay
from maumau.usecases.rule_sets import keep_rules
from maumau.usecases.table_wish import TableWish, found_for, table_wish
from maumau.wording import counted

Ask = Callable[[BotVersion, Deal, str], Answer]
"""Gives a bot version's answer as the seat to act of a deal, with the seed of its rng."""

ID_BYTES = 20
SEED_BYTES = 32
MOST_AT_ONCE = 200
"""Actions of bots in one go: rules can let bots play among themselves for very long."""

_ID = re.compile(r"[a-z2-7]{32}")


@dataclass(frozen=True, slots=True)
class TableView:
    """A table and its game as it stands; `seat` is the person's.

    `seed` is None while the game goes on, unless it was given. `waiting` tells that a bot is to
    act: it was interrupted, and goes on when the table is played on.
    """

    id: str = field(repr=False)
    rules: RuleSet
    rules_name: str
    names: tuple[str, ...]
    seat: int
    game: Game = field(repr=False)
    moves: int
    seed_commitment: str
    seed: str | None
    open_seed: bool
    created_at: datetime
    changed_at: datetime

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @property
    def waiting(self) -> bool:
        """Whether a bot is to act."""
        return not self.game.over and self.game.deal.seat != self.seat

    @property
    def replay(self) -> Replay:
        """Give the game to be replayed; of a game that goes on it tells hidden cards."""
        actions = [[action for _, action in deal.actions()] for deal in self.game.deals]
        return Replay(self.rules, self.game.seed, self.names, actions)


def open_table(
    db: Database,
    clock: Clock,
    account: Account | None,
    request: Mapping[str, Any],
    *,
    entropy: Entropy,
    keep: Callable[[Transaction, TableView], None] | None = None,
) -> TableView:
    """Open a table and deal; no bot has acted yet.

    `request`: `rules` as for a tournament, `opponents` (one to eight bots, `name` or
    `name@version`, in playing order after the person), `seat` (of the person, default 0), `name`,
    `seed` (default: drawn). Raises `InvalidInput` with the path of every wrong value.
    """
    wish = table_wish(request)
    now = clock()
    with db.begin() as tx:
        rules, versions = found_for(tx, wish)
        # An anonymous person has no account: what comes with the arena owns the rules then.
        keep_rules(tx, rules, account or system_account(tx, now), now)
        table = _laid(wish, rules, versions, entropy, now)
        tx.game_tables.add(table)
        shown = _view(table, rules)
        if keep is not None:
            keep(tx, shown)
        return shown


def _laid(
    wish: TableWish, rules: RuleSet, versions: list[BotVersion], entropy: Entropy, now: datetime
) -> GameTable:
    """Make a table at which nobody has acted yet: the person's seat, the bots round it."""
    around: list[BotVersion | None] = [None, *versions]
    seats = len(around)
    placed = [around[(n - wish.seat) % seats] for n in range(seats)]
    return GameTable(
        id=base64.b32encode(entropy(ID_BYTES)).decode().lower(),
        rule_set_id=rules.id,
        rules_name=rules.name,
        versions=tuple(one.id if one else None for one in placed),
        names=tuple(one.label if one else wish.name for one in placed),
        seed=wish.seed or entropy(SEED_BYTES).hex(),
        open_seed=bool(wish.seed),
        actions=((),),
        moves=0,
        fault=None,
        over=False,
        created_at=now,
        changed_at=now,
    )


def table(db: Database, table_id: str) -> TableView:
    """Read a table; raises `NotFound`."""
    with db.read() as tx:
        return view_of(tx, found_table(tx, table_id))


def act(
    db: Database, clock: Clock, table_id: str, action: str, *, seen: int | None = None
) -> TableView:
    """Let the person act; no bot acts yet.

    `seen` is the number of actions that the person had seen: another one means that the game went
    on meanwhile, and nothing is done. Raises `IllegalAction`, `Conflict` (`moved_on`).
    """
    with db.begin() as tx:
        kept = found_table(tx, table_id)
        if seen is not None and seen != kept.moves:
            raise Conflict(
                "moved_on", f"the game has gone on: it has {counted(kept.moves, 'action')} now"
            )
        view = view_of(tx, kept)
        game = view.game
        if game.over:
            raise IllegalAction(action, [], "the game is over")
        if game.deal.seat != view.seat:
            raise IllegalAction(action, [], "a bot is to act; play the table on")
        game.apply(action)
        return _keep(tx, kept, game, clock())


def play_on(db: Database, clock: Clock, table_id: str, ask: Ask) -> TableView:
    """Let the bots act until the person is to act, or the game is over, or they have acted long.

    They are asked outside of any transaction; their actions are kept together. If somebody else
    played the table on meanwhile, what he kept is given.
    """
    with db.read() as tx:
        kept = found_table(tx, table_id)
        view = view_of(tx, kept)
        versions = tx.bots.many([one for one in kept.versions if one is not None])
    if not view.waiting:
        return view
    game = view.game
    for _ in range(MOST_AT_ONCE):
        if game.over or game.deal.seat == view.seat:
            break
        version_id = kept.versions[game.deal.seat]
        assert version_id is not None
        _bot_acts(game, versions[version_id], ask)
    with db.begin() as tx:
        return _keep(tx, kept, game, clock())


def found_table(tx: Transaction, table_id: str) -> GameTable:
    """Find a table; raises `NotFound`."""
    kept = tx.game_tables.get(table_id) if _ID.fullmatch(table_id) else None
    if kept is None:
        raise NotFound("table", table_id[:8])
    return kept


def view_of(tx: Transaction, kept: GameTable) -> TableView:
    """Make the game anew from what is kept."""
    stored = tx.rule_sets.get(kept.rule_set_id)
    assert stored is not None
    return _view(kept, load_stored(stored.canonical))


def _view(kept: GameTable, rules: RuleSet) -> TableView:
    game = Game(rules, seats=len(kept.names), seed=kept.seed, names=kept.names)
    for deal in kept.actions:
        for action in deal:
            game.apply(action)
    if kept.fault is not None and not game.over:
        game.forfeit(*kept.fault)
    return TableView(
        id=kept.id,
        rules=rules,
        rules_name=kept.rules_name,
        names=kept.names,
        seat=kept.versions.index(None),
        game=game,
        moves=kept.moves,
        seed_commitment=commitment(kept.seed),
        seed=kept.seed if game.over or kept.open_seed else None,
        open_seed=kept.open_seed,
        created_at=kept.created_at,
        changed_at=kept.changed_at,
    )


def _keep(tx: Transaction, kept: GameTable, game: Game, now: datetime) -> TableView:
    actions = [[action for _, action in deal.actions()] for deal in game.deals]
    fault = None
    if game.fault is not None:
        fault = (game.fault.seat, game.fault.kind, game.fault.detail)
    tx.game_tables.advance(
        kept.id, kept.moves, actions=actions, fault=fault, over=game.over, now=now
    )
    return view_of(tx, found_table(tx, kept.id))


def _bot_acts(game: Game, version: BotVersion, ask: Ask) -> None:
    deal = game.deal
    action = forced(deal)
    if action is None:
        seed = decision_seed(game.seed, game.number, deal.action_count)
        answer = ask(version, deal, seed)
        if answer.fault is not None:
            game.forfeit(deal.seat, answer.fault.kind, answer.fault.detail)
            return
        assert answer.action is not None
        action = answer.action
    game.apply(action)
