"""Bots for the arena's tests: written to files and loaded as submitted ones are."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

from maumau.arena.launch import source_of
from maumau.arena.limits import Limits
from maumau.arena.play import BlockJob, ChunkJob
from maumau.bots.source import BotSource
from maumau.rules.ruleset import RuleSet, load_rules

LOWEST = "return next((a for a in obs.legal_actions if a.endswith('!')), obs.legal_actions[0])"
CHANCE = "return self.info.rng.choice(obs.legal_actions)"

MakeBot = Callable[..., BotSource]


def write_bot(
    directory: Path, act: str = LOWEST, *, name: str = "tester", top: str = "", body: str = ""
) -> BotSource:
    """Write a bot: `act` is the body of its method, `body` more of the class, `top` the module's.

    Two bots with the same text are the same file.
    """
    code = f"""import os, sys, time
from maumau import Bot, hookimpl
{textwrap.dedent(top)}
class Tester(Bot):
    name = {name!r}
    def act(self, obs):
{textwrap.indent(textwrap.dedent(act), " " * 8)}
{textwrap.indent(textwrap.dedent(body), " " * 4)}
@hookimpl
def maumau_bots():
    return [Tester]
"""
    number = sum(1 for _ in directory.iterdir())
    path = directory / f"bot{number}.py"
    path.write_text(code)
    return source_of(path, name)


def chunk(
    *sources: BotSource,
    rules: RuleSet | str = "champion",
    blocks: int = 3,
    first: int = 0,
    limits: Limits | None = None,
    legs: tuple[tuple[int, ...], ...] = ((0, 1), (1, 0)),
) -> ChunkJob:
    """Make a small chunk of blocks on seeds of their own."""
    return ChunkJob(
        rules=load_rules(rules),
        sources=sources,
        names=tuple(f"{source.name}@{n}" for n, source in enumerate(sources)),
        blocks=tuple(
            BlockJob(block, f"seed {block}", legs) for block in range(first, first + blocks)
        ),
        limits=limits or Limits(decision_ms=1_000, wall_ms=20_000),
    )
