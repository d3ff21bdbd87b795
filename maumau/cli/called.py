"""How the command line is called from where one stands: `./run maumau` in a checkout."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path


def checkout() -> Path | None:
    """Give the checkout whose `./run` made this environment; None where another way did."""
    root = Path(sys.prefix).parent
    is_one = Path(sys.prefix).name == ".venv" and os.access(root / "run", os.X_OK)
    return root if is_one else None


def called(*verb: str, at: Path | None = None) -> str:
    """Give what to type for a command, from the directory `at` (by default the current one)."""
    root = checkout()
    if root is None:
        return " ".join(("maumau", *verb))
    run = shlex.quote(_from(at or Path.cwd(), root / "run"))
    return run if verb == ("up",) else " ".join((run, "maumau", *verb))


def python(at: Path | None = None) -> str:
    """Give what to type for the Python that has the arena installed."""
    root = checkout()
    if root is None:
        return "python"
    return shlex.quote(_from(at or Path.cwd(), root / ".venv" / "bin" / "python"))


def _from(directory: Path, file: Path) -> str:
    """Give the shorter of the ways to name a file: from the directory, or from the root."""
    relative = os.path.relpath(file, directory)
    if not relative.startswith(".."):
        return relative if relative.startswith(".") else f"./{relative}"
    return min(relative, str(file), key=len)
