"""Numbers in sentences: one thing, several things, and ranges that may be a single number."""

from __future__ import annotations


def counted(number: int, thing: str, things: str = "") -> str:
    """Say how many: `1 game`, `2 games`; `things` where the plural is not made by an s."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def span(low: int, high: int) -> str:
    """Say a range: `2 to 4`, or `2` where it has one number only."""
    return f"{low}" if low == high else f"{low} to {high}"


def within(low: int, high: int) -> str:
    """Say what a number must be: `from 2 to 4`, or `2` where only one will do."""
    return f"{low}" if low == high else f"from {low} to {high}"
