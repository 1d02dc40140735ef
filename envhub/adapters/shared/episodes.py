"""Episodes of rows for multi-turn adapters, local or on a server.

::

    episode = Episodes("http://127.0.0.1:8420", reward={"accuracy": 1.0}).begin(row["ground_truth"])
    while not episode.over:
        observation = episode.step(policy(observation))
    episode.reward                                    # None if it could not be judged

If an action could not be judged, or the server could not be reached, the episode is over and has no reward: a number would
train the policy on a failure that it did not cause. Each adapter documents what its trainer does then.
"""

from __future__ import annotations

import io
import math
import weakref
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from envhub.authoring.wording import wording_number
from envhub.client.hub import Hub, RemoteEnv, connect
from envhub.core.errors import EnvhubError, InvalidParameters, JudgementError
from envhub.core.seeding import check_asked
from envhub.core.types import OUR_FAILURE
from envhub.dataset import truth
from envhub.gymnasium.env import Env
from envhub.making import begin
from envhub.scenes.picture import Pictures

OVER: Final = "The episode is over."


class RowEpisode:
    """One episode, played with text.

    Attributes:
        opening: The first observation, which is the prompt.
        pictures: The pictures of the last observation.
        over: Whether it has ended; further actions have no effect.
        solved: Whether the problem was solved, once it has ended.
        formatted: Whether the last answer had the requested format, once it has ended.
        no_answer: Whether there was nothing to grade at its end.
        error: Why there is no reward; None otherwise.
        turns: Number of actions taken.
    """

    def __init__(self, env: Env | RemoteEnv, episodes: Episodes) -> None:
        self._env = env
        self._episodes = episodes  # keeps its connections open
        self._earned = 0.0
        self.opening = env.task.prompt
        self.pictures: Pictures = env.episode.pictures() if isinstance(env, Env) else env.session.info.get("images", ())
        self.over = False
        self.solved = False
        self.formatted = False
        self.no_answer = False
        self.error: str | None = None
        self.turns = 0

    @property
    def reward(self) -> float | None:
        """The sum of rewards so far.

        None if an action could not be judged.
        """
        return None if self.error is not None else self._earned

    def require_reward(self) -> float:
        """The reward, for a trainer without missing rewards.

        Raises:
            JudgementError: An action could not be judged.
        """
        if self.error is not None:
            raise JudgementError(self.error)
        return self._earned

    def step(self, action: str) -> str:
        """Take an action and return the observation."""
        if self.over:
            return OVER
        self.turns += 1
        try:
            observation, reward, terminated, truncated, info = self._env.step(action)
        except EnvhubError as error:  # the server, after all retries, or a judge that raises
            return self._lost(f"{type(error).__name__}: {error}")
        if math.isnan(reward):
            fault = info["error"]
            return self._lost(f"{fault['code']}: {fault['reason']}")
        self._earned += reward
        self.pictures = info.get("images", ())
        self.over = terminated or truncated
        if self.over:
            verdict = info["verdict"]
            self.solved, self.no_answer = bool(verdict["solved"]), verdict["status"] == "no_answer"
            self.formatted = verdict["components"].get("format", 0.0) == 1.0
            self.close()
        return observation

    def close(self) -> None:
        """Close the episode's resources."""
        with suppress(EnvhubError):  # an unreachable server expires it
            self._env.close()

    def _lost(self, reason: str) -> str:
        self.over, self.error, self.pictures = True, reason, ()
        self.close()
        return OUR_FAILURE


def with_images(text: str, pictures: Pictures) -> Any:
    """An observation as text, or as parts if it has pictures.

    The parts are those of chat templates: pictures are PIL images, after the text.
    """
    if not pictures:
        return text
    return [{"type": "text", "text": text}, *({"type": "image", "image": image} for image in images_of(pictures))]


def images_of(pictures: Pictures) -> list[Any]:
    """Pictures as PIL images."""
    from PIL import Image

    return [Image.open(io.BytesIO(picture.png())).convert("RGB") for picture in pictures]


def check_text_suffices(options: Mapping[str, Any]) -> None:
    """Reject an observation whose text alone is incomplete.

    Raises:
        InvalidParameters: The observation is ``image``.
    """
    if options.get("observation") == "image":
        raise InvalidParameters("This adapter hands on text alone: `observation` must be 'text', got 'image'.")


class Episodes:
    """Starts episodes, in this process or on a server.

    Args:
        url: Address of a server; without it episodes run in this process.
        api_key: Key for a server that needs one; by default the value of ``ENVHUB_API_KEY``.
        pictured: Whether the adapter hands pictures on.
        options: Options of :func:`envhub.make`, such as ``reward`` and ``system``.

    Raises:
        InvalidParameters: Text alone is handed on, and the options leave out of it what pictures show.
    """

    def __init__(
        self, url: str | None = None, *, api_key: str | None = None, pictured: bool = False, **options: Any
    ) -> None:
        if not pictured:
            check_text_suffices(options)
        self._hub: Hub | None = connect(url, api_key=api_key) if url is not None else None
        if self._hub is not None:
            weakref.finalize(self, self._hub.close)  # trainers do not close it
        self._options: Mapping[str, Any] = options

    def begin(
        self,
        ground_truth: str,
        answer_format: str | None = None,
        fingerprint: str | None = None,
        wording: str | None = None,
    ) -> RowEpisode:
        """Start the episode of a row.

        Args:
            ground_truth: Ground truth of the row, a task key as JSON text.
            answer_format: Answer format of the row.
            fingerprint: Fingerprint of the row; a ground truth of another problem is refused.
            wording: Wording of the row's prompt.

        Raises:
            InvalidParameters: The ground truth is not valid or draws a different problem, or an option is not valid.
            UnknownEnvironment: The environment does not exist.
            EnvhubError: The server could not be reached.
        """
        key = truth.read(ground_truth)
        options = {**self._options, "answer_format": answer_format or self._options.get("answer_format")}
        options["wording"] = wording_number(wording) if wording is not None else self._options.get("wording")
        given = {name: value for name, value in options.items() if value is not None}
        env = begin(key, **given) if self._hub is None else self._hub.begin(key, **given)
        episode = RowEpisode(env, self)
        try:
            check_asked(key, fingerprint, env.task.key.draw, env.task.fingerprint)
        except InvalidParameters:
            episode.close()
            raise
        return episode
