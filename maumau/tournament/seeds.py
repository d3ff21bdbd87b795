"""What the seeds of a tournament are made of (docs/design.md, "Seeds").

The tournament seed is drawn, or given, outside; everything below it is a pure function.
"""

from __future__ import annotations

from hashlib import sha256

from maumau.bots.base import rng_seed

__all__ = ["block_seed", "commitment", "rng_seed"]


def commitment(seed: str) -> str:
    """Give the hex SHA-256 of the tournament seed, published before play."""
    return sha256(seed.encode()).hexdigest()


def block_seed(tournament_seed: str, block: int) -> str:
    """Give the seed of the cards of a block: every line-up of that block plays these.

    A record holds it; the tournament seed cannot be found from it.
    """
    return sha256(f"{tournament_seed}:{block}".encode()).hexdigest()
