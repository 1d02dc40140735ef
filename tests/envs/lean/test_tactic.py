"""lean-tactic-v0: goals come from the kernel, what fails changes nothing, and only proved theorems count."""

from __future__ import annotations

import pytest

from envhub.envs.lean.tactic import Tactic
from envhub.gymnasium.env import Env
from tests.envs.lean.kernel import begun, block, down
from tests.support.kernels import toolchain

ID = "lean-tactic-v0"


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    toolchain()


def played(env: Env, steps: int) -> tuple[str, float, bool, bool, dict[str, object]]:
    result = ("", 0.0, False, False, {})
    for _ in range(steps):
        result = env.step(env.solve())  # type: ignore[assignment]
        if result[2]:
            break
    return result  # type: ignore[return-value]


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_the_oracle_closes_every_goal(level: int) -> None:
    env = begun(ID, 3, difficulty=level)
    _, reward, terminated, _, info = played(env, 160)
    assert (reward, terminated) == (1.0, True)
    assert info["verdict"]["components"]["closed"] == 1.0  # type: ignore[index]


def test_a_tactic_that_fails_changes_nothing_and_says_where() -> None:
    env = begun(ID, 3, family="propositional", level=3)
    opened = env.solve()
    env.step(opened)
    before = env.episode.state
    for wrong, said in (
        ("exact no_such_name", "line 1, column 6: error"),
        ("skip\nskip\nexact no_such_name", "line 3, column 6: error"),
        ("sorry", "'sorry' is not allowed"),
        ("theorem u : True := trivial", "'theorem' is not one"),
        ("skip\ndef x := 1", "'def' is not one"),
        ("this is no tactic", "failed, and nothing has changed"),
        ("((((", "failed, and nothing has changed"),
        ("set_option maxRecDepth 9 in skip", "not allowed"),
    ):
        observation, reward, terminated, _, _ = env.step(block(wrong))
        assert said in observation, wrong
        assert (reward, terminated, env.episode.state) == (0.0, False, before), wrong
    assert played(env, 100)[1] == 1.0


def test_undo_takes_back_one_tactic_and_no_more_than_there_are() -> None:
    env = begun(ID, 3, family="propositional", level=3)
    assert "nothing to undo" in env.step(block("undo"))[0]
    first = env.step(env.solve())[0]
    env.step(env.solve())
    assert env.step(block("undo"))[0] == first.replace("Messages left: 94.", "Messages left: 92.")
    assert "One goal is left:\n\n⊢ ∀" in env.step(block("undo"))[0]
    env.step(block("intros"))
    assert "undo" in env.solve()  # that was none of its own steps
    assert played(env, 100)[1] == 1.0


def test_goals_that_are_opened_and_closed_earn_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tactic, "max_turns", 12)
    env = begun(ID, 5, family="propositional", level=4, theorems=2)
    for number in range(10):
        observation, _, terminated, truncated, _ = env.step(block(f"have easy{number} : True := True.intro"))
        assert (terminated, truncated) == (False, False)
        assert "goal" in observation
    for _ in range(2):
        _, reward, _, truncated, info = env.step(block("constructor"))
    assert truncated
    assert (reward, info["verdict"]["components"]["closed"]) == (0.0, 0.0)


def test_each_theorem_that_is_proved_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tactic, "max_turns", 30)
    env = begun(ID, 5, family="propositional", level=2, theorems=2)
    while "The theorem is proved." not in env.step(env.solve())[0]:
        pass
    while not (result := env.step(block("skip")))[3]:
        pass
    assert result[4]["verdict"]["components"]["closed"] == 0.5
    assert (result[1], result[4]["verdict"]["reason"]) == (0.0, "turn_limit")


def test_a_fork_goes_on_from_the_same_goals() -> None:
    env = begun(ID, 8, difficulty=3)
    played(env, 2)
    twin = env.fork()
    assert twin.episode.state == env.episode.state
    assert twin.step(env.solve())[0] == env.step(env.solve())[0]


def test_what_takes_the_kernel_down_ends_it_with_abuse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tactic, "resources", down("abused"))
    _, reward, terminated, _, info = begun(ID, 1).step(block("decide"))
    components = info["verdict"]["components"]
    assert (reward, terminated, components["abuse"], components["closed"]) == (0.0, True, 1.0, 0.0)
