"""Keep: schema, migrations, one repository file per aggregate."""

from maumau.storage.database import Database
from maumau.storage.transaction import Transaction
from maumau.storage.values import Account, Answer

__all__ = ["Account", "Answer", "Database", "Transaction"]
