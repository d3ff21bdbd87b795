"""Another bot is asked in a replayed position."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from maumau import Deal, load_rules
from maumau.usecases.estimates import estimates
from tests.web.conftest import World


def ask(client: FlaskClient, world: World, **said: str):  # type: ignore[no-untyped-def]
    where = f"/games/{world.finished}-0-0-0/ask"
    return client.post(where, data={"deal": "0", "step": "1", "bot": "medium", **said})


def test_a_bot_says_what_it_would_do(client: FlaskClient, world: World) -> None:
    answer = ask(client, world)
    assert answer.status_code == 200
    assert "medium@1 would: " in answer.text
    assert answer.text == ask(client, world).text


@pytest.mark.parametrize("said", [{"bot": "nobody"}, {"step": "x"}, {"deal": ""}])
def test_a_wrong_question_is_refused(
    client: FlaskClient, world: World, said: dict[str, str]
) -> None:
    assert ask(client, world, **said).status_code == 422


def test_estimates_are_repeatable_and_finishing_is_certain() -> None:
    """A last card that finishes finishes in every playout (docs/rules.md §3, Ends)."""
    rules = load_rules({"preset": "champion", "overrides": {"hand_size": 1}})
    for n in range(50):
        deal = Deal(rules, 2, 0, f"s{n}", 0)
        found = estimates(deal, playouts=20, seed="e")
        assert found == estimates(deal, playouts=20, seed="e")
        for one in found:
            if one.action != "draw":
                assert (one.finishes, one.points) == (1.0, 0.0)
