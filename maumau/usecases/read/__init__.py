"""Read models: what may be seen, as frozen values; reading changes and rates nothing."""

from maumau.usecases.read.accounts import AccountView, TokenView, accounts, tokens
from maumau.usecases.read.bots import BotView, Source, bot, bots, log, source, version, versions
from maumau.usecases.read.games import (
    FaultEvidence,
    FaultView,
    GameView,
    MatchResult,
    MatchView,
    fault_evidence,
    game,
    games,
    match,
    match_games,
    matches,
    record,
    record_text,
)
from maumau.usecases.read.leaderboard import LeaderboardView, leaderboard
from maumau.usecases.read.named_rules import (
    NamedRules,
    all_rules,
    named_rules,
    rule_set_id,
    shown_rules,
)
from maumau.usecases.read.pages import LARGEST_PAGE, Page
from maumau.usecases.read.results import CrosstableView, StandingsView, crosstable, standings
from maumau.usecases.read.rule_sets import RuleSetView, rule_set, rule_sets
from maumau.usecases.read.tournaments import (
    EntrantView,
    ProgressView,
    TournamentView,
    tournament,
    tournaments,
)

__all__ = [
    "LARGEST_PAGE",
    "AccountView",
    "BotView",
    "CrosstableView",
    "EntrantView",
    "FaultEvidence",
    "FaultView",
    "GameView",
    "LeaderboardView",
    "MatchResult",
    "MatchView",
    "NamedRules",
    "Page",
    "ProgressView",
    "RuleSetView",
    "Source",
    "StandingsView",
    "TokenView",
    "TournamentView",
    "accounts",
    "all_rules",
    "bot",
    "bots",
    "crosstable",
    "fault_evidence",
    "game",
    "games",
    "leaderboard",
    "log",
    "match",
    "match_games",
    "matches",
    "named_rules",
    "record",
    "record_text",
    "rule_set",
    "rule_set_id",
    "rule_sets",
    "shown_rules",
    "source",
    "standings",
    "tokens",
    "tournament",
    "tournaments",
    "version",
    "versions",
]
