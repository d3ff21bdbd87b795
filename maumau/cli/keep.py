"""Commands for who keeps an arena: `migrate`, `backup`, `restore`, on the database itself."""

from __future__ import annotations

from pathlib import Path

import click

from maumau.cli.place import Place
from maumau.settings import Settings, load
from maumau.wording import counted


@click.command()
def migrate() -> None:
    """Bring the database up to date, install the bots that ship, make sure of the admin token.

    `maumau up` does this by itself; where API and workers are started one by one it is the step
    before them. Again changes nothing.
    """
    from maumau.cli import first_run
    from maumau.storage import Database
    from maumau.usecases.clock import system_clock, system_entropy

    settings = load()
    Place(settings.var).prepare()
    db = Database(settings.database_url)
    for warning in first_run.prepare(db, system_clock, system_entropy, settings.admin_token_file):
        click.echo(warning, err=True)
    revision, _ = db.revision()
    db.close()
    click.echo(f"The schema is at {revision}; the admin token is in {settings.admin_token_file}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Write all that is kept into a new FILE, while the arena runs.

    It is a SQLite database, whatever database the arena uses.
    """
    from maumau.storage import Database
    from maumau.usecases.backup import backup as write

    db = Database(load().database_url)
    done = write(db, file)
    db.close()
    click.echo(f"{file} holds {counted(done.rows, 'row')}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def restore(file: Path) -> None:
    """Bring a backup FILE back into an empty database; what was being played then goes on."""
    from maumau.storage import Database
    from maumau.usecases.backup import restore as bring_back

    settings = load()
    place = Place(settings.var)
    place.prepare()
    # A running arena would have filled the database meanwhile.
    with place.held():
        db = Database(settings.database_url)
        done = bring_back(file, db)
        db.close()
    click.echo(f"Back in {_shown(settings)}: {counted(done.rows, 'row')}")


def _shown(settings: Settings) -> str:
    """Name the database without what is secret in its address."""
    scheme, _, rest = settings.database_url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"
