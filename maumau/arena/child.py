"""The bot's process: the only place where a submitted bot's code is imported and run."""

from __future__ import annotations

import faulthandler
import json
import os
import platform
import sys
from hashlib import sha256
from pathlib import Path
from typing import Literal, cast

from maumau.arena import wire
from maumau.arena.botgames import BotGames, logged, wanted
from maumau.arena.faults import EXIT_MEMORY, MEMORY, START
from maumau.bots.base import Bot
from maumau.bots.load import load_source
from maumau.bots.source import BotSource
from maumau.errors import BotError
from maumau.rules.ruleset import RuleSet

# More than a pipe holds would only be memory to clear, every time.
_READ_SIZE = 1 << 16


class Channel:
    """Frames over two descriptors; the other side closing its end ends the process."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._in = incoming
        self._out = outgoing

    def read(self) -> bytes:
        """Wait for the next frame's body."""
        # Question and answer alternate: what comes in one read belongs to one frame.
        data = os.read(self._in, _READ_SIZE)
        if len(data) < wire.HEADER_BYTES or len(data) < self._whole(data):
            data = self._read_on(data)
        return data[wire.HEADER_BYTES :]

    def _read_on(self, first: bytes) -> bytes:
        """Read the rest of a frame; the other side is gone if there is none."""
        data = bytearray(first)
        while len(data) < wire.HEADER_BYTES or len(data) < self._whole(data):
            more = os.read(self._in, _READ_SIZE)
            if not more:
                os._exit(0)
            data += more
        return bytes(data)

    def write(self, body: bytes) -> None:
        """Send a frame."""
        data = memoryview(wire.frame(body))
        while data:
            data = data[os.write(self._out, data) :]

    def _whole(self, data: bytes | bytearray) -> int:
        return wire.HEADER_BYTES + wire.frame_length(data)


def serve(incoming: int, outgoing: int, cage_problem: str) -> None:
    """Load the bot that the first request names and answer until the other side is gone."""
    channel = Channel(incoming, outgoing)
    _prepare_output()
    start = wire.read_start(channel.read())
    channel.write(wire.cage_report(cage_problem))
    if cage_problem:
        os._exit(1)
    try:
        rules = _rules(start)
        bot = _load(channel, start)
        games = BotGames(bot, rules)
        while True:
            _answer(channel, games)
    except MemoryError:
        os._exit(EXIT_MEMORY)


def _prepare_output() -> None:
    """What a bot prints must be in its log even if the process is killed."""
    # New streams: those that came with the process were made for /dev/null.
    sys.stdout, sys.stderr = (
        open(fd, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        for fd in (1, 2)
    )
    faulthandler.enable(2)


def _load(channel: Channel, start: wire.Start) -> type[Bot]:
    kind = cast(Literal["plugin", "wheel", "py"], start.kind)
    path = Path(start.path) if start.path else None
    problem_kind, code, problem = "", "", ""
    bot = None
    try:
        if start.version != wire.VERSION:
            raise RuntimeError(f"wire version {start.version}, this process knows {wire.VERSION}")
        bot = load_source(BotSource(kind, start.name, "", path, start.entry))
    except MemoryError:
        problem_kind, problem = MEMORY, "ran out of memory while it was loaded"
    except BotError as error:
        problem_kind, code, problem = START, error.code, str(error)
        _log_cause(error)
    except BaseException as error:
        problem_kind, problem = START, logged(error)
    flags = wanted(bot) if bot else 0
    runtime = f"Python {platform.python_version()}"
    name = str(bot.name) if bot else ""
    ready = wire.Ready(start.nonce, problem_kind, code, problem, flags, runtime, name)
    channel.write(wire.ready_answer(ready))
    if bot is None:
        os._exit(1)
    return bot


def _log_cause(error: BotError) -> None:
    """Show in the log where in the bot's code the reason lies."""
    if error.__context__ is not None:
        logged(error.__context__)


def _rules(start: wire.Start) -> RuleSet:
    """Make the rule set again that the arena has checked."""
    data = json.loads(start.rules)
    return RuleSet(start.rules, data, sha256(start.rules).hexdigest(), start.rules_name)


def _answer(channel: Channel, games: BotGames) -> None:
    nonce, kind, asks = wire.read_request(channel.read())
    if kind == wire.ASK:
        actions, faults = games.ask(asks)
    else:
        actions, faults = [], []
        for game, news, *_ in asks:
            try:
                games.tell(game, news)
            except Exception as error:  # the game is over: its result stands
                logged(error)
    channel.write(wire.encode_answers(nonce, actions, faults))
