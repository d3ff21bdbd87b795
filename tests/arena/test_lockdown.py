"""What a caged bot may read, as a list of paths, for several ways to install the application."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from maumau.arena.sandbox import landlock, lockdown
from maumau.arena.sandbox.lockdown import readable_paths


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a standard library of our own, with site-packages below it."""
    place = tmp_path / "lib" / "python3"
    (place / "site-packages" / "maumau").mkdir(parents=True)
    (place / "dist-packages").mkdir()
    (place / "json").mkdir()
    (place / "os.py").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(place))
    return place


def reachable(paths: list[tuple[str, int]], path: Path) -> int:
    """Give the rights that rules on a path and on all above it add up to."""
    rights = 0
    for allowed, given in paths:
        if path == Path(allowed) or Path(allowed) in path.parents:
            rights |= given
    return rights


def test_an_application_below_the_standard_library_stays_out(library: Path) -> None:
    package = library / "site-packages" / "maumau"
    paths = readable_paths(str(package), [], library=True)
    assert reachable(paths, library / "os.py") & landlock.READ_FILE
    assert reachable(paths, library / "json" / "decoder.py") & landlock.READ_FILE
    assert reachable(paths, package / "rules" / "deal.py") & landlock.READ_FILE
    assert reachable(paths, package / "__init__.py") & landlock.READ_FILE
    for hidden in ("settings.py", "storage/database.py", "usecases/play.py", "arena/play.py"):
        assert not reachable(paths, package / hidden) & landlock.READ_FILE
    assert not reachable(paths, library / "site-packages" / "flask" / "app.py") & landlock.READ_FILE
    assert not reachable(paths, library / "dist-packages" / "x.py") & landlock.READ_FILE


def test_an_application_elsewhere_needs_one_rule_for_the_library(
    library: Path, tmp_path: Path
) -> None:
    package = tmp_path / "venv" / "maumau"
    paths = readable_paths(str(package), [str(tmp_path / "venv" / "msgspec")], library=True)
    assert (str(library), landlock.READ_FILE | landlock.READ_DIR) in paths
    assert reachable(paths, tmp_path / "venv" / "msgspec" / "__init__.py") & landlock.READ_FILE
    assert not reachable(paths, tmp_path / "venv" / "service" / "app.py")


def test_a_library_that_cannot_be_read_is_not_allowed_either(library: Path) -> None:
    paths = readable_paths(str(library / "site-packages" / "maumau"), [], library=False)
    assert not reachable(paths, library / "os.py")


def test_no_rule_reaches_the_systems_own_files() -> None:
    package = str(Path(lockdown.__file__).parents[2])
    paths = readable_paths(package, [], library=True)
    for hidden in (
        "/etc/passwd",
        "/proc/self/environ",
        "/root/x",
        "/tmp/x",
        "/home/x",
        "/dev/null",
    ):
        assert not reachable(paths, Path(hidden))


@pytest.mark.skipif(not landlock.abi(), reason="this kernel has no Landlock")
def test_every_right_that_the_kernel_knows_is_denied() -> None:
    """The counts of `landlock(7)`; a later kernel may know more."""
    files = {1: 13, 2: 14, 3: 15, 4: 15}.get(landlock.abi(), 16)
    fields = landlock.handled()
    assert fields[0].bit_count() >= files
    assert fields[0] == (1 << fields[0].bit_count()) - 1
    if landlock.abi() >= 4:
        assert fields[1] & 0b11 == 0b11
    if landlock.abi() >= 6:
        assert fields[2] & 0b11 == 0b11
