"""The main entry points of envhub.

make, make_mixture, make_vec, restore, begin and verify.

::

    env = make("guess-number-v0", difficulty=(2, 6), split="test", answer_format="boxed")
    env = make_mixture({"sudoku-v0": 2, "countdown-v0": 1}, difficulty=Curriculum())
    env = restore(env.snapshot())
    env = begin(task)
    verdict = verify(task, "<answer>42</answer>")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from envhub.authoring import Environment
from envhub.authoring.observation import check_observation
from envhub.authoring.wording import read_wording
from envhub.core.difficulty import DEFAULT_LEVEL, Difficulty
from envhub.core.seeding import TaskKey
from envhub.core.types import JSON, Task, Verdict
from envhub.episodes.episode import Episode
from envhub.episodes.rerun import CHECKER
from envhub.episodes.snapshots import opening, snapshot_key
from envhub.gymnasium.env import Env
from envhub.registry.registry import load, spec
from envhub.tasks.mixture import Weights, mixture_source
from envhub.tasks.sampling import Source, rebuild
from envhub.tasks.sources import prepare, split_settings

if TYPE_CHECKING:
    from envhub.gymnasium.vector import TextVectorEnv


def make(id: str, *, difficulty: Difficulty | None = DEFAULT_LEVEL, split: str = "train", **settings: Any) -> Env:
    """Make an environment.

    Args:
        id: Such as ``sudoku-v0``; see :func:`envhub.list_envs`.
        difficulty: A level from 1 to 10, a range ``(low, high)`` from which each task draws a level, or a schedule.
        split: ``train``, ``validation`` or ``test``.
        settings: The options ``answer_format`` (``tag``, ``boxed``, ``last``), ``tool_format`` (the only accepted format of
            tool calls, see :data:`envhub.core.tools.FORMATS`), ``wording`` (``"held-out"``, or the number of one wording;
            by default each task has its own), ``observation`` (``text``, ``both`` or ``image``; docs/pictures.md),
            ``system``, ``reward`` (weights by name, or a callable) and ``on_error`` (``nan``, ``raise``).
            Every other name is a parameter of the environment, which overrides the difficulty (see ``envhub info ID``);
            games also take ``opponent``, ``slips`` and ``seat``.

    Raises:
        UnknownEnvironment: No environment has this id.
        InvalidParameters: A setting is unknown or invalid.
        MissingExtra: The environment needs an extra that is not installed.
    """
    return Env(*prepare(id, difficulty, split, *split_settings(settings)))


def make_mixture(
    environments: Weights, *, difficulty: Difficulty | None = DEFAULT_LEVEL, split: str = "train", **options: Any
) -> Env:
    """Make one environment out of several.

    Each reset picks one by weight (:mod:`envhub.tasks.mixture`).

    Args:
        environments: Weights by id, or settings by id: ``weight``, ``difficulty``, ``split`` and its parameters.
        difficulty: Default for all; each environment gets its own copy of a :class:`envhub.tasks.curriculum.Curriculum`.
        split: Default for all.
        options: As for :func:`make`; the same for all.

    Raises:
        InvalidParameters: A weight is not a positive number, or a setting is invalid.
        UnknownEnvironment: No environment has one of the ids.
    """
    return Env(*mixture_source(environments, difficulty, split, options))


def make_vec(
    environments: str | Weights,
    num_envs: int,
    *,
    difficulty: Difficulty | None = DEFAULT_LEVEL,
    split: str = "train",
    **settings: Any,
) -> TextVectorEnv:
    """Make ``num_envs`` copies with one ``reset`` and ``step``.

    Copies of an environment or a mixture. Settings as for :func:`make` or :func:`make_mixture`; a curriculum learns
    from all copies.

    Raises:
        InvalidParameters: ``num_envs`` is not a positive integer, or as for :func:`make`.
    """
    from envhub.gymnasium.vector import TextVectorEnv

    source: Source
    if isinstance(environments, str):
        source, options = prepare(environments, difficulty, split, *split_settings(settings))
    else:
        source, options = mixture_source(environments, difficulty, split, settings)
    return TextVectorEnv(lambda: Env(source, options), num_envs)


def restore(snapshot: Mapping[str, JSON], **settings: Any) -> Env:
    """Make an environment that continues the episode of a snapshot.

    Options as for :func:`make`.

    Raises:
        SnapshotMismatch: It is not a snapshot, or its journal does not match the environment.
        UnknownEnvironment: Its environment is not installed.
    """
    key = snapshot_key(snapshot)
    for name in ("answer_format", "wording", "observation"):
        settings.setdefault(name, snapshot.get(name))
    return make(key.env_id, difficulty=None, split=key.split, **{**key.params, **settings}).restore(snapshot)


def begin(task: Task | TaskKey, **options: Any) -> Env:
    """Make an environment at the start of a task.

    Options as for :func:`make`.

    Raises:
        InvalidParameters: The key or an option is invalid.
        UnknownEnvironment: Its environment is not installed.
    """
    key, difficulty = (task.key, task.difficulty) if isinstance(task, Task) else (task, None)
    wording = options.get("wording", task.wording if isinstance(task, Task) else None)
    form = options.get("tool_format") or options.get("answer_format")
    return restore(opening(key, difficulty, form, wording, options.get("observation") or "text"), **options)


def verify(task: Task | TaskKey, response: str | Sequence[str], answer_format: str | None = None) -> Verdict:
    """Judge a response to a task.

    One text, or the actions of a whole episode.

    Args:
        task: The task or its key; the problem is always rebuilt from the key.
        response: Text written by the policy.
        answer_format: Answer format that counts as well formatted.

    Raises:
        InvalidParameters: The key is invalid.
    """
    return Judge(task.key if isinstance(task, Task) else task, answer_format)(response)


class Judge:
    """Judges any number of responses to one task, which is rebuilt once.

    Args:
        key: The key of the task.
        answer_format: Answer format that counts as well formatted.

    Raises:
        UnknownEnvironment: No environment has this id.
        InvalidParameters: The key is invalid.
    """

    def __init__(self, key: TaskKey, answer_format: str | None = None) -> None:
        self._environment = environment_of(key.env_id, answer_format)
        self._drawn = rebuild(spec(key.env_id), self._environment, key)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the problem."""
        return self._drawn[0].fingerprint

    @property
    def components(self) -> frozenset[str]:
        """Names that a reward may weight in addition to ``accuracy``."""
        return self._environment.components

    @property
    def max_turns(self) -> int:
        """Maximum number of turns; 1 for a question with one answer."""
        return self._environment.max_turns

    def __call__(self, response: str | Sequence[str]) -> Verdict:
        """The verdict on one text, or on a whole episode's actions."""
        episode = Episode(self._environment, *self._drawn, checker=CHECKER)
        try:
            for action in [response] if isinstance(response, str) else response:
                verdict = episode.step(action).verdict
                if verdict is not None:
                    return verdict
            return Verdict.no_answer("unfinished", "The episode has not ended with these actions.")
        finally:
            episode.close()


def environment_of(
    id: str, answer_format: str | None = None, wording: int | str | None = None, observation: str | None = None
) -> Environment:
    """The environment of an id with these options of its prompts."""
    cls, shown = load(spec(id)), observation or "text"
    check_observation(id, cls, shown)
    return cls(answer_format, read_wording(wording), shown)
