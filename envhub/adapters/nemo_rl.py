"""NeMo-RL environment for rollouts over the rows of ``envhub generate``.

NeMo-RL runs environments as actors of Ray; a row's ``extra_env_info`` becomes the metadata of its episode::

    EnvhubEnvironment = environment_class()                # on NeMo-RL's EnvironmentInterface
    env = ray.remote(EnvhubEnvironment).remote({"url": None})
    metadata = {"ground_truth": row["extra_info"]["ground_truth"], "answer_format": None}

Losing an actor loses nothing: a missing episode is rebuilt from its ground truth and the messages of the log. So an
actor keeps only the most recently played episodes (``kept``, 4096), as NeMo-RL does not report which ones it cuts
short. An answer that could not be judged raises :class:`JudgementError`.

Source: NeMo-RL ``environments/interfaces.py`` (``EnvironmentInterface``, ``EnvironmentReturn``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypedDict
from uuid import uuid4

from envhub.adapters.shared.episodes import Episodes, RowEpisode
from envhub.core.errors import InvalidParameters, MissingExtra

KEPT: Final = 4096
Message = Mapping[str, Any]


class Metadata(TypedDict, total=False):
    """Metadata of an episode, with a name once it has begun."""

    ground_truth: str
    answer_format: str | None
    fingerprint: str | None
    wording: str | None
    name: str


class Played:
    """The episodes of a batch, stepped together; NeMo-RL's interface only adds types.

    Args:
        config: ``url`` and ``api_key`` of a server, ``kept``, and options of :func:`envhub.make`; may be empty.

    Raises:
        InvalidParameters: ``kept`` is less than 1.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        given = dict(config or {})
        self._kept: int = given.pop("kept", KEPT)
        if self._kept < 1:
            raise InvalidParameters(f"At least one episode is kept, got kept={self._kept}.")
        self._episodes = Episodes(**given)
        self._live: OrderedDict[str, RowEpisode] = OrderedDict()  # most recently played last

    def turn(self, log: Sequence[Message], metadata: Metadata) -> tuple[str, Metadata | None, float, bool]:
        """Step each episode: observation, metadata, reward and whether it has ended.

        Raises:
            InvalidParameters: The ground truth is not valid or draws a different problem.
            JudgementError: The answer could not be judged.
        """
        actions = [str(message["content"]) for message in log if message["role"] == "assistant"]
        name = metadata.get("name", "")
        episode = self._live.pop(name, None)
        if episode is None or episode.turns != len(actions) - 1:
            if episode is not None:
                episode.close()
            episode = self._episodes.begin(
                metadata["ground_truth"],
                metadata.get("answer_format"),
                metadata.get("fingerprint"),
                metadata.get("wording"),
            )
            for action in actions[:-1]:
                episode.step(action)
        before = episode.require_reward()
        observation = episode.step(actions[-1])
        reward = episode.require_reward() - before
        if episode.over:
            return observation, None, reward, True
        name = name or uuid4().hex
        self._live[name] = episode
        if len(self._live) > self._kept:
            _, dropped = self._live.popitem(last=False)
            dropped.close()
        return observation, {**metadata, "name": name}, reward, False


def environment_class() -> type:
    """The class for ``ray.remote``, on NeMo-RL's ``EnvironmentInterface``.

    Raises:
        MissingExtra: NeMo-RL is not installed.
    """
    try:
        from nemo_rl.environments.interfaces import EnvironmentInterface, EnvironmentReturn
    except ImportError as error:
        raise MissingExtra("The environment needs NeMo-RL, which is installed from its repository.") from error
    return on(EnvironmentInterface, EnvironmentReturn)


def on(interface: type, returned: Any) -> type:
    """The class, given NeMo-RL's base class and named tuple."""

    class EnvhubEnvironment(interface):  # type: ignore[misc, unused-ignore]
        def __init__(self, config: Mapping[str, Any] | None = None) -> None:
            self._played = Played(config)

        def step(self, message_log_batch: list[list[Message]], metadata: list[Metadata]) -> Any:
            import torch

            turns = [self._played.turn(log, each) for log, each in zip(message_log_batch, metadata, strict=True)]
            observations, after, rewards, overs = zip(*turns, strict=True)
            return returned(
                observations=[{"role": "environment", "content": text} for text in observations],
                metadata=list(after),
                next_stop_strings=[None] * len(turns),
                rewards=torch.tensor(rewards, dtype=torch.float32),
                terminateds=torch.tensor(overs, dtype=torch.bool),
                answers=[None] * len(turns),
            )

        def global_post_process_and_metrics(self, batch: Any) -> tuple[Any, dict[str, float]]:
            return batch, {}

    return EnvhubEnvironment
