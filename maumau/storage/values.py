"""What the repositories take and give: frozen values, one per thing that is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Role = Literal["reader", "author", "admin"]
ROLES: tuple[Role, ...] = ("reader", "author", "admin")
"""Each may do what those before it may."""

BotKind = Literal["plugin", "wheel", "py"]
VersionState = Literal["pending", "accepted", "rejected", "withdrawn"]
TournamentState = Literal["scheduled", "running", "finished", "cancelled"]
ChunkState = Literal["due", "claimed", "done", "stuck"]
LineUps = Literal["all", "balanced"]


@dataclass(frozen=True, slots=True)
class Account:
    """Who owns bots and tokens; a system account holds what the operator installed.

    `role` is the most that its tokens may do; of a caller, what the token in hand may do. From
    `disabled_at` on none of its tokens holds.
    """

    id: int
    name: str
    role: Role
    system: bool
    created_at: datetime
    disabled_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """The right to act for an account; of the token itself only its SHA-256 is kept."""

    id: str
    account_id: int
    sha256: str = field(repr=False)
    role: Role
    label: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    session_of: str | None = None
    """The id of the token that a browser's session was begun with: it holds no longer than that."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request with an `Idempotency-Key` was answered with."""

    account_id: int
    key: str
    fingerprint: str
    status: int
    headers: dict[str, str]
    body: bytes = field(repr=False)
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Bot:
    """A name and whose it is."""

    id: int
    name: str
    owner: str
    owner_id: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a bot version was rejected: a stable code and a sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A bot version to be kept; its number is given by the repository."""

    sha256: str
    kind: BotKind
    filename: str
    entry: str
    size: int
    state: VersionState
    created_at: datetime


@dataclass(frozen=True, slots=True)
class BotVersion:
    """One immutable release of a bot: `label` is `name@number`."""

    id: int
    bot_id: int
    bot: str
    version: int
    owner: str
    owner_id: int
    sha256: str
    kind: BotKind
    filename: str
    entry: str
    size: int
    state: VersionState
    reasons: tuple[Reason, ...]
    report: dict[str, Any] | None
    created_at: datetime
    decided_at: datetime | None
    check_attempts: int

    @property
    def label(self) -> str:
        """Give `name@number`."""
        return f"{self.bot}@{self.version}"


@dataclass(frozen=True, slots=True)
class StoredRules:
    """A rule set that was used or created: its id is the SHA-256 of its canonical JSON."""

    id: str
    canonical: str = field(repr=False)
    name: str
    owner: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament's row; `seed` is secret until it has ended, unless `open_seed`."""

    id: str
    name: str
    owner: str
    owner_id: int
    state: TournamentState
    rule_set_id: str
    rules_name: str
    seats: int
    blocks: int
    line_ups: LineUps
    limits: dict[str, Any]
    seed: str = field(repr=False)
    commitment: str
    open_seed: bool
    created_at: datetime
    start_at: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    games_total: int
    games_played: int
    chunks_total: int
    chunks_done: int
    stop: dict[str, Any] | None = None
    ended_blocks: int | None = None
    repeat: dict[str, Any] | None = None
    asked: list[str] | None = None
    series: str | None = None
    repetition: int | None = None
    fault_share: float | None = None
    luck_model: str | None = None


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot version in a tournament; `number` is its place in the canonical order.

    `suspended_after` is how many blocks count for it where it was suspended for faults.
    """

    number: int
    bot_version_id: int
    label: str
    sha256: str
    suspended_after: int | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """What an entrant has in the end, as `maumau.tournament.sums.ENTRANT_COLUMNS`."""

    bot_version_id: int
    sums: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """All blocks of a line-up; `line_up` holds entrant numbers, `sums` see `BlockSum`."""

    tournament_id: str
    number: int
    line_up: tuple[int, ...]
    games_total: int
    games_played: int
    sums: tuple[int, ...]

    @property
    def id(self) -> str:
        """Give the match's id, a function of tournament and place in its plan."""
        return f"{self.tournament_id}-{self.number}"


@dataclass(frozen=True, slots=True)
class NewChunk:
    """A planned run of blocks of one match, still to be stored as due."""

    number: int
    match: int
    first_block: int
    blocks: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """The unit of work: a planned run of blocks of one match."""

    tournament_id: str
    number: int
    match: int
    first_block: int
    blocks: int
    state: ChunkState
    claimed_by: str | None
    lease_until: datetime | None
    attempts: int
    host_faults: int
    deaths: int
    log: str = field(repr=False)

    @property
    def id(self) -> str:
        """Give the chunk's key, a function of tournament and place in its plan."""
        return f"{self.tournament_id}-{self.number}"


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to commit a chunk: the worker and which attempt this is."""

    chunk: Chunk
    worker: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot's misbehaviour in one game: where, what, and what it left behind.

    `detail` is the same whenever the game is played, `seen` is what was measured this time.
    """

    entrant: int
    seat: int
    kind: str
    detail: str
    deal: int
    action: int
    seen: str
    log: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Leg:
    """One seating of a block's game: `seating` holds the entrant number at each seat."""

    tournament_id: str
    match: int
    block: int
    leg: int
    seating: tuple[int, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    deals: int
    fault: Fault | None
    record: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """Give the game's id, a function of tournament and place in its plan."""
        return f"{self.tournament_id}-{self.match}-{self.block}-{self.leg}"


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A leg that ended in a fault, as the standings need it; `fault` is the seat."""

    block: int
    seating: tuple[int, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    fault: int


@dataclass(frozen=True, slots=True)
class BlockSum:
    """The integers that a block of a match adds to the standings.

    The meaning of `sums` is `maumau.tournament`'s; storage only adds them place by place.
    """

    match: int
    block: int
    sums: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StoredStandings:
    """The maintained result of a tournament, as of `chunks_done` committed chunks.

    `cost_ms` is what it took to make, so that the next one can be spaced by it.
    """

    tournament_id: str
    chunks_done: int
    final: bool
    document: dict[str, Any]
    cost_ms: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class StoredLeaderboard:
    """The maintained leaderboard of a rule set at tables of so many seats."""

    rule_set_id: str
    seats: int
    tournaments: int
    document: dict[str, Any]
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class LeaderboardSum:
    """The running sums of so many tournaments; the meaning of `content` is the use case's."""

    tournaments: int
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class ChunkCounts:
    """How many chunks of a tournament are in each state."""

    due: int = 0
    claimed: int = 0
    done: int = 0
    stuck: int = 0


@dataclass(frozen=True, slots=True)
class WorkerSign:
    """A worker's sign of life: `cages` says whether it can run uploaded bots safely, or why not."""

    name: str
    seen_at: datetime
    cages: bool
    cage_reason: str


@dataclass(frozen=True, slots=True)
class GameTable:
    """A table at which a person plays; `id` and `seed` are secrets while the game goes on.

    `versions` holds the bot version's id at each seat, None where the person sits; `actions` the
    actions of each deal, `moves` how many there are in all; `fault` is [seat, kind, detail].
    """

    id: str = field(repr=False)
    rule_set_id: str
    rules_name: str
    versions: tuple[int | None, ...]
    names: tuple[str, ...]
    seed: str = field(repr=False)
    open_seed: bool
    actions: tuple[tuple[str, ...], ...]
    moves: int
    fault: tuple[int, str, str] | None
    over: bool
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class ProblemReport:
    """What a person found wrong in a position: the game as it was then is kept with it."""

    id: str
    table_id: str = field(repr=False)
    deal: int
    step: int
    actions: tuple[tuple[str, ...], ...]
    comment: str
    created_at: datetime
    answer: str | None
    answered_by: str | None
    answered_at: datetime | None
