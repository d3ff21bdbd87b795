"""A new bot's package: the files that `maumau new` writes, with `$name` and its like to fill in."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from string import Template

from maumau.bots.declared import check_name
from maumau.errors import Conflict

FILES = {
    "pyproject.toml": "pyproject.toml.tmpl",
    "README.md": "README.md.tmpl",
    "$module.py": "bot.py.tmpl",
    "tests/test_$module.py": "test_bot.py.tmpl",
}


def new_bot(
    name: str, folder: Path | None = None, *, maumau: str = "maumau", python: str = "python"
) -> list[Path]:
    """Write a complete package of a bot called `name` and give the paths of its files.

    It goes into `folder`, or a new one of the bot's name; `maumau` and `python` are what to type
    there for the command line and for the Python that has the arena. Raises BotError for a name
    that no bot may have, Conflict where the folder holds something already.
    """
    check_name(name)
    folder = Path(name) if folder is None else folder
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = f"{folder} is there already and not empty; give another folder, or remove it"
        raise Conflict("folder_taken", message)
    words = {**_words(name), "maumau": maumau, "python": python}
    written = []
    for target, source in FILES.items():
        path = folder / Template(target).substitute(words)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = files(__package__).joinpath(source).read_text("utf-8")
        path.write_text(Template(text).substitute(words), "utf-8")
        written.append(path)
    return written


def _words(name: str) -> dict[str, str]:
    """Give what a bot's name is in the places where it stands.

    The module's name ends in `_bot`, so that it is never that of a module of Python's own.
    """
    stem = name.removesuffix("-bot").replace("-", "_").strip("_")
    title = "".join(part.capitalize() for part in name.split("-"))
    package = name if name.endswith("-bot") else f"{name.rstrip('-')}-bot"
    return {"name": name, "module": f"{stem}_bot", "title": title, "package": package}
