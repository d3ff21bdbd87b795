"""Charts: well-formed, harmless, the numbers of the tables."""

from __future__ import annotations

import random
from xml.etree import ElementTree

from maumau.tournament.charts import crosstable_chart, rating_chart, share_chart
from maumau.tournament.ratings import over_blocks, rate
from maumau.tournament.results import from_legs
from maumau.tournament.standings import crosstable, rank
from maumau.tournament.sums import BlockSums

HOSTILE = ['<script>alert("x")</script>', "a&b\x1b[31m\x00", "long" * 20, "plain"]


def played() -> tuple[BlockSums, list[tuple[int, tuple[int, ...], list[int]]]]:
    rng = random.Random(1)
    sums, legs = BlockSums(4, 20), []
    for block in range(20):
        for i in range(4):
            for j in range(4):
                if i != j:
                    ranks = [1, 2] if rng.random() < 0.5 + (j - i) / 8 else [2, 1]
                    sums.add_leg(block, (i, j), ranks, (0, 0))
                    legs.append((block, (i, j), ranks))
    return sums, legs


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    assert not [e for e in root.iter() if e.tag.endswith("script")]
    return [e.text or "" for e in root.iter() if e.tag.endswith("text")]


def test_the_share_chart_shows_each_share_and_interval() -> None:
    sums, _ = played()
    rows = rank(sums, best="low").to_dict()["rows"]
    svg = share_chart(rows, HOSTILE, seats=2)
    shown = texts(svg)
    for row in rows:
        assert f"{row['score_share']:.1%}" in shown
    assert svg.count("<circle") == 4
    assert svg.count("<path") == 4
    assert "\x1b" not in svg
    assert svg == share_chart(rows, HOSTILE, seats=2)


def test_nothing_played_is_drawn_as_nothing() -> None:
    rows = rank(BlockSums(2, 5), best="low").to_dict()["rows"]
    svg = share_chart(rows, ["a", "b"], seats=2)
    assert texts(svg).count("–") == 2
    assert "<circle" not in svg


def test_the_crosstable_chart_shows_every_pair_twice() -> None:
    sums, _ = played()
    shown = texts(crosstable_chart(crosstable(sums), HOSTILE, [3, 2, 1, 0]))
    cell = next(c for c in crosstable(sums) if (c["entrant"], c["other"]) == (0, 3))
    assert f"{cell['share']:.0%}" in shown
    assert sum(text.endswith("%") for text in shown) == 12


def test_the_rating_chart_ends_at_the_ratings() -> None:
    _, legs = played()
    results, blocks = from_legs(legs), [5, 10, 20]
    series = over_blocks(results, 4, blocks)
    assert series[-1] == [one.rating for one in rate(results, 4, seed="s", draws=2)]
    svg = rating_chart(blocks, series, HOSTILE)
    assert svg.count("<polyline") == 4
    assert "plain" in texts(svg)
    assert texts(rating_chart([], [], ["a"]))
