"""Another bot is asked in a replayed position."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from flask.testing import FlaskClient

from maumau import Deal, RuleSet, load_rules
from maumau.usecases.estimates import CARDS, estimates
from tests.web.conftest import World


def ask(client: FlaskClient, world: World, **said: str):  # type: ignore[no-untyped-def]
    where = f"/games/{world.finished}-0-0-0/ask"
    return client.post(where, data={"deal": "0", "step": "1", "bot": "medium", **said})


def test_a_bot_says_what_it_would_do(client: FlaskClient, world: World) -> None:
    answer = ask(client, world)
    assert answer.status_code == 200
    assert "medium@1 would: " in answer.text
    assert answer.text == ask(client, world).text
    assert "drawn from all that" in answer.text
    assert "with all cards as they lie" in ask(client, world, cards="open").text


@pytest.mark.parametrize(
    "said", [{"bot": "nobody"}, {"cards": "mine"}, {"step": "x"}, {"deal": ""}]
)
def test_a_wrong_question_is_refused(
    client: FlaskClient, world: World, said: dict[str, str]
) -> None:
    assert ask(client, world, **said).status_code == 422


def positions(rules: RuleSet, n: int) -> Iterator[Deal]:
    for seed in range(n):
        deal, rng = Deal(rules, 2, 0, f"s{seed}", 0), Random(seed)
        for _ in range(2):
            deal.apply(rng.choice(deal.legal_actions()))
        if not deal.over and len(deal.legal_actions()) > 1:
            yield deal


def other_cards(deal: Deal) -> Deal:
    """Give a deal that differs in what the seat to act does not know."""
    seen = deal.observation(deal.seat)
    for n in range(20):
        other = seen.sample(Random(n))
        if other.hands() != deal.hands():
            return other
    raise AssertionError("all samples are alike")


def test_estimates_are_repeatable_and_finishing_is_certain() -> None:
    """A last card that finishes finishes in every playout (docs/rules.md §3, Ends)."""
    rules = load_rules({"preset": "champion", "overrides": {"hand_size": 1}})
    for n in range(50):
        deal = Deal(rules, 2, 0, f"s{n}", 0)
        found = estimates(deal, playouts=20, seed="e")
        assert found == estimates(deal, playouts=20, seed="e")
        for one in found:
            if one.action != "draw":
                assert (one.finishes, one.margin, one.points) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("preset", ["champion", "gamerules"])
def test_estimates_from_what_a_seat_knows_do_not_see_hidden_cards(preset: str) -> None:
    told = differs = 0
    for deal in positions(load_rules(preset), 12):
        other = other_cards(deal)
        known, open_ = (
            [estimates(one, playouts=20, seed="e", cards=cards) for one in (deal, other)]
            for cards in CARDS
        )
        assert known[0] == known[1]
        differs += open_[0] != open_[1]
        told += 1
    assert told
    assert differs
