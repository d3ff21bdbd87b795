"""`python -m maumau.cli`: the command line without its script."""

from maumau.cli.app import main

main()
