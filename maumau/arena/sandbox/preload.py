"""Modules that the clean process imports once, so that its children have them.

Where the user that bots become cannot read the standard library (a Python below root's home), what
was imported before the change of user is all there is: everything that a bot may sensibly use.
"""

from __future__ import annotations

import contextlib
import importlib
import warnings
from typing import Final

COMMON: Final = """
    abc array bisect collections copy dataclasses decimal enum fractions functools hashlib
    heapq itertools json math operator pluggy random re statistics string struct time
    traceback typing linecache zipimport zlib
"""

REST: Final = """
    argparse ast asyncio base64 binascii bz2 calendar cmath cmd codecs codeop collections.abc
    colorsys compileall concurrent.futures configparser contextlib contextvars copyreg csv
    ctypes datetime difflib dis doctest email errno faulthandler fcntl filecmp fileinput
    fnmatch getopt gettext glob graphlib gzip hmac html importlib.metadata importlib.resources
    inspect io ipaddress keyword locale logging lzma mmap multiprocessing numbers opcode
    optparse os pathlib pdb pickle pickletools pkgutil platform plistlib pprint profile pstats
    pwd queue quopri reprlib resource sched secrets select selectors shelve shlex shutil
    signal socket sqlite3 ssl stat stringprep subprocess symtable sys sysconfig syslog tarfile
    tempfile textwrap threading timeit token tokenize tomllib trace tracemalloc types
    unicodedata unittest unittest.mock urllib.parse urllib.request uuid warnings wave weakref
    xml.etree.ElementTree zipfile zoneinfo encodings.ascii encodings.latin_1 encodings.cp1252
    encodings.idna encodings.utf_16 encodings.utf_32 encodings.hex_codec
    encodings.base64_codec encodings.unicode_escape encodings.raw_unicode_escape
    encodings.utf_8_sig _strptime _pydecimal _pyio
"""


def warm_up() -> None:
    """Import what most bots use."""
    _import(COMMON)


def standard_library() -> None:
    """Import all that bots may use of the standard library."""
    _import(REST)


def plugins() -> None:
    """Load the installed plugins, if that leaves a process that can be forked."""
    from maumau.bots import registry

    registry.plugins()


def _import(names: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names.split():
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
