"""Mau-Mau Arena: the public names of the library."""

from maumau.bots.base import Bot, ExhibitionBot, GameInfo
from maumau.bots.play import play_game
from maumau.hookspecs import hookimpl, hookspec
from maumau.rules.deal import Deal, DealResult
from maumau.rules.events import Event
from maumau.rules.game import Game
from maumau.rules.observation import Observation
from maumau.rules.playouts import PlayoutCounts, playouts
from maumau.rules.record import record_text, verify_record
from maumau.rules.ruleset import RuleSet, load_rules

__all__ = [
    "Bot",
    "Deal",
    "DealResult",
    "Event",
    "ExhibitionBot",
    "Game",
    "GameInfo",
    "Observation",
    "PlayoutCounts",
    "RuleSet",
    "hookimpl",
    "hookspec",
    "load_rules",
    "play_game",
    "playouts",
    "record_text",
    "verify_record",
]
