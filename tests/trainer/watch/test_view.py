"""What a terminal and what a pipe get to see."""

from __future__ import annotations

from io import StringIO
from math import nan

import pytest
from rich.console import Console

from envhub_trainer.watch.view import View, duration, sparkline


def piped() -> tuple[StringIO, Console]:
    out = StringIO()
    return out, Console(file=out, force_terminal=False, width=40)


def test_one_line_a_step_where_there_is_no_terminal() -> None:
    out, console = piped()
    view = View(10, console=console)
    view.show(
        1, {"reward": 0.5, "solved": 0.25, "sampled_per_s": 12345.6, "idle_trainer": 0.5, "seconds": 2.0, "odd": 1}
    )
    view.show(2, {"reward": 0.75, "seconds": 4.0, "kl": nan})
    view.close()
    assert out.getvalue().splitlines() == [
        "step 1/10  18 s left  reward 0.500  solved 25.0%  tokens/s 12,346  idle 50%",
        "step 2/10  24 s left  reward 0.750  KL nan",
    ]


def test_nothing_is_said_of_numbers_that_are_not_shown() -> None:
    out, console = piped()
    view = View(console=console)
    view.show(0, {"memory_gb": 1.0})
    view.show(1, {"test/sampled": 0.5})
    assert out.getvalue() == "step 1  test 50.0%\n"


def test_a_terminal_gets_a_table_with_curves_that_go_on_after_a_restart() -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, width=80, color_system=None)
    view = View(4, [{"step": 1, "time": 0.0, "reward": 0.0, "seconds": 60.0}], console)
    view.show(2, {"reward": 1.0, "test/greedy": 0.5, "seconds": 30.0})
    view.close()
    last = out.getvalue()
    assert "step 2/4  1:30 min left" in last
    assert "▁█" in last
    assert "test greedy" in last
    assert "entropy" not in last


def test_curves() -> None:
    assert sparkline([0.0, 1.0, 0.5, nan, 0.25]) == "▁█▅ ▃"
    assert sparkline([3.0, 3.0]) == "▅▅"
    assert sparkline([100.0, 0.0, 1.0], width=2) == "▁█"
    assert sparkline([]) == ""
    assert sparkline([nan]) == " "


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0, "0 s"), (0.2, "1 s"), (59.5, "1:00 min"), (185, "3:05 min"), (3599.5, "1:00 h"), (8100, "2:15 h")],
)
def test_durations(seconds: float, told: str) -> None:
    assert duration(seconds) == told
