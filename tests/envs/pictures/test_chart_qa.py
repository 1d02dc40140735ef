"""chart-qa-v0: wrong items are refused, and pictures show what they should."""

from __future__ import annotations

from typing import Any, cast

import envhub
from envhub.core.seeding import Stream
from envhub.envs.pictures.chart_qa.data import SEVERAL, TYPES, draw
from envhub.envs.pictures.chart_qa.picture import drawn
from envhub.scenes import Rect, Text


def test_right_items_pass_and_wrong_ones_do_not() -> None:
    env = envhub.make("chart-qa-v0", difficulty=4)
    for seed in range(20):
        env.reset(seed=seed)
        assert env.fork().step(env.solve())[1] == 1.0
        for wrong in cast(Any, env.environment).mistakes(env.episode.instance):
            assert env.fork().step(f"<answer>{wrong}</answer>")[1] == 0.0


def test_the_heights_of_bars_are_the_values() -> None:
    chart = next(filter(None, (draw(Stream(bytes([k]), "bars"), "grouped", 5, 3, 8) for k in range(9))))
    bars = [
        s for s in drawn(chart).shapes if isinstance(s, Rect) and (s.fill or "").startswith("hue") and s.width == 20
    ]
    heights = [bar.height * chart["step"] // 30 for bar in bars]
    columns = zip(*(one["values"] for one in chart["series"]), strict=True)
    assert heights == [value for column in columns for value in column]


def test_texts_of_charts_do_not_share_a_place() -> None:
    for kind in TYPES:
        for k in range(6):
            chart = draw(Stream(bytes([k]), kind), kind, 9, 4 if kind in SEVERAL else 1, 10)
            if chart is not None:
                places = [(s.x, s.y) for s in drawn(chart).shapes if isinstance(s, Text)]
                assert len(set(places)) == len(places)


def test_the_text_beside_a_picture_does_not_contain_the_data() -> None:
    env = envhub.make("chart-qa-v0", difficulty=4, observation="image")
    for seed in range(20):
        prompt, info = env.reset(seed=seed)
        assert env.task.problem["chart"]["title"] not in prompt
        assert info["images"]
