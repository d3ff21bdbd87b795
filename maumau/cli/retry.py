"""`maumau retry`: what was set aside because workers died over it, played again."""

from __future__ import annotations

import click

from maumau.cli import show
from maumau.cli.client import Client
from maumau.cli.options import as_json
from maumau.cli.target import Find, to_server
from maumau.wording import counted, span


@click.command()
@click.argument("tournament")
@click.option("--look", is_flag=True, help="Only show what was set aside, and why.")
@to_server
@as_json
def retry(target: Find, tournament: str, look: bool, as_json: bool) -> None:
    """Play what was set aside of TOURNAMENT again, once its cause is mended; for admins."""
    with Client(target()) as client:
        stuck = client.get(f"/tournaments/{tournament}/stuck")["items"]
        done = None if look else client.post(f"/tournaments/{tournament}/retry")
    if as_json:
        show.as_json(stuck if done is None else done)
        return
    for one in stuck:
        last = one["first_block"] + one["blocks"] - 1
        click.echo(
            f"{one['chunk']}: blocks {span(one['first_block'], last)}, "
            f"{counted(one['deaths'], 'death')}"
        )
        for line in one["log"].splitlines():
            click.echo(f"  {show.printable(line)}")
    if done is None:
        click.echo(f"{counted(len(stuck), 'chunk')} set aside")
    else:
        click.echo(f"{counted(len(stuck), 'chunk')} to be played again")
