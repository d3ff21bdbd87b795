"""What arena and bot process say to one another: length-prefixed MessagePack arrays.

A frame is four bytes of length, little-endian, and a body. Every request carries a random number
that its answer must repeat, so that an answer cannot be written before the question. What comes
from a bot process is hostile until `read_answers` or `read_ready` has let it through.

The arena asks, the process answers::

    START  version, source, rules      →  cage report, then ready or the reason why not
    ASK    the decisions due, in order →  an action for each, or a fault
    END    how the last deals ended    →  no actions
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec
from msgspec import msgpack

from maumau.arena.faults import CRASH, ILLEGAL_ACTION, MEMORY, PROTOCOL, START, Fault, clean
from maumau.bots.base import rng_seed
from maumau.bots.reasons import REASONS
from maumau.wording import counted

VERSION: Final = 2
HEADER_BYTES: Final = 4

ASK: Final = 1
END: Final = 2

NEW_GAME: Final = 0
"""News: seat, seats, seed of the bot's rng."""
NEW_DEAL: Final = 1
"""News: what `DealInfo.to_wire` gives, and a snapshot if the bot wants to be told."""
EVENTS: Final = 2
"""News: flat integers, as `Deal.events` gives them."""
DEAL_OVER: Final = 3
"""News: end, finisher, hands, points, rating."""

WANTS_STARTS: Final = 1
WANTS_EVENTS: Final = 2
WANTS_ENDS: Final = 4

NO_ACTION: Final = -1
"""Stands for the action of a decision that ended in a fault."""

News = list[Any]


class Ask(NamedTuple):
    """One decision: the game, news of it, the position, and the events before that.

    `news` is what happened since the bot was last asked in the game, but for the last deal's
    events (as of `EVENTS`), which nearly every decision has and few have more.
    """

    game: int
    news: list[News]
    now: list[int]
    events: list[int]


class Start(msgspec.Struct, array_like=True, frozen=True):
    """The first request: what to load, and the rules as canonical JSON, with their name."""

    version: int
    nonce: int
    kind: str
    name: str
    entry: str
    path: str
    rules: bytes
    rules_name: str


class Ready(msgspec.Struct, array_like=True, frozen=True):
    """The answer to `Start`: a problem ("" for none; `code` as of a `BotError`), what it wants.

    `name` is what the bot calls itself.
    """

    nonce: int
    problem_kind: str
    code: str
    problem: str
    wants: int
    runtime: str
    name: str


class Answers(NamedTuple):
    """An action's index for each decision, `NO_ACTION` where `faults` has a fault for it."""

    actions: list[int]
    faults: dict[int, Fault]


class WireError(Exception):
    """What came is not an answer; the text says why."""


_encoder = msgpack.Encoder()
_decode_start = msgpack.Decoder(Start).decode
_decode_ready = msgpack.Decoder(Ready).decode
_decode_answers = msgpack.Decoder(tuple[int, list[int], list[tuple[int, str, str]]]).decode
_decode_request = msgpack.Decoder(tuple[int, int, list[Any]]).decode
_decode_report = msgpack.Decoder(tuple[str, str]).decode
_MALFORMED = (msgspec.MsgspecError, RecursionError, ValueError, TypeError)
_REPORTED = frozenset({CRASH, ILLEGAL_ACTION, MEMORY, START})


def frame(body: bytes) -> bytes:
    """Put the length before a body."""
    return len(body).to_bytes(HEADER_BYTES, "little") + body


def frame_length(header: bytes | bytearray) -> int:
    """Read the length of the body that follows."""
    return int.from_bytes(header[:HEADER_BYTES], "little")


# The arena's side.


def start_request(start: Start) -> bytes:
    """Encode the first request."""
    return _encoder.encode(start)


def new_game(seat: int, seats: int, game_seed: str) -> News:
    """Give the news that a game begins: of its seed only what the bot's rng needs.

    The seed itself determines all cards, so it never goes to a bot's process.
    """
    return [NEW_GAME, seat, seats, rng_seed(game_seed, seat)]


def request(nonce: int, kind: int, asks: list[Ask]) -> bytes:
    """Encode the decisions due (`ASK`), or last news (`END`)."""
    return _encoder.encode((nonce, kind, asks))


def read_report(body: bytes | bytearray) -> str:
    """Read how the lock-down went, "" if well; the bot's code has not run before."""
    try:
        word, problem = _decode_report(body)
    except _MALFORMED as error:
        raise WireError(f"no cage report: {clean(error)}") from None
    return clean(problem) if word == "cage" else "not a cage report"


def read_ready(body: bytes | bytearray, nonce: int) -> Ready:
    """Read the answer to `Start`."""
    try:
        ready = _decode_ready(body)
    except _MALFORMED as error:
        raise WireError(f"no answer to start: {clean(error)}") from None
    if ready.nonce != nonce:
        raise WireError("an answer to another request")
    if ready.problem_kind not in ("", START, MEMORY):
        raise WireError("an unknown kind of fault")
    if ready.code and ready.code not in REASONS:
        raise WireError("an unknown reason")
    return ready


def read_answers(body: bytes | bytearray, nonce: int, asked: int) -> Answers:
    """Read the answers to `asked` decisions; whether they are legal is for the caller to see."""
    try:
        given, actions, faults = _decode_answers(body)
    except _MALFORMED as error:
        raise WireError(f"what is no answer: {clean(error)}") from None
    if given != nonce:
        raise WireError("an answer to another request")
    if len(actions) != asked:
        raise WireError(f"{counted(len(actions), 'answer')} to {counted(asked, 'decision')}")
    if not faults:
        return Answers(actions, {})
    read: dict[int, Fault] = {}
    for at, kind, detail in faults:
        if not 0 <= at < asked or kind not in _REPORTED or at in read:
            raise WireError("a fault that cannot be")
        read[at] = Fault(kind, clean(detail))
    return Answers(actions, read)


def protocol_fault(error: WireError) -> Fault:
    """Make a fault of what could not be read."""
    return Fault(PROTOCOL, f"the process sent {error}")


# The bot process's side; the arena is trusted there.


def read_start(body: bytes) -> Start:
    """Read the first request."""
    return _decode_start(body)


def read_request(body: bytes) -> tuple[int, int, list[Any]]:
    """Read nonce, kind and decisions of a request."""
    return _decode_request(body)


def cage_report(problem: str) -> bytes:
    """Encode how the lock-down went."""
    return _encoder.encode(("cage", problem))


def ready_answer(ready: Ready) -> bytes:
    """Encode the answer to `Start`."""
    return _encoder.encode(ready)


def encode_answers(nonce: int, actions: list[int], faults: list[tuple[int, str, str]]) -> bytes:
    """Encode the answers to a request."""
    return _encoder.encode((nonce, actions, faults))
