"""A turn that raised is taken again in a worker: the answer is judged, and the environment is not excused."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.authoring import Environment, write_call
from envhub.core.effects import Outcome, Performed
from envhub.core.errors import SnapshotMismatch
from envhub.core.types import EnvSpec, Turn, Verdict
from envhub.episodes import blame, rerun
from envhub.episodes.episode import Episode
from envhub.episodes.record import Record
from envhub.workers.worker import CallResult
from tests.support.raising import Asks, Broken, Desk, Fragile, Once, Spoils, Unbuildable, Unfit, Unsolvable
from tests.support.rerunning import Here, use
from tests.support.stepping import Step, both_steps
from tests.support.toys import SECRET, adder, env, episode, source

ROOT = Path(envhub.__file__).parent.parent
SPEC = EnvSpec("toy-v0", "tests.support.raising:?")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    return use(monkeypatch, Here())


def seen(e: Episode) -> list[tuple[Any, ...]]:
    return [(t.state, t.observation, t.verdict, t.terminated, t.truncated) for t in e.turns]


def is_abuse(turn: Turn) -> bool:
    """Whether a turn was judged as abuse; if it was not, it is an error without a score."""
    verdict = turn.verdict
    assert verdict is not None
    if verdict.status == "error":
        assert verdict.error is not None
        assert (verdict.score, verdict.error.code) == (None, "environment_failed")
        assert (turn.terminated, turn.truncated) == (False, True)
        return False
    assert (verdict.score, verdict.solved, verdict.status) == (0.0, False, "graded")
    assert verdict.components == {"abuse": 1.0}
    assert (turn.terminated, turn.truncated) == (True, False)
    return True


# -- in worker processes ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@both_steps
def test_an_answer_that_breaks_its_check_scores_nothing(step: Step, caplog: pytest.LogCaptureFixture) -> None:
    e = episode(Fragile())
    with caplog.at_level(logging.DEBUG):
        assert step(e, "1").verdict is None
        turn = step(e, "13")
    assert is_abuse(turn)
    assert e.over
    assert turn.state == (1,)
    told = caplog.text + repr(e.turns) + json.dumps(e.journal[-1].to_json()) + json.dumps(e.messages())
    assert str(SECRET) not in told
    assert "ValueError" in caplog.text


@pytest.mark.slow
def test_an_environment_that_fails_whatever_is_answered_is_an_error() -> None:
    assert not is_abuse(episode(Broken()).step("13"))


@pytest.mark.slow
@pytest.mark.parametrize("cls", [Once, Unbuildable])
def test_what_cannot_be_seen_again_blames_nobody(cls: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cls, "here", True)
    e = episode(cls())
    assert not is_abuse(e.step("13"))
    monkeypatch.setattr(Once, "here", False)  # it would not raise any more
    assert seen(replayed(e)) == seen(e)


@pytest.mark.slow
def test_what_one_answer_spoils_is_not_blamed_on_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Spoils, "spoilt", False)
    assert is_abuse(episode(Spoils()).step("13"))
    assert not is_abuse(episode(Spoils()).step("14"))


@pytest.mark.slow
def test_a_control_asks_nothing_of_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Desk, "here", True)
    e = episode(Asks())
    assert e.step("2").observation == "noted"
    assert is_abuse(e.step("13"))
    assert [len(record.effects) for record in e.journal] == [1, 2]


@pytest.mark.slow
def test_nothing_of_this_is_loaded_before_it_is_needed() -> None:
    program = """if True:
    import sys
    import envhub
    from tests.support.toys import Dice, episode
    def loaded():
        return [name for name in ("envhub.workers.pool", "envhub.workers.worker") if name in sys.modules]
    for id in ("arithmetic-v0", "mastermind-v0"):
        env = envhub.make(id)
        env.reset(seed=1)
        env.step("no")
        env.step(env.solve()) if not env.episode.over else None
    print(loaded())
    episode(Dice()).step("13")
    print(loaded())
    """
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:2] == ["[]", "['envhub.workers.pool', 'envhub.workers.worker']"]


# -- who is to blame -------------------------------------------------------------------------------------------------


@both_steps
@pytest.mark.parametrize(
    ("cls", "actions", "abuse"),
    [
        (Fragile, ["13"], True),
        (Fragile, ["1", "2", "13"], True),
        (Fragile, ["7", "1"], False),  # in the same state the oracle's answer raises too
        (Fragile, ["7", "13"], False),
        (Broken, ["13"], False),
        (Unsolvable, ["13"], False),
        (Unfit, ["13"], True),
        (type("Never", (Unfit,), {"always": True}), ["13"], False),
        (Asks, ["3", "13"], True),
        (Asks, ["3", "14"], False),  # what the world said breaks the control as well
    ],
)
def test_the_answer_is_to_blame_where_the_oracles_passes(
    step: Step, cls: Any, actions: list[str], abuse: bool, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Desk, "here", True)
    e = episode(cls())
    for action in actions[:-1]:
        assert step(e, action).verdict is None
    assert is_abuse(step(e, actions[-1])) == abuse
    assert here.asked == (cls.__name__ != "Never")


def test_a_turn_is_taken_again_with_its_own_luck(here: Here) -> None:
    trunk = episode(Fragile(), seed=4, turn_seed=3)
    trunk.step("1")
    for e in (trunk.fork(), trunk.fork(turn_seed=8)):
        roll = e.fork().step("1").observation
        assert is_abuse(e.step(roll))
    assert roll != trunk.step("1").observation


@both_steps
@pytest.mark.parametrize("failure", ["timeout", "crashed", "memory", "raised", "unavailable"])
def test_a_worker_that_fails_blames_nobody(step: Step, failure: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Here(CallResult(failure=failure, detail="why")))
    e = episode(Fragile())
    assert not is_abuse(step(e, "13"))
    assert seen(replayed(e)) == seen(e)


@both_steps
def test_a_pool_that_cannot_be_asked_blames_nobody(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rerun, "_workers", None)
    assert not is_abuse(step(episode(Fragile()), "13"))


def test_a_class_that_no_worker_could_find_is_asked_of_none(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    class Local(Fragile):
        pass

    namesake: Any = type("Fragile", (Fragile,), {"__module__": Fragile.__module__})
    main: Any = type("Main", (Fragile,), {"__module__": "__main__"})
    monkeypatch.setattr(sys.modules["__main__"], "Main", main, raising=False)
    for cls in (Local, namesake, main):
        e = episode(cls())
        assert not is_abuse(e.step("13"))
        assert seen(replayed(e)) == seen(e)
    assert here.asked == 0
    assert is_abuse(episode(Fragile()).step("13"))
    assert here.asked == 1


@both_steps
def test_without_a_checker_nobody_is_blamed(step: Step, here: Here) -> None:
    e = Episode(Fragile(), *source(Fragile()).draw(0))
    assert not is_abuse(step(e, "13"))
    assert seen(replayed(e)) == seen(e)
    assert here.asked == 0


def test_the_environments_face_pays_nothing_and_tells_no_error(here: Here) -> None:
    for cls, abuse in ((Fragile, True), (Broken, False)):
        e = env(cls())
        e.reset(seed=1)
        observation, reward, terminated, truncated, info = e.step("13")
        assert (reward == 0.0, math.isnan(reward)) == (abuse, not abuse)
        assert (terminated, truncated) == (abuse, not abuse)
        assert ("error" in info) == (not abuse)
        assert "abuse" in json.dumps(info) or not abuse
        assert str(SECRET) not in observation + json.dumps(info)


# -- the journal -----------------------------------------------------------------------------------------------------


def replayed(e: Episode) -> Episode:
    return Episode.restore(SPEC, e.environment, json.loads(json.dumps(e.snapshot())))


@pytest.mark.parametrize(("cls", "actions"), [(Fragile, ["1", "13"]), (Fragile, ["7", "1"]), (Asks, ["3", "13"])])
def test_what_was_found_is_folded_and_nothing_is_asked_again(
    cls: type[Environment], actions: list[str], here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Desk, "here", True)
    e = episode(cls())
    for action in actions:
        e.step(action)
    assert e.over
    monkeypatch.setattr(Desk, "here", False)
    taken: list[int] = []
    act = cls.act  # type: ignore[attr-defined]

    def noting(self: Any, inst: Any, state: Any, value: int, rng: Any) -> Any:
        taken.append(value)
        return act(self, inst, state, value, rng)

    monkeypatch.setattr(cls, "act", noting)
    again = replayed(e)
    assert taken == [int(actions[0])]  # and not the turn that raised
    for twin in (again, e.fork(), again.fork(turn_seed=5)):
        assert (seen(twin), twin.journal, twin.over) == (seen(e), e.journal, True)
    assert again.snapshot() == e.snapshot()
    assert here.asked == 1
    with pytest.raises(SnapshotMismatch, match="after the episode has ended"):
        Episode.replay(e.environment, e.task, e.instance, [e.journal[-1], e.journal[0]])


def test_a_journal_that_was_written_without_a_finding_is_an_error_and_asks_nobody(here: Here) -> None:
    e = episode(Fragile())
    old = Episode.replay(e.environment, e.task, e.instance, [Record("1"), Record("13")])
    assert not is_abuse(old.turns[-1])
    assert old.journal[-1] == Record("13")
    assert here.asked == 0


@pytest.mark.parametrize("outcome", [None, Outcome("nothing"), Outcome("answer", {"score": 1.0})])
def test_a_finding_that_was_tampered_with_is_no_score(outcome: Outcome | None) -> None:
    e = episode(Fragile())
    records = [Record("0", effects=(Performed(blame.AGAIN, outcome),))]
    assert not is_abuse(Episode.replay(e.environment, e.task, e.instance, records).turns[-1])


def test_no_environment_can_ask_for_it(here: Here) -> None:
    environment, _ = adder()
    turn = episode(environment).step(write_call("ask", payload="x", of=blame.AGAIN))
    assert turn.verdict is not None
    assert turn.verdict.error is not None
    assert turn.verdict.error.code == "unknown_resource"
    assert here.asked == 0


def test_a_turn_that_is_cancelled_while_it_is_taken_again_was_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    environment, tally = adder()
    e = episode(environment)

    async def cancelled() -> None:
        begun = asyncio.Event()

        async def forever(self: Any, effect: Any) -> Performed:
            begun.set()
            return await asyncio.Future()

        monkeypatch.setattr(rerun.WorkerChecker, "acheck", forever)
        monkeypatch.setattr("envhub.episodes.episode.entry_of", lambda cls: ["tests.support.toys", "Adder"])
        task = asyncio.create_task(e.astep(write_call("add", amount=3) + write_call("explode")))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert (e.journal, e.turns) == ([], [])
    assert tally.performed == [3]
    assert e.step(write_call("look")).observation == "total 0"


def test_a_blameless_verdict_has_no_such_component(here: Here) -> None:
    verdict = episode(Fragile()).step("0").verdict
    assert verdict == Verdict.exact(True).noting("0", format=0.0)
    assert here.asked == 0
