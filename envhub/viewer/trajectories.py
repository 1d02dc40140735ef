"""Recorded episodes, read from lines of any known kind of file.

=============== ============================================================== ==================================
kind            file                                                           recognised by
=============== ============================================================== ==================================
``evaluation``  ``attempts.jsonl`` of ``envhub eval``                          ``job``, ``messages``
``export``      a file of ``envhub export``                                    ``episode_id``, ``actions``
``training``    ``episodes.jsonl`` of a run of ``envhub train``                ``step``, ``rows``
``verifiers``   results of the verifiers library                               ``prompt``, ``completion``
``inspect``     samples of a log of Inspect                                    ``inspect``, ``messages``
``chat``        conversations as OpenAI chat messages                          ``messages``
=============== ============================================================== ==================================

::

    found = read(json.loads(line))        # None for a line that is no episode, such as the head of an evaluation
    found.facts.outcome, found.messages
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from envhub.core.types import JSON

OUTCOMES: Final = ("solved", "failed", "no_answer", "error", "endpoint", "unknown")
"""How an episode ended; ``unknown`` where the file does not say."""

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a list shows of an episode.

    Attributes:
        env: Environment id, or an empty text.
        level: Difficulty, or 0.
        outcome: One of :data:`OUTCOMES`.
        reward: Return or score; NaN without one.
        turns: Number of messages of the policy.
        chars: Number of characters of the conversation.
        group: What attempts at the same task share, or an empty text.
        why: Reason of a failure, or an empty text.
        abuse: Whether the policy's message caused a failure of the environment.
    """

    env: str = ""
    level: int = 0
    outcome: str = "unknown"
    reward: float = math.nan
    turns: int = 0
    chars: int = 0
    group: str = ""
    why: str = ""
    abuse: bool = False

    def to_json(self) -> dict[str, JSON]:
        """All fields by name; a reward that is no number is null."""
        return {**asdict(self), "reward": None if math.isnan(self.reward) else self.reward}


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One episode.

    Attributes:
        kind: The kind of file it is from.
        facts: What a list shows.
        messages: The conversation: ``role``, ``content`` and, where the file has them, ``reward`` and ``tool_calls``.
        rows: Tokens with log-probabilities and advantages, as the trainer recorded them.
    """

    kind: str
    facts: Facts
    messages: Sequence[JSON]
    rows: Sequence[JSON] = field(default_factory=list)


def read(line: Line) -> Trajectory | None:
    """The episode of a line; None if its kind is unknown."""
    for kind, (names, reader) in _KINDS.items():
        if all(name in line for name in names):
            try:
                return _trajectory(kind, *reader(line), rows=line["rows"] if kind == "training" else [])
            except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
                return None  # it has the names of a kind by chance
    return None


def _trajectory(kind: str, messages: Sequence[Any], facts: dict[str, Any], rows: Sequence[JSON]) -> Trajectory:
    shown = [_message(one) for one in messages]
    turns = sum(one["role"] == "assistant" for one in shown)
    chars = sum(len(one["content"]) for one in shown)
    return Trajectory(kind, Facts(turns=turns, chars=chars, **facts), shown, list(rows))


def _evaluation(line: Line) -> tuple[Sequence[Any], dict[str, Any]]:
    env, level, number, _ = line["job"]
    outcome = line["outcome"]
    if outcome == "graded":
        outcome = "solved" if line["solved"] else "failed"
    facts = {
        "env": _name(env),
        "level": _level(level),
        "outcome": _known(outcome),
        "reward": _number(line.get("score")),
    }
    return line["messages"], {**facts, "group": f"{env} {level} {number}", "why": str(line.get("why") or "")}


def _export(line: Line) -> tuple[Sequence[Any], dict[str, Any]]:
    task, verdict = line["task"], line["verdict"] or {}
    messages = line["messages"] or [{"role": "assistant", "content": action} for action in line["actions"]]
    facts = {"env": _name(task["env_id"]), "level": _level(task.get("difficulty")), "reward": _number(line["reward"])}
    group = " ".join(str(task.get(name)) for name in ("env_id", "difficulty", "split", "seed"))
    return messages, {**facts, **_judged(verdict), "group": group}


def _training(line: Line) -> tuple[Sequence[Any], dict[str, Any]]:
    messages = []
    for turn in line["turns"]:
        messages.append({"role": "user", "content": turn["observation"]})
        messages.append({"role": "assistant", "content": turn["action"], "reward": turn.get("reward")})
    outcome = "error" if line.get("error") else {True: "solved", False: "failed"}.get(line["solved"], "unknown")
    facts = {"env": _name(line["env_id"]), "level": _level(line.get("difficulty")), "reward": _number(line["reward"])}
    return messages, {**facts, "outcome": outcome, "group": f"step {line['step']} group {line.get('group')}"}


def _verifiers(line: Line) -> tuple[Sequence[Any], dict[str, Any]]:
    reward = _number(line.get("reward"))
    outcome = "unknown" if math.isnan(reward) else "solved" if reward >= 1 else "failed"
    env = _name(line.get("env_id") or line.get("task"))
    group = str(line.get("example_id", line.get("idx", "")))
    facts = {"env": env, "outcome": outcome, "reward": reward, "group": group}
    return [*_listed(line["prompt"], "user"), *_listed(line["completion"], "assistant")], facts


def _inspect(line: Line) -> tuple[Sequence[Any], dict[str, Any]]:
    level = (line.get("metadata") or {}).get("difficulty")
    scores = list((line.get("scores") or {}).values())
    reward = _scored(scores[0]["value"]) if scores else math.nan
    outcome = (
        "error" if line.get("error") else "unknown" if math.isnan(reward) else "solved" if reward >= 1 else "failed"
    )
    why = (line.get("error") or {}).get("message", "")
    facts = {"env": line["inspect"], "level": _level(level), "outcome": outcome, "reward": reward}
    return line["messages"], {**facts, "why": str(why), "group": f"{line['inspect']} {line['id']}"}


def _scored(value: Any) -> float:
    """A score of Inspect: a number, or one of its letters."""
    return {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}.get(value, math.nan) if isinstance(value, str) else _number(value)


def _chat(line: Line) -> tuple[Sequence[Any], dict[str, Any]]:
    return line["messages"], {
        "reward": _number(line.get("reward", line.get("score"))),
        "env": _name(line.get("env_id")),
    }


_Reader = Callable[[Line], tuple[Sequence[Any], dict[str, Any]]]
_KINDS: Final[Mapping[str, tuple[tuple[str, ...], _Reader]]] = {
    "evaluation": (("job", "messages"), _evaluation),
    "export": (("episode_id", "actions", "task"), _export),
    "training": (("step", "rows", "turns"), _training),
    "verifiers": (("prompt", "completion"), _verifiers),
    "inspect": (("inspect", "messages"), _inspect),
    "chat": (("messages",), _chat),
}
"""Names that a line of each kind has, and its reader; the first kind that fits is taken."""


def _judged(verdict: Line) -> dict[str, Any]:
    status = verdict.get("status")
    outcome = ("solved" if verdict.get("solved") else "failed") if status == "graded" else status
    error = verdict.get("error") or {}
    why = verdict.get("reason") or error.get("reason") or ""
    return {"outcome": _known(outcome), "why": str(why), "abuse": verdict.get("reason") == "abuse"}


def _name(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _known(outcome: Any) -> str:
    return outcome if outcome in OUTCOMES else "unknown"


def _level(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 100 else 0


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else math.nan


def _listed(value: Any, role: str) -> list[Any]:
    return value if isinstance(value, list) else [{"role": role, "content": str(value)}]


def _message(message: Any) -> dict[str, JSON]:
    """A message with text as its content; other parts are named."""
    found: dict[str, JSON] = {"role": str(message["role"]), "content": _text(message.get("content"))}
    thought = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(thought, str) and thought:
        found["content"] = f"<think>{thought}</think>{found['content']}"
    for name in ("reward", "tool_calls", "name"):
        if message.get(name) is not None:
            found[name] = message[name]
    return found


def _text(content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(map(_part, content))
    return str(content)


def _part(part: Any) -> str:
    if isinstance(part, dict) and "text" in part:
        return str(part["text"])
    if isinstance(part, dict) and "reasoning" in part:
        return f"<think>{part['reasoning']}</think>"
    return f"[{_kind(part)}]"


def _kind(part: Any) -> str:
    return str(part.get("type", "part")) if isinstance(part, dict) else str(part)
