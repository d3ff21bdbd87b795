"""Compile what is hot in rules and arena with mypyc; without a compiler the same files run plain.

`MAUMAU_COMPILE=0` leaves it out, `1` asks for it also in an editable install, where by default the
files stay plain so that an edit takes effect at once. Everything else is in pyproject.toml.
"""

from __future__ import annotations

import os
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

RULES = [
    "cards",
    "actions",
    "shuffle",
    "prng",
    "tables",
    "legality",
    "machine/deal_state",
    "machine/turns",
    "machine/drawing",
    "machine/effects",
    "machine/calls",
    "machine/playing",
    "machine/dealing",
    "machine/acting",
    "scoring",
    "playouts",
    "hidden",
    "sampling",
    "policies",
    "watching",
    "seeing",
    "sixteen",
    "skill",
    "likelihood",
    "rollouts",
    "events",
    "deal_info",
    "history",
    "snapshot",
    "observation",
    "deal",
]
# What plays and asks; what runs a bot's code, and so meets hostile objects, is left as it is.
ARENA = [
    "leg",
    "process",
    "seats",
    "wait",
]
HOT = [
    *(f"maumau/rules/{name}.py" for name in RULES),
    *(f"maumau/arena/{name}.py" for name in ARENA),
]


class BuildOrDoWithout(build_ext):
    """Build all of the extension or none of it: half an engine would not import."""

    def run(self) -> None:
        """Build, or warn and remove what was built."""
        try:
            super().run()
        except Exception as error:
            self.warn(f"the engine stays plain Python ({type(error).__name__}: {error})")
            for output in self.get_outputs():
                if os.path.exists(output):
                    os.remove(output)
            self.extensions = []


def extensions() -> list[Extension]:
    """Give the extension to build; none where it is not wanted or cannot be prepared."""
    wish = os.environ.get("MAUMAU_COMPILE", "")
    building = {"build", "build_ext", "bdist_wheel", "install"} & set(sys.argv)
    editable = "editable_wheel" in sys.argv or "develop" in sys.argv
    if wish == "0" or not (building or (editable and wish == "1")):
        return []
    try:
        from mypyc.build import mypycify

        found = mypycify(
            ["--strict", *HOT],
            opt_level="3",
            debug_level="0",
            group_name="maumau",
        )
    except (Exception, SystemExit) as error:
        print(f"the engine stays plain Python ({error})", file=sys.stderr)
        return []
    for extension in found:
        if sys.platform != "win32":
            # Lets the compiler inline functions of the extension into one another.
            # The other keeps sums of floats the same as in plain Python, on any machine.
            flags = ["-fno-semantic-interposition", "-ffp-contract=off"]
            flags = [*extension.extra_compile_args, *flags]
            extension.extra_compile_args = flags
    return found


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildOrDoWithout})
