"""Games in this process: bots are told and asked as the contract says."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

import maumau
from maumau import Bot, DealResult, Event, GameInfo, Observation
from maumau.bots.base import rng_seed
from maumau.errors import IllegalAction, InvalidInput, NotFound
from maumau.rules.presets import preset_names


class Lowest(Bot):
    """Plays the first legal action, with its call where one is due."""

    name = "lowest"

    def act(self, obs: Observation) -> str:
        return next((a for a in obs.legal_actions if a.endswith("!")), obs.legal_actions[0])


class Diary(Lowest):
    """Writes down all that it is told."""

    name = "diary"
    books: ClassVar[list[list[Any]]] = []

    def __init__(self, info: GameInfo) -> None:
        super().__init__(info)
        self.book: list[Any] = [info]
        self.books.append(self.book)

    def act(self, obs: Observation) -> str:
        self.book.append(obs)
        return super().act(obs)

    def deal_started(self, obs: Observation) -> None:
        self.book.append(("start", obs))

    def observe(self, event: Event) -> None:
        self.book.append(event)

    def deal_ended(self, result: DealResult) -> None:
        self.book.append(result)


def with_answer(answer: Any) -> type[Bot]:
    class Answers(Bot):
        name = "answers"

        def act(self, obs: Observation) -> str:
            if isinstance(answer, Exception):
                raise answer
            return answer  # type: ignore[no-any-return]

    return Answers


@pytest.mark.parametrize("preset", preset_names())
def test_a_game_gives_a_record_that_verifies(preset: str) -> None:
    record = maumau.play_game(preset, [Lowest, "random"], seed="s")
    assert record["seats"] == ["lowest", "random"]
    assert record["fault"] is None
    maumau.verify_record(record)
    assert record == maumau.play_game(preset, [Lowest, "random"], seed="s")
    assert record != maumau.play_game(preset, [Lowest, "random"], seed="t")


def test_a_bot_is_told_everything_in_order_and_asked_only_where_it_can_choose() -> None:
    Diary.books.clear()
    record = maumau.play_game("gamerules", [Diary, "random", Diary], seed="told")
    assert len(Diary.books) == 2
    for seat, book in zip((0, 2), Diary.books, strict=True):
        info = book[0]
        assert (info.seat, info.seats) == (seat, 3)
        assert info.rules == maumau.load_rules("gamerules")
        starts = [it[1] for it in book if isinstance(it, tuple) and it[0] == "start"]
        assert [obs.deal_number for obs in starts] == list(range(len(record["deals"])))
        assert all(obs.events == () for obs in starts)
        asked = [it for it in book if isinstance(it, Observation)]
        assert all(len(obs.legal_actions) > 1 and obs.acting == seat for obs in asked)
        events = [[it.seat, it.action] for it in book if isinstance(it, Event)]
        assert events == [action for deal in record["deals"] for action in deal["actions"]]
        ends = [it for it in book if isinstance(it, DealResult)]
        assert [it.points for it in ends] == [deal["points"] for deal in record["deals"]]
        told: list[Event] = []
        for it in book[1:]:
            if isinstance(it, Event):
                told.append(it)
            elif isinstance(it, Observation):
                # All that happened before a decision has been told by then.
                assert tuple(told) == it.events
            elif isinstance(it, DealResult):
                told = []


def test_the_rng_depends_on_seed_and_seat() -> None:
    drawn: list[float] = []

    class Draws(Lowest):
        def __init__(self, info: GameInfo) -> None:
            super().__init__(info)
            drawn.append(info.rng.random())

    for seed in ("a", "a", "b"):
        maumau.play_game("champion", [Draws, Draws], seed=seed)
    assert drawn[0:2] == drawn[2:4]
    assert len(set(drawn)) == 4
    assert rng_seed("a", 0) != rng_seed("a", 1)


@pytest.mark.parametrize("answer", ["", "7x", "Draw", 5, None, ["draw"], "pass", "X" * 10_000])
def test_an_illegal_answer_forfeits(answer: Any) -> None:
    record = maumau.play_game("champion", ["easy", with_answer(answer)], seed="s")
    assert record["fault"]["seat"] == 1
    assert record["fault"]["kind"] == "illegal_action"
    assert "legal: " in record["fault"]["detail"]
    assert len(record["fault"]["detail"]) < 400
    assert record["ranks"] == [1, 2]
    maumau.verify_record(record)
    with pytest.raises(IllegalAction):
        maumau.play_game("champion", ["easy", with_answer(answer)], seed="s", strict=True)


def test_an_exception_forfeits_or_with_strict_comes_through() -> None:
    bots = [with_answer(KeyError("oh\x1b no")), "easy"]
    record = maumau.play_game("champion", bots, seed="s")
    assert record["fault"]["kind"] == "crash"
    assert "KeyError" in record["fault"]["detail"]
    assert record["fault"]["detail"].isprintable()
    with pytest.raises(KeyError):
        maumau.play_game("champion", bots, seed="s", strict=True)


def test_a_bot_that_cannot_be_made_forfeits_as_in_the_arena() -> None:
    class Broken(Lowest):
        def __init__(self, info: GameInfo) -> None:
            raise RuntimeError("no start")

    record = maumau.play_game("champion", [Broken, "easy"], seed="s")
    assert record["fault"] == {
        "seat": 0,
        "kind": "crash",
        "detail": record["fault"]["detail"],
        "deal": 0,
        "action": 0,
    }
    maumau.verify_record(record)
    with pytest.raises(RuntimeError):
        maumau.play_game("champion", [Broken, "easy"], seed="s", strict=True)


def test_wrong_bots_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"3 bots given; this rule set seats 2$"):
        maumau.play_game("champion", ["easy"] * 3, seed="s")
    with pytest.raises(NotFound, match="did you mean"):
        maumau.play_game("champion", ["easy", "esay"], seed="s")
    info = GameInfo(0, 2, maumau.load_rules("champion"), None)  # type: ignore[arg-type]
    for wrong in (Lowest(info), 7):
        with pytest.raises(InvalidInput, match=r"bots\.1: must be a bot class"):
            maumau.play_game("champion", ["easy", wrong], seed="s")  # type: ignore[list-item]
