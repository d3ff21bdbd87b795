"""Hostile bots, by what they attack; every one plays in the cage and must end as it says."""

from __future__ import annotations

from tests.attacks.corpus import (
    calls,
    cheating,
    files,
    forged,
    inside,
    kernel,
    later,
    loading,
    memory,
    network,
    output,
    processes,
    secrets,
    times,
)
from tests.attacks.corpus.attack import Attack

ATTACKS: tuple[Attack, ...] = (
    *times.ATTACKS,
    *memory.ATTACKS,
    *processes.ATTACKS,
    *output.ATTACKS,
    *secrets.ATTACKS,
    *files.ATTACKS,
    *network.ATTACKS,
    *kernel.ATTACKS,
    *cheating.ATTACKS,
    *loading.ATTACKS,
    *later.ATTACKS,
    *forged.ATTACKS,
    *inside.ATTACKS,
    *calls.ATTACKS,
)
