"""The cage for uploaded bots: a clean process that locks itself down before it loads a bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.arena.sandbox.proof import Status


def status() -> Status:
    """Say whether this process can run uploaded bots safely, as a probe has proved, or why not.

    The first call tries it (some 0.3 s); later ones repeat the answer.
    """
    # Imported here: bot processes import this package and must not import the arena's side.
    from maumau.arena.sandbox.proof import status as probed

    return probed()
