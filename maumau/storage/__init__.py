"""Keep: schema, migrations, one repository file per aggregate."""

from maumau.storage.database import Database
from maumau.storage.transaction import Transaction

__all__ = ["Database", "Transaction"]
