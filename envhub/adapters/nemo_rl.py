"""NeMo-RL: an environment for its rollouts, over the rows of ``envhub generate``.

NeMo-RL runs environments as actors of Ray; a row's ``extra_env_info`` becomes the metadata of its episode::

    EnvhubEnvironment = environment_class()                # on NeMo-RL's EnvironmentInterface
    env = ray.remote(EnvhubEnvironment).remote({"url": None})
    metadata = {"ground_truth": row["extra_info"]["ground_truth"], "answer_format": None}

Nothing is lost with an actor: an episode that it does not hold is begun again from its ground truth and the messages of the
log. So it holds only those that were played last (``kept``, 4096), for NeMo-RL does not say which ones it cuts short. What is
handed on where an answer could not be judged: nothing; :class:`JudgementError` is raised.

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
    """What an episode is known by: the row's ground truth, answer format and fingerprint, and a name once it has begun."""

    ground_truth: str
    answer_format: str | None
    fingerprint: str | None
    name: str


class Played:
    """The episodes of a batch, stepped together; what NeMo-RL's interface adds is only types.

    Args:
        config: ``url`` and ``api_key`` of a server that plays, ``kept``, and options as for :func:`envhub.make`; may be empty.

    Raises:
        InvalidParameters: No episode could be kept.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        given = dict(config or {})
        self._kept: int = given.pop("kept", KEPT)
        if self._kept < 1:
            raise InvalidParameters(f"At least one episode is kept, got kept={self._kept}.")
        self._episodes = Episodes(**given)
        self._live: OrderedDict[str, RowEpisode] = OrderedDict()  # the one that was played last stands last

    def turn(self, log: Sequence[Message], metadata: Metadata) -> tuple[str, Metadata | None, float, bool]:
        """The observation after the last message of the policy, the episode's metadata, the reward and whether it is over.

        Raises:
            InvalidParameters: The ground truth is none, or of another problem than the row asks.
            JudgementError: The answer could not be judged.
        """
        actions = [str(message["content"]) for message in log if message["role"] == "assistant"]
        name = metadata.get("name", "")
        episode = self._live.pop(name, None)
        if episode is None or episode.turns != len(actions) - 1:
            if episode is not None:
                episode.close()
            episode = self._episodes.begin(
                metadata["ground_truth"], metadata.get("answer_format"), metadata.get("fingerprint")
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
    """The class over NeMo-RL's own base class and named tuple."""

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
