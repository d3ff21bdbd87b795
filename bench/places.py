"""Where things run: our engine compiled and plain, the peers, the C limit; built where missing.

All of it lies in `.bench/` beside the checkout. Our two forms are installed from the same sources
into environments of their own, which take every other package from the one that runs this.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Final

from bench.runs import NotMeasured

ROOT: Final = Path(__file__).parents[1]
HERE: Final = ROOT / "bench"
SOURCES: Final = ("maumau", "service", "worker", "plugins")
FILES: Final = ("setup.py", "pyproject.toml", "README.md", "LICENSE")
FORMS: Final = ("compiled", "plain")
BUILD_SECONDS: Final = 400


def environment(**more: str) -> dict[str, str]:
    """Give the caller's environment without what would change how Python or the arena runs."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "MAUMAU_", "PIP_", "UV_"))
    }
    # Same hashes everywhere: dictionaries are then as full in each run.
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "", **more}


@dataclass(frozen=True, slots=True)
class Places:
    """The directory of what is built."""

    directory: Path
    failed: dict[str, str] = field(default_factory=dict)
    """What could not be built, and why: it is not tried again."""

    built: dict[str, str] = field(default_factory=dict)
    """What is there: it is not looked at again, so that an edit changes nothing within a run."""

    def form(self, form: str) -> str:
        """Give the Python of an environment with our engine in this form; built if need be."""
        return self._once(form, lambda: self._form(form))

    def peers(self) -> str:
        """Give the Python of an environment with the peers, pinned by hashes."""
        return self._once("peers", self._peers)

    def limit(self) -> str:
        """Give the path of the C program."""
        return self._once("limit", self._limit)

    def build(self, what: str) -> str:
        """Build one of `compiled`, `plain`, `peers`, `limit`, unless it is there."""
        if what in FORMS:
            return self.form(what)
        return self.peers() if what == "peers" else self.limit()

    def _once(self, what: str, make: Callable[[], str]) -> str:
        if what in self.failed:
            raise NotMeasured(self.failed[what])
        if what not in self.built:
            try:
                self.built[what] = make()
            except NotMeasured as error:
                self.failed[what] = str(error)
                raise
        return self.built[what]

    def _form(self, form: str) -> str:
        place = self.directory / form
        python = place / "bin" / "python"
        want = _digest([*_ours(), Path(__file__)], sys.version, form)
        if not _stamped(place, want):
            wheel = self._wheel(form)
            _make_environment(place)
            packages = _packages(python)
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(packages)
            # After our own: every other package as it is pinned for this environment.
            base = sysconfig.get_paths()
            others = dict.fromkeys([base["purelib"], base["platlib"]])
            (packages / "zz-other-packages.pth").write_text("\n".join(others) + "\n")
            says = _run([str(python), "-P", "-c", "import maumau.rules as r; print(r.compiled())"])
            if (says.strip() == "True") != (form == "compiled"):
                raise NotMeasured(f"{form} was asked for, but the engine is not (no C compiler?)")
            _stamp(place, want)
        return str(python)

    def _peers(self) -> str:
        place = self.directory / "peers"
        python = place / "bin" / "python"
        # One peer comes as source only; what builds it is pinned too.
        listed = [HERE / "peers" / f"{name}requirements.txt" for name in ("build-", "")]
        want = _digest(listed, sys.version)
        if not _stamped(place, want):
            _make_environment(place, pip=True)
            pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
            for file in listed:
                _run([*pip, "--require-hashes", "--no-build-isolation", "-r", str(file)])
            _stamp(place, want)
        return str(python)

    def _limit(self) -> str:
        source = HERE / "peers" / "champion_limit.c"
        place = self.directory / "limit"
        program = place / "champion_limit"
        want = _digest([source])
        if not _stamped(place, want):
            compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
            if compiler is None:
                raise NotMeasured("there is no C compiler")
            place.mkdir(parents=True, exist_ok=True)
            _run([compiler, "-O3", "-march=native", "-o", str(program), str(source)])
            _stamp(place, want)
        return str(program)

    def _wheel(self, form: str) -> Path:
        """Build a wheel of the checkout, compiled or plain."""
        place = self.directory / f"build-{form}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        unwanted = shutil.ignore_patterns("*.so", "__pycache__", "build")
        for name in SOURCES:
            shutil.copytree(ROOT / name, place / name, ignore=unwanted)
        for name in FILES:
            shutil.copy(ROOT / name, place)
        if int(metadata.version("setuptools").partition(".")[0]) < 77:
            raise NotMeasured("too old a setuptools: use ./run bench, or install the extra `build`")
        _run(
            [sys.executable, "setup.py", "-q", "bdist_wheel", "--dist-dir", "dist"],
            cwd=place,
            MAUMAU_COMPILE="1" if form == "compiled" else "0",
        )
        (wheel,) = (place / "dist").iterdir()
        return wheel


def _make_environment(place: Path, *, pip: bool = False) -> None:
    shutil.rmtree(place, ignore_errors=True)
    _run([sys.executable, "-m", "venv", *([] if pip else ["--without-pip"]), str(place)])


def _packages(python: Path) -> Path:
    code = "import sysconfig; print(sysconfig.get_path('platlib'))"
    return Path(_run([str(python), "-c", code]).strip())


def _run(command: Sequence[str], *, cwd: Path = ROOT, **more: str) -> str:
    # pip keeps the settings that say where packages come from.
    kept = {key: value for key, value in os.environ.items() if key.startswith("PIP_")}
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**environment(**more), **kept, "PIP_USER": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotMeasured(f"building failed: {error}") from None
    if done.returncode:
        told = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise NotMeasured(f"building failed: {' '.join(command[:4])} …: {told[:200]}")
    return done.stdout


def _ours() -> list[Path]:
    found = [ROOT / name for name in FILES]
    for name in SOURCES:
        found += [
            path
            for path in sorted((ROOT / name).rglob("*"))
            if path.is_file() and path.suffix not in (".so", ".pyc")
        ]
    return found


def _digest(files: Sequence[Path], *more: str) -> str:
    digest = hashlib.sha256("\0".join([*more, sys.prefix]).encode())
    for path in files:
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _stamped(place: Path, want: str) -> bool:
    stamp = place / ".built"
    return stamp.exists() and stamp.read_text() == want


def _stamp(place: Path, want: str) -> None:
    (place / ".built").write_text(want)
