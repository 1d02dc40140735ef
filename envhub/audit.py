"""The contract on which a reward can be trusted, as checks that any environment can be put to.

Each check takes a :class:`Subject` and raises :class:`Breach` with what it found. The registry suite runs them all over
every environment, plug-ins included; none knows anything of a particular one::

    for name, check in CHECKS.items():
        check(Subject("sudoku-v0"))
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Final
from unittest.mock import patch

from envhub.author import Environment, SingleTurn, ToolEnv
from envhub.controls import NASTY, perturbed, spearman
from envhub.difficulty import LEVELS
from envhub.effects import Resources
from envhub.env import Env
from envhub.errors import InvalidParameters
from envhub.making import make, restore, verify
from envhub.registry import load, spec
from envhub.sampling import rebuild
from envhub.seeding import SPLITS, Stream, TaskKey, canonical_json
from envhub.types import Instance, Task, Verdict
from envhub.verifiers.extraction import FORMS

ORACLE_SEEDS: Final = 20
GOLDEN_SEEDS: Final = (0, 1, 2)
_LARGE_SEED: Final = 7_260_518_403_816_273
_LEAST_SECRET: Final = 5
_PERTURBED_SHARE: Final = 0.05


class Breach(AssertionError):
    """An environment does not keep the contract."""


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise Breach(message)


@dataclass(frozen=True)
class Subject:
    """An environment under audit.

    Attributes:
        id: Its id.
    """

    id: str

    @cached_property
    def author(self) -> Environment:
        """Its rules."""
        return load(spec(self.id))()

    @property
    def formats(self) -> tuple[str | None, ...]:
        """The answer formats it can ask for."""
        return (None,) if isinstance(self.author, ToolEnv) else FORMS

    def env(self, level: int, **settings: Any) -> Env:
        """The environment at a level."""
        return make(self.id, difficulty=level, **settings)

    def begun(self, level: int, seed: int, **settings: Any) -> Env:
        """The environment at a level, reset."""
        env = self.env(level, **settings)
        env.reset(seed=seed)
        return env


def oracle_actions(env: Env) -> list[str]:
    """Play the oracle to the end; what it did.

    Raises:
        Breach: The episode does not end within its turns, or is not solved.
    """
    actions: list[str] = []
    done = False
    reward = 0.0
    info: dict[str, Any] = {}
    while not done:
        actions.append(env.solve())
        _, reward, terminated, truncated, info = env.step(actions[-1])
        _require(not truncated, f"The oracle's episode was cut: {_where(env)}: {info.get('verdict')}.")
        _require(len(actions) <= env.author.max_turns, f"The oracle does not finish: {_where(env)}.")
        done = terminated
    _require(
        reward == 1.0 and info["verdict"]["solved"] is True, f"The oracle fails: {_where(env)}: {info['verdict']}."
    )
    return actions


def play(env: Env, actions: Iterator[str]) -> Verdict:
    """Play actions until the episode ends; an ``error`` is a breach, whatever the actions."""
    for action in actions:
        turn = env.episode.step(action)
        if turn.verdict is not None:
            _require(
                turn.verdict.status != "error", f"{_where(env)} could not judge {action[:60]!r}: {turn.verdict.error}."
            )
            _require(turn.verdict.score is not None and 0 <= turn.verdict.score <= 1, f"{_where(env)}: {turn.verdict}.")
            return turn.verdict
    raise Breach(f"The episode did not end: {_where(env)}.")


def check_gymnasium(subject: Subject) -> None:
    """Gymnasium's own ``check_env``, its warnings being errors."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    from envhub.gym import NAMESPACE, register_envs

    register_envs()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(f"{NAMESPACE}/{subject.id}").unwrapped)


def check_oracle(subject: Subject) -> None:
    """The oracle solves every difficulty, in the form that is asked for."""
    for level in LEVELS:
        env = subject.env(level)
        for seed in range(ORACLE_SEEDS):
            env.reset(seed=seed)
            oracle_actions(env)


def check_formats(subject: Subject) -> None:
    """A right answer is right in every form, well formatted in the one asked for, and wording changes no task."""
    plain = subject.begun(2, 5).task
    for form in subject.formats:
        env = subject.begun(2, 5, answer_format=form, system="Be brief.")
        same = (env.task.fingerprint, env.task.problem) == (plain.fingerprint, plain.problem)
        _require(same, f"The wording {form!r} changed the task of {subject.id}.")
        oracle_actions(env)
        verdict = env.episode.turns[-1].verdict
        if form is not None and verdict is not None:
            _require(
                verdict.components.get("format") == 1.0, f"{subject.id} does not count {form!r} as well formatted."
            )


def check_wrong_answers(subject: Subject) -> None:
    """What solves nothing scores as solving nothing."""
    for level in (1, 4, 7, 10):
        others = [oracle_actions(subject.begun(level, seed)) for seed in range(100, 104)]
        for seed in range(3):
            env = subject.begun(level, seed)
            right = oracle_actions(env.fork())
            for text in NASTY:
                _refuse(env, iter([text] * env.author.max_turns), f"{text[:40]!r}")
            for other in others:
                if other[-1] != right[-1]:
                    _refuse(env, _then(other, ""), "the solution of another problem")
            if isinstance(env.author, SingleTurn):
                _check_single(env, right[0], [other[0] for other in others])


def _check_single(env: Env, right: str, others: Sequence[str]) -> None:
    """Controls made from a right answer: hidden, hedged, listed, negated, perturbed, buried."""
    answer = env.author.answer
    value = answer.read(right).value
    wrong = [other for other in others if answer.read(other).value != value]
    _refuse(env, iter([f"<think>{right}</think>"]), "a right answer that was only thought")
    _refuse(env, iter([env.task.prompt]), "the prompt echoed")
    _refuse(env, iter([right + "x" * env.author.max_action_chars]), "a right answer in too long a text")
    for other in wrong:
        for hedge in (f"{right}\n{other}", f"{other}\n{right}", f"{right} or {other}"):
            _refuse(env, iter([hedge]), "a hedge")
    if wrong:
        _refuse(env, iter(["\n".join([*wrong, right])]), "a list that holds the right answer")
    inner = answer.read(right).text
    for negated in (f"not {inner}", f"-{inner}", f"anything but {inner}"):
        if answer.read(answer.wrap(negated)).value != value:
            _refuse(env, iter([answer.wrap(negated)]), "a right answer negated")
    solved = tried = 0
    for changed in perturbed(inner):
        reading = answer.read(answer.wrap(changed))
        if reading.reason is None and reading.value != value:
            tried += 1
            solved += bool(play(env.fork(), iter([answer.wrap(changed)])).solved)
    _require(solved <= _PERTURBED_SHARE * tried, f"{solved} of {tried} perturbed answers pass: {_where(env)}.")


def _refuse(env: Env, actions: Iterator[str], what: str) -> None:
    verdict = play(env.fork(), actions)
    _require(not verdict.solved and verdict.score != 1.0, f"{what} passes as solved: {_where(env)}.")


def _then(actions: Sequence[str], rest: str) -> Iterator[str]:
    yield from actions
    while True:
        yield rest


def check_key_is_the_task(subject: Subject) -> None:
    """A task's key, through JSON, gives the same task again; so does the task itself."""
    for level in LEVELS:
        task = subject.begun(level, 11).task
        text = json.dumps(task.to_json())
        _require(Task.from_json(json.loads(text)) == task, f"{subject.id} at {level}: the task does not survive JSON.")
        try:
            again, _ = rebuild(spec(subject.id), subject.author, TaskKey.from_json(json.loads(text)), level)
        except InvalidParameters as error:
            raise Breach(f"{subject.id} at {level}: the key does not give the task again: {error}") from error
        _require(again == task, f"{subject.id} at {level}: the key gives another task.")
        limit = subject.author.max_observation_chars
        _require(len(task.prompt) <= limit, f"{subject.id} at {level}: the prompt is longer than {limit}.")


def check_replay(subject: Subject) -> None:
    """Snapshot, restore and fork give the same episode at every turn, and perform no effect."""
    for level, seed in ((1, 21), (6, 22)):
        env = subject.begun(level, seed)
        rng = Stream(b"audit", "replay", level)
        for action in [*(env.random_action(rng) for _ in range(2)), *_script(subject, level, seed)]:
            snapshot = json.loads(json.dumps(env.snapshot()))
            with patch.object(Resources, "perform", _forbidden), patch.object(Resources, "aperform", _forbidden):
                twins = [restore(snapshot), env.fork()] if _can_fork(env) else [restore(snapshot)]
                _require(twins[0].snapshot() == env.snapshot(), f"{subject.id}: a snapshot changed by being restored.")
            expected = env.step(action)
            for twin in twins:
                got = twin.step(action)
                _require(repr(got) == repr(expected), f"{subject.id}: a twin went its own way: {got} != {expected}.")
                twin.close()
            if expected[2] or expected[3]:
                break
        verdict = verify(env.task, [record.action for record in env.episode.journal])
        _require(verdict == env.episode.turns[-1].verdict, f"{subject.id}: verify() gives another verdict: {verdict}.")


def _script(subject: Subject, level: int, seed: int) -> list[str]:
    return [*oracle_actions(subject.begun(level, seed)), *[""] * subject.author.max_turns]


def _can_fork(env: Env) -> bool:
    return all(resource.restore != "none" for resource in env.author.resources.values())


def _forbidden(*args: Any) -> Any:
    raise Breach("An effect was performed while folding a journal.")


def check_seeds_are_unrelated(subject: Subject) -> None:
    """Neighbouring seeds share nothing: hardly two of 60 consecutive seeds give the same content."""
    marks = [subject.begun(6, seed).task.fingerprint for seed in range(60)]
    if subject.author.split_by == "none":
        return
    _require(all(a != b for a, b in pairwise(marks)), f"{subject.id}: neighbouring seeds gave the same content.")
    _require(len(set(marks)) >= 57, f"{subject.id}: only {len(set(marks))} of 60 seeds gave different content.")


def check_splits(subject: Subject) -> None:
    """No content is in two splits, and the same seed gives unrelated tasks in each."""
    for level in (2, 6):
        marks = {
            split: {subject.begun(level, seed, split=split).task.fingerprint for seed in range(12)} for split in SPLITS
        }
        shared = (marks["train"] & marks["validation"]) | (marks["train"] & marks["test"])
        shared |= marks["validation"] & marks["test"]
        if subject.author.split_by != "none":
            _require(not shared, f"{subject.id} at {level}: {len(shared)} problems are in two splits.")


def check_nothing_leaks(subject: Subject) -> None:
    """Neither the answer key nor the seed is in anything a policy sees before it has said it itself."""
    for level in (5, 10):
        env = subject.env(level)
        for seed in (_LARGE_SEED, _LARGE_SEED + 1, _LARGE_SEED + 2):
            observation, info = env.reset(seed=seed)
            secrets = _secrets(env.episode.instance)
            said = ""
            seen = [observation, json.dumps(info)]
            _require_unseen(env, [*secrets, *_forms(seed)], [*seen, json.dumps(env.task.problem)], said)
            for action in oracle_actions(env.fork()):
                said += action
                observation, _, _, _, info = env.step(action)
                _require_unseen(env, [*secrets, *_forms(seed)], [observation, json.dumps(info)], said)
            _require("key" not in repr(env.episode.instance), f"{subject.id}: an instance shows its key.")
            public = json.dumps([env.task.problem, env.episode.snapshot()["journal"]])
            _require_unseen(env, secrets, [public], said)


def _secrets(instance: Instance) -> list[str]:
    """Texts that would give the key away; what is too short would be found by chance."""
    key = instance.key
    texts = [str(key), repr(key)]
    if isinstance(key, (list, tuple)):
        texts += [sep.join(map(str, key)) for sep in (" ", "", ",", ", ")]
    return [text for text in texts if len(text) >= _LEAST_SECRET and key is not None]


def _forms(seed: int) -> list[str]:
    return [str(seed), f"{seed:x}"]


def _require_unseen(env: Env, secrets: Sequence[str], texts: Sequence[str], said: str) -> None:
    for secret in secrets:
        if secret not in said:
            _require(all(secret not in text for text in texts), f"A secret is seen by the policy: {_where(env)}.")


def check_difficulty(subject: Subject) -> None:
    """Difficulty is felt: effort grows with the level, and levels 1, 5 and 10 do not overlap."""
    efforts = {level: [_effort(subject, level, seed) for seed in range(5)] for level in LEVELS}
    pairs = [(level, effort) for level, found in efforts.items() for effort in found]
    rho = spearman([float(level) for level, _ in pairs], [effort for _, effort in pairs])
    _require(rho >= 0.9, f"{subject.id}: difficulty and effort correlate by {rho:.2f} only (Spearman; 0.9 is asked).")
    for low, high in ((1, 5), (5, 10)):
        apart = max(efforts[low]) < min(efforts[high])
        _require(apart, f"{subject.id}: levels {low} and {high} overlap: {efforts[low]} and {efforts[high]}.")


def _effort(subject: Subject, level: int, seed: int) -> float:
    return subject.author.effort(subject.begun(level, seed).episode.instance)


def digests(id: str) -> dict[str, list[str]]:
    """A digest of three tasks with their keys at every level: what must never change without a new version."""
    found: dict[str, list[str]] = {}
    for level in LEVELS:
        env = make(id, difficulty=level)
        found[str(level)] = []
        for seed in GOLDEN_SEEDS:
            env.reset(seed=seed)
            whole = canonical_json([env.task.to_json(), repr(env.episode.instance.key)])
            found[str(level)].append(blake2b(whole, digest_size=8).hexdigest())
    return found


def _where(env: Env) -> str:
    return f"{env.task.env_id} at {env.task.difficulty}, seed {env.task.seed}"


CHECKS: Final[dict[str, Callable[[Subject], None]]] = {
    "gymnasium": check_gymnasium,
    "oracle": check_oracle,
    "formats": check_formats,
    "wrong_answers": check_wrong_answers,
    "key_is_the_task": check_key_is_the_task,
    "replay": check_replay,
    "seeds_are_unrelated": check_seeds_are_unrelated,
    "splits": check_splits,
    "nothing_leaks": check_nothing_leaks,
    "difficulty": check_difficulty,
}
