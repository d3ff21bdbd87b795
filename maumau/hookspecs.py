"""The hooks of entry-point group `maumau`; what they are for is told in docs/bots.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pluggy

GROUP = "maumau"

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def maumau_bots() -> Sequence[type]:
    """Give the bot classes that this plugin brings."""
    raise NotImplementedError


@hookspec
def maumau_presets() -> Mapping[str, Mapping[str, Any]]:
    """Give rule sets by name, each as the object that a preset's file holds."""
    raise NotImplementedError
