"""Mau-Mau Arena: the public names of the library."""

from maumau.rules.deal import Deal, DealResult
from maumau.rules.game import Game
from maumau.rules.observation import Event, Observation
from maumau.rules.playouts import PlayoutCounts, playouts
from maumau.rules.record import record_text, verify_record
from maumau.rules.ruleset import RuleSet, load_rules

__all__ = [
    "Deal",
    "DealResult",
    "Event",
    "Game",
    "Observation",
    "PlayoutCounts",
    "RuleSet",
    "load_rules",
    "playouts",
    "record_text",
    "verify_record",
]
