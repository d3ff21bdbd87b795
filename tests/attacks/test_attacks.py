"""The corpus in the cage: every attack ends as it says, and nothing outside has changed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from maumau.arena import sandbox
from maumau.arena.play import ChunkResult
from maumau.arena.sandbox.zygote import zygote
from maumau.bots.wheels import check_file
from maumau.errors import BotError
from tests.attacks.corpus import ATTACKS
from tests.attacks.corpus.attack import Attack
from tests.attacks.run import Arena, assert_ends
from tests.attacks.wheels import MARK, WHEELS, HostileWheel

pytestmark = pytest.mark.skipif(not sandbox.status().ok, reason=sandbox.status().reason)


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    """Give a place whose files any user may read; afterwards nothing outside it has changed."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        place = Arena(Path(directory))
        before = honest_games(place)
        yield place
        assert place.secret.read_text() == "the secret"
        # An honest bot plays after all that as it did before, byte for byte.
        assert honest_games(place).legs == before.legs
    left = [path for top in ("/tmp", "/var/tmp", "/dev/shm") for path in Path(top).glob("maumau-*")]
    assert not [path for path in left if "was-here" in path.name or "maumau-hard" in path.name]


def honest_games(place: Arena) -> ChunkResult:
    return place.play(place.honest, place.honest, blocks=5)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_attack(arena: Arena, attack: Attack) -> None:
    assert_ends(arena.run(attack), attack.ends, attack.detail)


@pytest.mark.parametrize("it", WHEELS, ids=lambda it: it.name)
def test_a_hostile_wheel_is_refused_without_being_run(it: HostileWheel) -> None:
    if not it.reason:
        assert check_file("bot.whl", it.content).kind == "wheel"
        return
    with pytest.raises(BotError) as caught:
        check_file("bot.whl", it.content)
    assert caught.value.code == it.reason


@pytest.mark.parametrize("it", WHEELS, ids=lambda it: it.name)
def test_a_hostile_wheel_is_harmless_where_it_runs(arena: Arena, it: HostileWheel) -> None:
    assert_ends(arena.run_wheel(it), it.ends)
    assert not Path(tempfile.gettempdir(), MARK).exists()


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS) >= 250
    assert len({it.name for it in WHEELS}) == len(WHEELS) >= 45


def children(pid: int) -> set[int]:
    """Give the processes that a process started, and those that they started."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found |= {int(child)} | children(int(child))
    return found


@pytest.mark.parametrize("name", ["endless loop", "fork bomb", "segmentation fault", "fork"])
def test_no_process_outlives_its_chunk(arena: Arena, name: str) -> None:
    arena.play(arena.honest, arena.honest)
    before = children(os.getpid())
    arena.run(next(attack for attack in ATTACKS if attack.name == name))
    assert children(os.getpid()) == before


def test_the_arenas_own_descriptors_and_memory_stay_as_they_are(arena: Arena) -> None:
    hungry = [attack for attack in ATTACKS if attack.name in ("a flood of text", "a large answer")]
    for attack in hungry:
        arena.run(attack)
    descriptors, memory = len(os.listdir("/proc/self/fd")), resident()
    for attack in hungry * 3:
        arena.run(attack)
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert resident() - memory < 8 << 20


def resident() -> int:
    """Give this process's memory in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_an_attack_among_many_games_spoils_its_own_only(arena: Arena) -> None:
    """A bot that crashes its process in every game loses every game; its opponent none."""
    crash = next(attack for attack in ATTACKS if attack.name == "segmentation fault")
    result = arena.play(arena.write(crash), arena.honest, blocks=6)
    assert [leg.fault.kind if leg.fault else None for leg in result.legs] == ["crash"] * 6
    assert {leg.ranks for leg in result.legs} == {(2, 1)}
    assert result.host_faults == 0


def test_staged_files_are_gone_after_the_chunk(arena: Arena) -> None:
    arena.play(arena.honest, arena.honest)
    assert os.listdir(zygote("submitted").staging) == []
