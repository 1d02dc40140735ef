"""TRL rewards and environments for ``GRPOTrainer`` and ``envhub generate --format trl``.

Single-turn tasks need a reward function::

    GRPOTrainer(model, reward_funcs=reward_func(), train_dataset=rows, ...)

Tasks with several turns or tools are environments whose methods the policy calls; the environment provides the reward.
Every tool is a method; without tools, the policy acts with ``act(answer)``::

    GRPOTrainer(model, environment_factory=environment("guess-number-v0"), train_dataset=rows, ...)

With ``observation="image"`` (or ``both``) an environment's tools return parts: text, and pictures as PIL images. The
pictures of prompts are the column ``images`` of ``envhub generate --format trl``, which TRL reads itself.

Both take ``url=`` for a server that plays and judges. An answer that could not be judged has the reward None, which TRL
excludes from the group's baseline and gives no advantage.

Source: TRL 1.16 ``trainer/grpo_trainer.py`` (``reward_funcs``; ``environment_factory``: ``reset`` gets the row's
columns, its return value is appended to the last user message, public methods are tools, ``get_reward`` is called once
per rollout).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from envhub.adapters.shared.episodes import Episodes, RowEpisode, with_images
from envhub.adapters.shared.scoring import RowResponse, Scorer
from envhub.client.hub import connect
from envhub.core.errors import InvalidParameters
from envhub.core.tools import write_call
from envhub.core.types import JSON
from envhub.registry.describe import describe

RewardFunc = Callable[..., list[float | None]]

_HINTS: Final[Mapping[str, type]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}
_ACT: Final[JSON] = {
    "name": "act",
    "description": "Take a turn in the task.",
    "parameters": {
        "properties": {"answer": {"type": "string", "description": "What you answer or do in this turn."}},
        "required": ["answer"],
    },
}


def reward_func(
    *, reward: Mapping[str, float] | None = None, url: str | None = None, api_key: str | None = None
) -> RewardFunc:
    """Create a reward function for single-turn tasks.

    Args:
        reward: Weights by name (``accuracy``, ``format`` ...); accuracy alone by default.
        url: Address of a server; without it the trainer's process judges.
        api_key: Key for a server that needs one.

    Returns:
        A function for ``reward_funcs``. It raises :class:`InvalidParameters` for rows without a valid ground truth or
        with several turns.
    """
    scorer = Scorer(reward, url=url, api_key=api_key)

    def envhub_reward(
        prompts: Sequence[Any],
        completions: Sequence[Any],
        ground_truth: Sequence[str],
        answer_format: Sequence[str | None] | None = None,
        fingerprint: Sequence[str | None] | None = None,
        **_: Any,
    ) -> list[float | None]:
        nothing = [None] * len(completions)
        rows = zip(ground_truth, completions, answer_format or nothing, fingerprint or nothing, strict=True)
        scored = scorer([RowResponse(truth, _said(said), form, print_) for truth, said, form, print_ in rows])
        return [each.reward for each in scored]

    return envhub_reward


def _said(completion: Any) -> str:
    """The text of a completion, or of its last assistant message."""
    if isinstance(completion, str):
        return completion
    texts = [message.get("content") for message in completion if message["role"] == "assistant"]
    return (texts[-1] or "") if texts else ""


class TrlEnvironment:
    """An environment for one rollout at a time, reused; created by :func:`environment`."""

    _episodes: Episodes
    _episode: RowEpisode | None = None

    def reset(self, **row: Any) -> Any:
        """Begin a row's episode.

        Returns the first observation unless the prompt contains it: text, or parts if it has pictures.

        Raises:
            InvalidParameters: The row has no valid ground truth, or one that draws a different problem.
        """
        if "ground_truth" not in row:
            raise InvalidParameters(
                "A row names its task in the column 'ground_truth', as `envhub generate --format trl` writes it; "
                f"got the columns {', '.join(sorted(row)) or 'none'}."
            )
        if self._episode is not None:
            self._episode.close()
        self._episode = self._episodes.begin(
            row["ground_truth"], row.get("answer_format"), row.get("fingerprint"), row.get("wording")
        )
        if self._episode.opening in _said_to(row.get("prompt")):
            return None
        return with_images(self._episode.opening, self._episode.pictures)

    def get_reward(self) -> float | None:
        """Reward of the episode, even if unfinished; None if not judged."""
        return None if self._episode is None else self._episode.reward

    def _act(self, action: str) -> Any:
        assert self._episode is not None, "TRL resets an environment before its tools are called"
        return with_images(self._episode.step(action), self._episode.pictures)


def _said_to(prompt: Any) -> str:
    messages = prompt if isinstance(prompt, list) else []
    return "\n".join(message["content"] for message in messages if isinstance(message["content"], str))


def environment(id: str, *, url: str | None = None, api_key: str | None = None, **options: Any) -> type[TrlEnvironment]:
    """Create the factory for ``environment_factory``.

    Args:
        id: Environment id, such as ``guess-number-v0``. Rows of other environments are refused; for several, use a
            mapping of factories and a column ``environment``.
        url: Address of a server; without it episodes run in the trainer's process.
        api_key: Key for a server that needs one.
        options: Options of :func:`envhub.make`, such as ``reward``, ``system`` and ``observation``.

    Raises:
        UnknownEnvironment: The environment does not exist.
        EnvhubError: The server could not be reached.
    """
    if url is None:
        about = describe(id)
    else:
        with connect(url, api_key=api_key) as hub:
            about = hub.info(id)
    tools = [schema["function"] for schema in about["tools"]]
    methods: dict[str, Any] = {each["name"]: _method(each, partial(write_call, each["name"])) for each in tools}
    members = methods or {"act": _method(_ACT, lambda answer: str(answer))}
    taken = sorted({"reset", "get_reward"} & members.keys())
    if taken:
        raise InvalidParameters(f"{id} has a tool named {taken[0]}, which TRL keeps for itself.")
    name = "".join(part.capitalize() for part in id.replace("_", "-").split("-"))
    return type(
        name, (TrlEnvironment,), {**members, "_episodes": Episodes(url, api_key=api_key, pictured=True, **options)}
    )


def _method(schema: JSON, action: Callable[..., str]) -> Callable[..., str]:
    """A method with a tool's name, type hints and docstring, for TRL."""
    described: dict[str, JSON] = schema["parameters"].get("properties", {})
    required = set(schema["parameters"].get("required", ()))

    def method(self: TrlEnvironment, **arguments: JSON) -> Any:
        return self._act(action(**arguments))

    order = sorted(described, key=lambda name: name not in required)
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name in order:
        default = inspect.Parameter.empty if name in required else described[name].get("default")
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters.append(inspect.Parameter(name, kind, default=default, annotation=_hint(described[name])))
    method.__name__ = method.__qualname__ = schema["name"]
    method.__annotations__ = {each.name: each.annotation for each in parameters[1:]} | {"return": str}
    method.__signature__ = inspect.Signature(parameters, return_annotation=str)  # type: ignore[attr-defined]
    lines = [f"    {name}: {described[name].get('description') or name}" for name in order]
    lines = ["", "Args:", *lines] if lines else []
    method.__doc__ = "\n".join([schema["description"], *lines, "", "Returns:", "    What you are answered."])
    return method


def _hint(schema: JSON) -> Any:
    """The Python type of an argument."""
    kinds = [each.get("type") for each in schema.get("anyOf", [schema])]
    hint: Any = next((_HINTS[kind] for kind in kinds if kind in _HINTS), str)
    if hint is list and "items" in schema:
        hint = list[_hint(schema["items"])]  # type: ignore[misc]
    return hint | None if "null" in kinds else hint
