from __future__ import annotations

import pytest

from plugins import expert


@pytest.fixture
def few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `expert` play out little: the tests run the engine as plain Python."""
    monkeypatch.setattr(expert, "DEALS", 4)
