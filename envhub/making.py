"""make, make_mixture, make_vec, begin, restore, verify: from an id or a task to something that can be used.

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
from envhub.core.difficulty import DEFAULT_LEVEL, Difficulty
from envhub.core.seeding import TaskKey
from envhub.core.types import JSON, Task, Verdict
from envhub.episodes.episode import Episode
from envhub.episodes.snapshots import opening, snapshot_key
from envhub.gymnasium.env import Env
from envhub.registry.registry import load, spec
from envhub.tasks.mixture import Weights, mixture_source
from envhub.tasks.sampling import Source, rebuild
from envhub.tasks.sources import prepare, split_settings

if TYPE_CHECKING:
    from envhub.gymnasium.vector import TextVectorEnv


def make(id: str, *, difficulty: Difficulty | None = DEFAULT_LEVEL, split: str = "train", **settings: Any) -> Env:
    """An environment.

    Args:
        id: ``sudoku-v0``; see :func:`envhub.list_envs`.
        difficulty: 1..10, a range ``(low, high)`` from which each task draws its own, or a schedule.
        split: ``train``, ``validation`` or ``test``.
        settings: The options ``answer_format`` (``tag``, ``boxed``, ``last``), ``tool_format`` (the one format in which tool
            calls are read, see :data:`envhub.core.tools.FORMATS`), ``system``, ``reward`` (weights by name, or a
            callable), ``on_error`` (``nan``, ``raise``); every other name is a parameter of the environment and takes
            precedence over what the difficulty says (see ``envhub info ID``); games take ``opponent``, ``slips`` and ``seat``.

    Raises:
        UnknownEnvironment: There is no environment of this id.
        InvalidParameters: A setting is unknown or does not fit.
        MissingExtra: The environment needs an extra that is not installed.
    """
    return Env(*prepare(id, difficulty, split, *split_settings(settings)))


def make_mixture(
    environments: Weights, *, difficulty: Difficulty | None = DEFAULT_LEVEL, split: str = "train", **options: Any
) -> Env:
    """Several environments as one; each reset picks one of them by weight (:mod:`envhub.tasks.mixture`).

    Args:
        environments: Weights by id, or settings by id: ``weight``, ``difficulty``, ``split`` and parameters of its own.
        difficulty: Of those that do not say; a :class:`envhub.tasks.curriculum.Curriculum` is made anew for each.
        split: Of those that do not say.
        options: As for :func:`make`; the same for all.

    Raises:
        InvalidParameters: A weight is not a positive number, or a setting does not fit.
        UnknownEnvironment: There is no environment of an id.
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
    """``num_envs`` copies of an environment, or of a mixture, behind one ``reset`` and ``step``.

    Settings as for :func:`make` or :func:`make_mixture`; a curriculum learns from all copies.

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
    """An environment with the episode of a snapshot; options as for :func:`make`.

    Raises:
        SnapshotMismatch: It is not a snapshot, or its journal does not fit.
        UnknownEnvironment: Its environment is not here.
    """
    key = snapshot_key(snapshot)
    settings.setdefault("answer_format", snapshot.get("answer_format"))
    return make(key.env_id, difficulty=None, split=key.split, **{**key.params, **settings}).restore(snapshot)


def begin(task: Task | TaskKey, **options: Any) -> Env:
    """An environment that stands at the beginning of a task; options as for :func:`make`.

    Raises:
        InvalidParameters: The key or an option does not fit.
        UnknownEnvironment: Its environment is not here.
    """
    key, difficulty = (task.key, task.difficulty) if isinstance(task, Task) else (task, None)
    return restore(opening(key, difficulty, options.get("tool_format") or options.get("answer_format")), **options)


def verify(task: Task | TaskKey, response: str | Sequence[str], answer_format: str | None = None) -> Verdict:
    """Judge a response to a task: one text, or the actions of a whole episode.

    Args:
        task: The task or its key; the problem is always rebuilt from the key.
        response: What the policy wrote.
        answer_format: Which form counts as well formatted.

    Raises:
        InvalidParameters: The key does not fit.
    """
    return Judge(task.key if isinstance(task, Task) else task, answer_format)(response)


class Judge:
    """Judges any number of responses to one task, which is rebuilt once.

    Args:
        key: Of the task.
        answer_format: Which form counts as well formatted.

    Raises:
        UnknownEnvironment: There is no environment of this id.
        InvalidParameters: The key does not fit.
    """

    def __init__(self, key: TaskKey, answer_format: str | None = None) -> None:
        self._author = environment_of(key.env_id, answer_format)
        self._drawn = rebuild(spec(key.env_id), self._author, key)

    @property
    def fingerprint(self) -> str:
        """Of the problem that is judged."""
        return self._drawn[0].fingerprint

    @property
    def components(self) -> frozenset[str]:
        """What a reward may weigh besides ``accuracy``."""
        return self._author.components

    @property
    def max_turns(self) -> int:
        """After so many turns an episode is cut; 1 where there is one question and one answer."""
        return self._author.max_turns

    def __call__(self, response: str | Sequence[str]) -> Verdict:
        """The verdict on one text, or on the actions of a whole episode."""
        episode = Episode(self._author, *self._drawn)
        try:
            for action in [response] if isinstance(response, str) else response:
                verdict = episode.step(action).verdict
                if verdict is not None:
                    return verdict
            return Verdict.no_answer("unfinished", "The episode has not ended with these actions.")
        finally:
            episode.close()


def environment_of(id: str, answer_format: str | None = None) -> Environment:
    """The rules of an environment, asking for one answer format."""
    return load(spec(id))(answer_format)
