"""The levels of ScienceWorld's tasks, without ScienceWorld."""

from envhub.adapters.scienceworld.tables import LEVELS, VARIATIONS


def test_every_task_belongs_to_one_level_and_longer_ones_have_more_steps() -> None:
    assert sorted(name for level in LEVELS for name in level.tasks) == sorted(VARIATIONS)
    steps = [level.steps for level in LEVELS]
    assert len(steps) == 10
    assert steps == sorted(steps)
