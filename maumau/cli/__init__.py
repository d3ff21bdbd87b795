"""The command line: `maumau`."""

from maumau.cli.app import main

__all__ = ["main"]
