from pathlib import Path

import pytest

from tests.e2e.chaos import FAULTS, survive

FEW = 8


@pytest.mark.slow
def test_a_few_faults_change_no_byte(tmp_path: Path) -> None:
    told: list[str] = []
    thrown = survive(tmp_path, FEW, 1, told.append)
    assert thrown.total() == FEW
    assert set(thrown) <= set(FAULTS)
    assert told[-1] == f"{FEW} of {FEW} faults thrown, all results the same bytes"
