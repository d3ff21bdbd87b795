"""The game itself: values in, values out (docs/rules.md)."""

from maumau.rules.machine import deal_state as _deal_state


def compiled() -> bool:
    """Tell whether the engine's hot modules run compiled, or as the same files in plain Python."""
    return not str(_deal_state.__file__).endswith(".py")
