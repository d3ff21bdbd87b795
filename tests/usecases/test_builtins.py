"""Installed plugins are bot versions like others, of an account that nobody can act for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from maumau.bots import registry
from maumau.errors import Unavailable
from maumau.storage import Account, Database
from maumau.usecases import accounts, read
from maumau.usecases.builtins import install_builtins
from maumau.usecases.sources import source_of
from tests.usecases.plugged import accepted
from tests.usecases.standing import StandingClock


def test_installed_bots_are_accepted_versions_of_the_system_account(
    db: Database, clock: StandingClock
) -> None:
    done = install_builtins(db, clock)
    assert {one.bot for one in done.versions} == {one.name for one in registry.installed()}
    assert {"random", "easy", "medium"} <= {one.bot for one in done.versions}
    for one in done.versions:
        assert (one.state, one.kind, one.version) == ("accepted", "plugin", 1)
        assert one.owner == accounts.SYSTEM
        assert one.sha256 == registry.find(one.bot).source.sha256
    assert done.taken == ()
    assert install_builtins(db, clock) == done


def test_a_plugin_whose_content_has_changed_is_a_new_version(
    db: Database, clock: StandingClock
) -> None:
    first = install_builtins(db, clock)
    easy = registry.find("easy")
    changed = replace(easy, source=replace(easy.source, sha256="f" * 64))
    (second,) = install_builtins(db, clock, bots=[changed]).versions
    assert second.label == "easy@2"
    assert len(read.versions(db, "easy").items) == 2
    # Whoever installs the first one again has the first version.
    again = install_builtins(db, clock)
    assert {one.label for one in again.versions} == {one.label for one in first.versions}


def test_a_name_that_somebody_has_is_left_to_him(
    db: Database, clock: StandingClock, ann: Account
) -> None:
    accepted(db, ann, clock(), "easy")
    done = install_builtins(db, clock)
    assert done.taken == ("easy",)
    assert "easy" not in {one.bot for one in done.versions}
    assert read.bot(db, "easy").owner == "ann"


def test_a_plugin_plays_only_where_its_very_content_is_installed(
    db: Database, clock: StandingClock, tmp_path: Path
) -> None:
    version = next(one for one in install_builtins(db, clock).versions if one.bot == "easy")
    assert source_of(db, version, tmp_path) == registry.find("easy").source
    for other in (replace(version, sha256="f" * 64), replace(version, bot="elsewhere")):
        with pytest.raises(Unavailable) as caught:
            source_of(db, other, tmp_path)
        assert caught.value.code == "plugin_missing"
        assert other.label in str(caught.value)


def test_a_submitted_file_is_copied_once(
    db: Database, clock: StandingClock, ann: Account, tmp_path: Path
) -> None:
    accepted(db, ann, clock(), "mine")
    version = read.version(db, "mine", 1)
    files = tmp_path / "files"
    first = source_of(db, version, files)
    assert first.path is not None
    assert first.path.read_bytes() == read.source(db, ann, "mine", 1).content
    assert (first.kind, first.name, first.sha256) == ("py", "mine", version.sha256)
    moment = first.path.stat().st_mtime_ns
    assert source_of(db, version, files) == first
    assert first.path.stat().st_mtime_ns == moment
    assert [path.name for path in files.iterdir()] == [f"{version.sha256}.py"]
