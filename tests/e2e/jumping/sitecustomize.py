"""The arena's clock, moved by as many seconds as stand in a file: for processes of the chaos test.

Python imports this by itself where its directory is on the PYTHONPATH.
"""

import os
from datetime import datetime, timedelta
from pathlib import Path

if "CHAOS_CLOCK" in os.environ:
    from maumau.usecases import clock

    _file, _true = Path(os.environ["CHAOS_CLOCK"]), clock.system_clock

    def _jumping() -> datetime:
        try:
            return _true() + timedelta(seconds=float(_file.read_text()))
        except (OSError, ValueError):
            return _true()

    clock.system_clock = _jumping
