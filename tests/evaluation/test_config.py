"""What a configuration reads, refuses and is known by."""

from __future__ import annotations

import pytest

from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.evaluation import EvaluationConfig, Job


def test_parts_are_read() -> None:
    config = EvaluationConfig.of(["sudoku-v0", "countdown-v0:4", "arithmetic-v0:1-10"], tasks=2, attempts=3)
    assert config.parts == (("sudoku-v0", 3, 3), ("countdown-v0", 4, 4), ("arithmetic-v0", 1, 10))
    assert len(config) == len(list(config.jobs())) == 2 * 3 * 12
    assert len(set(config.jobs())) == len(config)


def test_every_task_is_tried_before_any_is_tried_again() -> None:
    jobs = list(EvaluationConfig.of(["arithmetic-v0:1-2"], tasks=2, attempts=2).jobs())
    assert [job.attempt for job in jobs] == [0] * 4 + [1] * 4
    assert jobs[0] == Job("arithmetic-v0", 1, 0, 0)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ([], "at least one environment"),
        (["sudoku-v0:0"], "difficulties are 1 to 10"),
        (["sudoku-v0:5-3"], "the lower one first"),
        (["sudoku-v0:11"], "difficulties are 1 to 10"),
        (["sudoku-v0:x"], "is like sudoku-v0, sudoku-v0:3 or sudoku-v0:1-5"),
        (["sudoku-v0", "sudoku-v0:4"], "named twice"),
        (["sudoko-v0"], "sudoku-v0"),
    ],
)
def test_an_invalid_configuration_is_refused(parts: list[str], says: str) -> None:
    with pytest.raises(EnvhubError, match=says):
        EvaluationConfig.of(parts)


@pytest.mark.parametrize("fields", [{"tasks": 0}, {"attempts": 0}, {"split": "exam"}, {"seed": -1}])
def test_numbers_out_of_range_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidParameters):
        EvaluationConfig.of(["sudoku-v0"], **fields)


def test_the_digest_is_of_everything_and_comes_back() -> None:
    config = EvaluationConfig.of(["sudoku-v0:1-2"])
    assert EvaluationConfig.from_json(config.to_json()) == config
    others = [
        EvaluationConfig.of(["sudoku-v0:1-2"], **fields)
        for fields in (
            {"tasks": 21},
            {"attempts": 2},
            {"split": "train"},
            {"seed": 1},
            {"system": "x"},
            {"answer_format": "last"},
        )
    ]
    assert len({config.digest, *(other.digest for other in others)}) == 7
    assert [other.same_tasks == config.same_tasks for other in others] == [False, True, False, False, False, False]
    with pytest.raises(InvalidParameters, match="not the configuration"):
        EvaluationConfig.from_json({"parts": 3})


def test_a_format_of_tool_calls_is_for_environments_with_tools() -> None:
    config = EvaluationConfig.of(["browse-v0"], tool_format="harmony")
    assert config.asking == {"tool_format": "harmony"}
    assert EvaluationConfig.from_json(config.to_json()) == config
    assert config.digest != EvaluationConfig.of(["browse-v0"]).digest
    for parts, fields, why in (
        (["browse-v0", "sudoku-v0"], {"tool_format": "hermes"}, "sudoku-v0 has no tools"),
        (["browse-v0"], {"tool_format": "hermse"}, "Did you mean 'hermes'"),
        (["browse-v0"], {"tool_format": "hermes", "answer_format": "tag"}, "not both"),
    ):
        with pytest.raises(InvalidParameters, match=why):
            EvaluationConfig.of(parts, **fields)
