"""weak-spot-v0: real tasks behind the record, exact rates, and choices that gain nothing."""

from __future__ import annotations

import json
from math import fsum
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.rule_based.weak_spots.record import LEVELS, rows

ID = "weak-spot-v0"


def begun(seed: int, level: int = 3) -> Any:
    env = envhub.make(ID, difficulty=level)
    env.reset(seed=seed)
    return env


def chosen(env: Any) -> dict[str, Any]:
    """The oracle's choice."""
    found: dict[str, Any] = json.loads(env.environment.solve(env.episode.instance))
    return found


def reward(env: Any, choice: Any) -> float:
    return float(env.fork().step(f"<answer>{json.dumps(choice)}</answer>")[1])


def test_every_row_is_one_that_the_hub_makes_at_every_level() -> None:
    assert len(rows()) >= 20
    for row in rows():
        for level in LEVELS:
            env = envhub.make(row.environment, difficulty=level, **row.options)
        env.reset(seed=0)
        assert row.options.items() <= dict(env.task.params).items()
    with pytest.raises(InvalidParameters):
        envhub.make(rows()[0].environment, difficulty=1, variant="sideways")


def test_rates_fall_with_the_level_and_rise_with_the_skill() -> None:
    for row in rows():
        rates = [row.rate(0.6, level) for level in LEVELS]
        assert all(0.0 <= rate <= 1.0 for rate in rates)
        assert rates[0] > rates[-1]
        assert row.rate(0.3, 5) < row.rate(0.6, 5) < row.rate(0.9, 5)


def test_a_rate_is_what_simulated_attempts_reach() -> None:
    rng, row = Stream(b"attempts"), rows()[0]
    usual = fsum(row.efforts[4]) / len(row.efforts[4])
    for level in (2, 5, 8):
        solved = 0
        for _ in range(4_000):
            effort = rng.choice(row.efforts[level - 1])
            solved += rng.below(10**9) / 10**9 < 0.6 ** (effort / usual)
        assert abs(solved / 4_000 - row.rate(0.6, level)) < 0.04


def test_the_choice_must_be_unmeasured_near_the_target_and_stated_right() -> None:
    for seed in range(10):
        env = begun(seed)
        choice = chosen(env)
        assert reward(env, choice) == 1.0
        off = choice["rate"] + (0.2 if choice["rate"] < 0.5 else -0.2)
        assert reward(env, {**choice, "rate": off}) < 1.0
        row = next(
            row
            for row in env.task.problem["record"]
            if (row["environment"], row["options"]) == (choice["environment"], choice["options"])
        )
        measured = int(next(iter(row["solved"])))
        assert reward(env, {**choice, "level": measured}) == 0.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"environment": "sudoku-v0"}, "is not in the record"),
        ({"environment": 3}, "is not in the record"),
        ({"options": {"size": 99}}, "options are not in the record"),
        ({"options": []}, "options are not in the record"),
        ({"level": 0}, "integer from 1 to 10"),
        ({"level": 11}, "integer from 1 to 10"),
        ({"level": 2.5}, "integer from 1 to 10"),
        ({"level": True}, "integer from 1 to 10"),
        ({"level": "3"}, "integer from 1 to 10"),
        ({"level": 10**40}, "integer from 1 to 10"),
        ({"rate": 1.5}, "number from 0 to 1"),
        ({"rate": -1}, "number from 0 to 1"),
        ({"rate": None}, "number from 0 to 1"),
        ({"rate": [0, 1]}, "number from 0 to 1"),
        ({"more": 1}, "with the keys"),
    ],
)
def test_what_is_no_choice_is_said_and_earns_nothing(change: dict[str, Any], said: str) -> None:
    env = begun(1)
    observation, got, *_ = env.fork().step(f"<answer>{json.dumps(chosen(env) | change)}</answer>")
    assert got == 0.0
    assert said in observation


def test_every_prompt_states_the_reward_of_a_choice_that_fails() -> None:
    env = begun(1)
    problem, choice = env.task.problem, chosen(env)
    for wording in range(-4, 12):
        if wording < 0:
            text = envhub.make(ID, difficulty=3, wording="held-out").reset(seed=-wording)[0]
        else:
            text = envhub.make(ID, difficulty=3, wording=wording).reset(seed=1)[0]
        assert "30 percentage points" in text or "/30" in text
        assert "half" in text or "halve" in text
        assert "nvalid choice" in text or "breaks a rule" in text or "not valid" in text
    for at, row in enumerate(problem["record"]):
        for level in row["open"]:
            rate = env.episode.instance.key["rates"][at][level - 1]
            away = abs(100 * rate - problem["target"])
            named = {**choice, "environment": row["environment"], "options": row["options"], "level": level}
            part = max(0.0, 1 - away / 30)
            honest = reward(env, {**named, "rate": round(rate, 3)})
            assert honest == (1.0 if away <= problem["tolerance"] else pytest.approx(part))
            wrong = rate + (0.11 if rate < 0.5 else -0.11)
            assert reward(env, {**named, "rate": round(wrong, 3)}) == pytest.approx(part / 2)


def test_the_feedback_says_that_an_estimate_is_off() -> None:
    env = begun(1)
    choice = chosen(env)
    assert "estimate" not in env.fork().step(f"<answer>{json.dumps(choice)}</answer>")[0]
    off = choice["rate"] - 0.2
    said = env.fork().step(f"<answer>{json.dumps({**choice, 'rate': off})}</answer>")[0]
    assert f"Your estimate of {100 * off:.1f}% is off by more than 10 percentage points." in said


def test_a_policy_that_interpolates_the_record_solves_and_one_that_ignores_it_does_not() -> None:
    """A reader of the prompt alone: linear interpolation between measured levels."""
    solved = ignored = 0
    for seed in range(60):
        env = begun(seed, level=1)
        problem = env.task.problem
        target, best = problem["target"] / 100, (9.0, {})
        for row in problem["record"]:
            known = {int(level): count / problem["attempts"] for level, count in row["solved"].items()}
            for level in LEVELS:
                below, above = [at for at in known if at < level], [at for at in known if at > level]
                if level in known or not below or not above:
                    continue
                low, high = max(below), min(above)
                rate = known[low] + (known[high] - known[low]) * (level - low) / (high - low)
                named = {"environment": row["environment"], "options": row["options"], "level": level}
                best = min(best, (abs(rate - target), {**named, "rate": rate}), key=lambda found: found[0])
        if best[1]:
            solved += reward(env, best[1]) == 1.0
        first = problem["record"][0]
        level = next(at for at in LEVELS if str(at) not in first["solved"])
        named = {"environment": first["environment"], "options": first["options"], "level": level}
        ignored += reward(env, {**named, "rate": target}) == 1.0
    assert solved >= 30
    assert ignored <= 12


def test_the_info_names_the_tasks_and_no_key() -> None:
    env = begun(2)
    info = env.step(env.solve())[4]
    proposal = info["proposal"]
    made = envhub.make(proposal["environment"], difficulty=proposal["level"], **proposal["options"])
    assert made.reset(seed=0)[0]
    assert "rates" not in json.dumps(info)


# -- a measured record -------------------------------------------------------------------------------------------------


def measured(folder: Path, *more: dict[str, Any]) -> str:
    """A file with three rows of ten levels, from easy to hard."""
    lines = [
        {"environment": f"task-{name}", "options": {"size": name}, "level": level, "solved": solved, "attempts": 100}
        for name in range(3)
        for level in range(1, 11)
        for solved in [max(0, 100 - level * (9 + name) + name)]
    ]
    file = folder / "record.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in [*lines, *more]))
    return str(file)


def test_a_measured_record_is_judged_by_what_was_measured(tmp_path: Path) -> None:
    env = envhub.make("weak-spot-record-v0", path=measured(tmp_path), difficulty=3)
    for seed in range(6):
        prompt, _ = env.reset(seed=seed)
        choice, target = chosen(env), env.task.problem["target"] / 100
        name, level = choice["options"]["size"], choice["level"]
        rate = max(0, 100 - level * (9 + name) + name) / 100
        assert choice["rate"] == rate
        assert abs(rate - target) <= env.task.problem["tolerance"] / 100
        assert reward(env, choice) == 1.0
        assert reward(env, {**choice, "rate": rate + (0.2 if rate < 0.5 else -0.2)}) < 1.0
        assert "task-" in prompt


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"environment": "", "level": 1, "solved": 1, "attempts": 2}, "environment must be a text"),
        ({"environment": "a", "options": [], "level": 1, "solved": 1, "attempts": 2}, "options an object"),
        ({"environment": "a", "level": 11, "solved": 1, "attempts": 2}, "level must be from 1 to 10"),
        ({"environment": "a", "level": 1, "solved": 3, "attempts": 2}, "solved from 0 to attempts"),
        ({"environment": "a", "level": 1, "solved": 0, "attempts": 0}, "at least 1"),
        ({"environment": "a", "level": 1.0, "solved": 0, "attempts": 1}, "must be integers"),
    ],
)
def test_rows_that_are_no_measurements_are_named(tmp_path: Path, row: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidParameters, match=said):
        envhub.make("weak-spot-record-v0", path=measured(tmp_path, row))


def test_the_prompt_of_a_measured_record_does_not_invent_attempts(tmp_path: Path) -> None:
    for wording in range(12):
        env = envhub.make("weak-spot-record-v0", path=measured(tmp_path), difficulty=3, wording=wording)
        prompt = env.reset(seed=0)[0]
        assert "1,000" in prompt
        assert "of 1000 attempts" not in prompt
        assert "out of 1000" not in prompt
        assert "made 1000" not in prompt


def test_a_record_with_too_few_levels_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "few.jsonl"
    file.write_text('{"environment": "a", "level": 1, "solved": 1, "attempts": 2}\n')
    with pytest.raises(InvalidParameters, match="3 levels or more"):
        envhub.make("weak-spot-record-v0", path=str(file))
