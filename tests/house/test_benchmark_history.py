"""The benchmarks' history names what has become worse, growth is fitted as a power of the size; games can be made."""

import json

import pytest

import envhub
from benchmarks.games import SHARED, Shared
from benchmarks.growth import Cost, Growth, Kind
from benchmarks.history import compared, entry, worse


def run(steps: float, turn: float, rows: float) -> dict[str, object]:
    return entry({"steps": (steps, False), "turn": (turn, True)}, {"rows": rows}, "abc")


def test_only_what_is_clearly_worse_is_named() -> None:
    before = run(0.8, 0.5, 1.0)
    assert worse(before, run(0.75, 0.55, 1.05)) == []
    assert worse(before, run(1.6, 0.2, 0.5)) == []
    assert worse(before, run(0.6, 0.5, 1.0)) == ["steps: 0.6 after 0.8"]
    assert worse(before, run(0.8, 0.7, 1.2)) == ["slope of rows: 1.20 after 1.00", "turn: 0.7 after 0.5"]


def test_a_run_is_compared_with_the_last_line() -> None:
    lines = [json.dumps(run(*figures)) for figures in ((0.1, 0.1, 1.0), (0.8, 0.5, 1.0))]
    assert "first" in compared([], run(0.8, 0.5, 1.0))
    assert "nothing is worse" in compared(lines, run(0.8, 0.5, 1.0))
    assert compared(lines, run(0.4, 0.5, 1.0)).endswith("worse: steps: 0.4 after 0.8.")


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_the_slope_is_the_power_of_the_size(power: float) -> None:
    sizes = (10, 100, 1000)
    kind = Kind("rows", "rows", sizes, lambda size: Cost(size, 3e-6 * size**power))
    found = Growth(kind, [kind.cost(size) for size in sizes])
    assert found.slope == pytest.approx(power)
    assert f"slope {power:.2f}" in found.picture()


@pytest.mark.parametrize("shared", SHARED, ids=lambda shared: f"{shared.what}, {shared.side}")
def test_a_shared_game_has_settings_that_its_environment_accepts(shared: Shared) -> None:
    observation, _ = envhub.make(shared.ours, **shared.params).reset(seed=0)
    assert observation
