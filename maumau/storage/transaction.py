"""One transaction: the repositories that share it."""

from __future__ import annotations

from sqlalchemy import Connection

from maumau.storage.accounts import Accounts
from maumau.storage.answers import Answers
from maumau.storage.bots import Bots
from maumau.storage.chunks import Chunks
from maumau.storage.discards import Discards
from maumau.storage.files import Files
from maumau.storage.game_tables import GameTables
from maumau.storage.legs import Legs
from maumau.storage.results import Results
from maumau.storage.rule_sets import RuleSets
from maumau.storage.tournaments import Tournaments
from maumau.storage.workers import Workers


class Transaction:
    """What is done through its repositories happens together or not at all."""

    def __init__(self, connection: Connection):
        self.connection = connection
        self.accounts = Accounts(connection)
        self.answers = Answers(connection)
        self.bots = Bots(connection)
        self.chunks = Chunks(connection)
        self.files = Files(connection)
        self.game_tables = GameTables(connection)
        self.legs = Legs(connection)
        self.rule_sets = RuleSets(connection)
        self.standings = Results(connection)
        self.tournaments = Tournaments(connection)
        self.discards = Discards(connection)
        self.workers = Workers(connection)
