"""Contract on tasks and episodes: keys, splits, replay, Gymnasium, difficulty, secrets.

Each check takes a :class:`envhub.audit.subject.Subject` and raises :class:`envhub.audit.subject.Breach` with its
finding.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from statistics import median
from typing import Any, Final
from unittest.mock import patch

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Breach, Subject, oracle_actions, oracle_scripts, require, where
from envhub.core.difficulty import LEVELS
from envhub.core.errors import InvalidParameters
from envhub.core.resources import Resources
from envhub.core.seeding import SPLITS, Stream, TaskKey, canonical_json
from envhub.core.statistics import spearman
from envhub.core.types import Instance, Task
from envhub.gymnasium.env import Env
from envhub.making import make, restore, verify
from envhub.registry.registry import spec
from envhub.tasks.sampling import rebuild

GOLDEN_SEEDS: Final = (0, 1, 2)
_LARGE_SEED: Final = 7_260_518_403_816_273
_LEAST_SECRET: Final = 5


def check_gymnasium(subject: Subject) -> None:
    """Gymnasium's own ``check_env``, with warnings as errors."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    from envhub.gymnasium.registration import gymnasium_id, register_envs

    register_envs()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*is out of date")  # an older version of an environment may stay
        check_env(gymnasium.make(gymnasium_id(subject.id)).unwrapped)


def check_oracle(subject: Subject) -> None:
    """The oracle solves every difficulty, in the requested format."""
    for level in LEVELS:
        oracle_scripts(subject, level)


def check_formats(subject: Subject) -> None:
    """Right answers are right and well formatted in every format.

    Wording changes no task.
    """
    plain = subject.started(2, 5).task
    for form in subject.formats:
        env = subject.started(2, 5, answer_format=form, system="Be brief.")
        same = (env.task.fingerprint, env.task.problem) == (plain.fingerprint, plain.problem)
        require(same, f"The wording {form!r} changed the task of {subject.id}.")
        oracle_actions(env)
        verdict = env.episode.turns[-1].verdict
        if form is not None and verdict is not None:
            require(verdict.components.get("format") == 1.0, f"{subject.id} does not count {form!r} as well formatted.")


def check_key_is_the_task(subject: Subject) -> None:
    """A task or its key, through JSON, restores the same task."""
    for level in LEVELS:
        task = subject.started(level, 11).task
        text = json.dumps(task.to_json())
        require(Task.from_json(json.loads(text)) == task, f"{subject.id} at {level}: the task does not survive JSON.")
        try:
            again, _ = rebuild(spec(subject.id), subject.environment, TaskKey.from_json(json.loads(text)), level)
        except InvalidParameters as error:
            raise Breach(f"{subject.id} at {level}: the key does not give the task again: {error}") from error
        require(again == task, f"{subject.id} at {level}: the key gives another task.")
        limit = subject.environment.max_observation_chars
        require(len(task.prompt) <= limit, f"{subject.id} at {level}: the prompt is longer than {limit}.")


def check_replay(subject: Subject) -> None:
    """Snapshot, restore and fork repeat the episode at every turn without effects."""
    for level, seed in ((1, 21), (6, 22)):
        env = subject.started(level, seed)
        rng = Stream(b"audit", "replay", level)
        for action in [*(env.random_action(rng) for _ in range(2)), *_script(subject, level, seed)]:
            snapshot = json.loads(json.dumps(env.snapshot()))
            with patch.object(Resources, "perform", _forbidden), patch.object(Resources, "aperform", _forbidden):
                twins = [restore(snapshot), env.fork()] if _can_fork(env) else [restore(snapshot)]
                require(twins[0].snapshot() == env.snapshot(), f"{subject.id}: a snapshot changed by being restored.")
            expected = env.step(action)
            for twin in twins:
                got = twin.step(action)
                require(repr(got) == repr(expected), f"{subject.id}: a twin went its own way: {got} != {expected}.")
                twin.close()
            if expected[2] or expected[3]:
                break
        verdict = verify(env.task, [record.action for record in env.episode.journal])
        require(verdict == env.episode.turns[-1].verdict, f"{subject.id}: verify() gives another verdict: {verdict}.")


def _script(subject: Subject, level: int, seed: int) -> list[str]:
    return [*oracle_actions(subject.started(level, seed)), *[""] * subject.environment.max_turns]


def _can_fork(env: Env) -> bool:
    return all(resource.restore != "none" for resource in env.environment.resources.values())


def _forbidden(*args: Any) -> Any:
    raise Breach("An effect was performed while folding a journal.")


@applies_if(lambda subject: subject.environment.split_by != "none")
def check_splits(subject: Subject) -> None:
    """No content is in two splits.

    A seed gives unrelated tasks in each.
    """
    for level in (2, 6):
        fingerprints = {
            split: {subject.started(level, seed, split=split).task.fingerprint for seed in range(12)}
            for split in SPLITS
        }
        shared = (fingerprints["train"] & fingerprints["validation"]) | (fingerprints["train"] & fingerprints["test"])
        shared |= fingerprints["validation"] & fingerprints["test"]
        require(not shared, f"{subject.id} at {level}: {len(shared)} problems are in two splits.")


def check_nothing_leaks(subject: Subject) -> None:
    """Answer key and seed are hidden until the policy states them."""
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
            instance = env.episode.instance
            other = replace(instance, key=f"{_LARGE_SEED} another key")
            require(repr(instance) == repr(other), f"{subject.id}: an instance shows its key.")
            public = json.dumps([env.task.problem, env.episode.snapshot()["journal"]])
            _require_unseen(env, secrets, [public], said)


def _secrets(instance: Instance) -> list[str]:
    """Texts that would reveal the key; texts too short occur by chance."""
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
            require(all(secret not in text for text in texts), f"A secret is seen by the policy: {where(env)}.")


def check_difficulty(subject: Subject) -> None:
    """Effort grows with the level, without overlaps of 1, 5 and 10."""
    efforts = {level: [effort(subject, level, seed) for seed in range(subject.depth.efforts)] for level in LEVELS}
    pairs = [(level, effort) for level, found in efforts.items() for effort in found]
    rho = spearman([float(level) for level, _ in pairs], [effort for _, effort in pairs])
    medians = ", ".join(f"{level}: {median(found):g}" for level, found in efforts.items())
    require(
        rho >= 0.9,
        f"{subject.id}: difficulty and effort correlate by {rho:.2f} only (Spearman; 0.9 is asked). Median effort by level: "
        f"{medians}.",
    )
    for low, high in ((1, 5), (5, 10)):
        below, above = _middle(efforts[low])[-1], _middle(efforts[high])[0]
        require(below < above, f"{subject.id}: levels {low} and {high} overlap: {efforts[low]} and {efforts[high]}.")


def _middle(values: Sequence[float]) -> list[float]:
    """The values sorted without a tenth (at least one) at each end."""
    cut = max(1, len(values) // 10)
    return sorted(values)[cut : len(values) - cut]


def effort(subject: Subject, level: int, seed: int) -> float:
    """The effort of a task, measured once."""
    return subject.once(
        ("effort", level, seed),
        lambda: subject.environment.effort(subject.started(level, seed).episode.instance),
    )


def digests(id: str) -> dict[str, dict[str, list[str]]]:
    """Digests of three tasks at every level.

    ``problem`` and ``prompt``, each by level.

    ``problem`` covers the task key, the problem and the answer key, and changes only with a new version.
    ``prompt`` covers the text and the tools shared by all tasks; a task's own tools follow from its problem.
    """
    found: dict[str, dict[str, list[str]]] = {"problem": {}, "prompt": {}}
    for level in LEVELS:
        env = make(id, difficulty=level)
        for seed in GOLDEN_SEEDS:
            env.reset(seed=seed)
            task = env.task.to_json()
            prompt = {"prompt": task.pop("prompt"), "tools": list(env.environment.tool_schemas)}
            del task["tools"], task["wording"]
            for part, whole in (("problem", [task, repr(env.episode.instance.key)]), ("prompt", prompt)):
                digest = blake2b(canonical_json(whole), digest_size=8).hexdigest()
                found[part].setdefault(str(level), []).append(digest)
    return found
