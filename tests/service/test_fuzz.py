"""A short form of `python -m tests.service.fuzz`."""

from pathlib import Path

import pytest

from tests.service.fuzz import ROLES, fuzz


@pytest.mark.slow
def test_made_up_requests_are_answered_as_described(tmp_path: Path) -> None:
    told: list[str] = []
    counts, wrong = fuzz(tmp_path, 1, told.append, examples=4, phases="fuzzing")
    assert wrong == []
    # Each role had its turn, and much was answered well and much refused.
    assert len(told) == len(ROLES)
    assert counts.total() > 300
    assert counts["200"] > 30
    assert counts["401"] > 30
    assert counts["422"] > 30
