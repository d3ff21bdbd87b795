"""The seeds below a tournament seed."""

from __future__ import annotations

from hashlib import sha256

from maumau.tournament.seeds import block_seed, commitment, rng_seed


def test_commitment_and_block_seed_are_the_published_hashes() -> None:
    assert commitment("s") == sha256(b"s").hexdigest()
    assert block_seed("s", 7) == sha256(b"s:7").hexdigest()


def test_bot_seeds_differ_by_seat_and_block_and_from_the_cards() -> None:
    blocks = [block_seed("s", block) for block in range(3)]
    seeds = {rng_seed(block, seat) for block in blocks for seat in range(4)}
    assert len(seeds) == 12
    assert not seeds & set(blocks)
    assert rng_seed(blocks[0], 1) == rng_seed(block_seed("s", 0), 1)
