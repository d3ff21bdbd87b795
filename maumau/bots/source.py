"""Where a bot version's code lies, and the hash of its content."""

from __future__ import annotations

import ast
import importlib.util
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class BotSource:
    """What a child process loads to play a bot version.

    `kind` says how; `name` is the bot's ("" where a submission may call itself anything);
    `sha256` the hex hash of the content. `path` is the submitted file (None for an installed
    plugin); `entry` the module that holds the hook, as an entry point names it (empty for a `.py`).
    """

    kind: Literal["plugin", "wheel", "py"]
    name: str
    sha256: str
    path: Path | None
    entry: str


def module_hash(module: str) -> str:
    """Give the hex SHA-256 of a module's source and of all that it imports from its own package.

    `module` is a name, of which the first part is the package. A plugin whose code changes is
    thus another bot version, also where only a module beside it changed.
    """
    package = module.partition(".")[0]
    sources: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in sources:
            continue
        path = _source_path(name)
        if path is None:
            continue
        sources[name] = path.read_bytes()
        waiting += _imports(name, path, sources[name], package)
    whole = sha256()
    for name in sorted(sources):
        whole.update(f"{name}:{len(sources[name])}:".encode())
        whole.update(sources[name])
    return whole.hexdigest()


def _source_path(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


def _imports(name: str, path: Path, source: bytes, package: str) -> list[str]:
    """List the modules of `package` that a module's source may import."""
    found: set[str] = set()
    parent = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = ".".join(parent.split(".")[: len(parent.split(".")) - node.level + 1])
                base = f"{above}.{base}".rstrip(".")
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    return sorted(other for other in found if other.partition(".")[0] == package)
