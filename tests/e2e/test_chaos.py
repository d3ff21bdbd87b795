from pathlib import Path

import pytest

from tests.e2e.chaos import FAULTS, ON_POSTGRESQL, survive
from tests.e2e.postgresql import Postgresql

# Each once; `./run chaos` throws the others too, and more of each.
FEW = ("worker killed", "worker held", "clock jumped", "disk full", "queue emptied", "api killed")
FEW_ON_POSTGRESQL = ("database crashed", "database connections cut", "worker killed")


@pytest.mark.slow
@pytest.mark.parametrize("postgresql", [False, True])
def test_a_few_faults_change_no_byte(tmp_path: Path, postgresql: bool) -> None:
    if postgresql and not Postgresql.is_here():
        pytest.skip("no faults are thrown at PostgreSQL: there is no server here")
    names = FEW_ON_POSTGRESQL if postgresql else FEW
    told: list[str] = []
    thrown, _ = survive(
        tmp_path / "chaos", len(names), 1, told.append, postgresql=postgresql, names=names
    )
    assert thrown == dict.fromkeys(names, 1)
    on = "PostgreSQL" if postgresql else "SQLite"
    assert told[-1] == (
        f"{on}: {len(names)} of {len(names)} faults thrown, all results the same bytes"
    )


def test_every_kind_of_fault_is_thrown() -> None:
    names = FAULTS.keys() | ON_POSTGRESQL.keys()
    for word in ("killed", "held", "emptied", "connections cut", "disk full", "clock", "restarted"):
        assert any(word in name for name in names), word
