"""Clients of :mod:`benchmarks.server`: the same work in each server's protocol.

A client is a generator for :func:`benchmarks.wire_load.load`: it yields a message and is sent the answer; when it ends,
another one starts. Each plays one episode of :data:`TURNS` turns, or requests one round of verdicts, and checks every answer,
so that failed work is not measured.
"""

from __future__ import annotations

import itertools
import json
import secrets
from collections.abc import Callable
from typing import Any, Final

from benchmarks.wire_load import Client, Message, Post

TURNS: Final = 60
"""Number of turns per episode."""
BATCH: Final = 64
"""Number of items per batch."""
ECHO: Final = "echo-v0"
GUESS: Final = "guess-number-v0"
_SAID: Final = "I think that the answer is {}."
_ROUND: Final = 64


def _text(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _check(answer: bytes, *parts: str) -> None:
    for part in parts:
        if part.encode() not in answer:
            raise RuntimeError(f"an answer without {part!r}: {answer[:500]!r}")


def creation(env_id: str, episode_id: str) -> dict[str, Any]:
    """The request body that starts an episode."""
    body: dict[str, Any] = {"episode_id": episode_id, "env_id": env_id, "difficulty": None, "seed": 7}
    return body if env_id == ECHO else {**body, "params": {"low": 1, "high": 1_000_000, "guesses": TURNS + 1}}


def said(env_id: str, turn: int) -> tuple[str, str]:
    """An action, and the text expected in its answer."""
    if env_id == ECHO:
        return _SAID.format(turn), _SAID.format(turn)
    return "<answer>1</answer>", "My number is higher than 1."


# -- turns -------------------------------------------------------------------------------------------------------------


def _episode(
    env_id: str, create: Callable[[str], Message], step: Callable[[str, int, str], Message], opened: str
) -> Client:
    episode_id = secrets.token_hex(8)
    _check((yield create(episode_id)), opened)
    for turn in range(TURNS):
        action, part = said(env_id, turn)
        _check((yield step(episode_id, turn, action)), part, f'"turn":{turn + 1},')


def by_websocket(env_id: str, number: int) -> Client:
    """An episode over ``/v1/ws``.

    The id of its messages is the client's number, read by :func:`whose`.
    """

    def create(episode_id: str) -> Message:
        return _text({"id": number, "op": "create", "body": creation(env_id, episode_id)})

    def step(episode_id: str, turn: int, action: str) -> Message:
        body = {"turn": turn, "action": action}
        return _text({"id": number, "op": "step", "episode_id": episode_id, "body": body})

    return _episode(env_id, create, step, '"status":201')


def whose(answer: bytes) -> int:
    """The number of the client that sent the request."""
    found: int = json.loads(answer)["id"]
    return found


def by_http(env_id: str, number: int) -> Client:
    """An episode over HTTP, one request per turn."""

    def create(episode_id: str) -> Message:
        return Post("/v1/episodes", _text(creation(env_id, episode_id)))

    def step(episode_id: str, turn: int, action: str) -> Message:
        return Post(f"/v1/episodes/{episode_id}/step", _text({"turn": turn, "action": action}))

    return _episode(env_id, create, step, '"turn":0')


def by_batch(env_id: str, number: int) -> Client:
    """:data:`BATCH` episodes over ``/v1/batch``, one request per turn of all."""
    ids = [secrets.token_hex(8) for _ in range(BATCH)]
    items: list[dict[str, Any]] = [{"op": "create", "body": creation(env_id, id)} for id in ids]
    answer = yield Post("/v1/batch", _text({"items": items}))
    if answer.count(b'"status":201') != BATCH:
        raise RuntimeError(f"a batch that did not begin all: {answer[:500]!r}")
    for turn in range(TURNS):
        action, part = said(env_id, turn)
        body = {"turn": turn, "action": action}
        items = [{"op": "step", "episode_id": id, "body": body} for id in ids]
        answer = yield Post("/v1/batch", _text({"items": items}))
        if answer.count(f'"turn":{turn + 1},'.encode()) != BATCH:
            raise RuntimeError(f"a batch that did not step all: {answer[:500]!r}")
        _check(answer, part)


def openenv(number: int) -> Client:
    """A session of OpenEnv: reset, then :data:`TURNS` turns."""
    _check((yield _text({"type": "reset", "data": {}})), "Say something")
    for turn in range(TURNS):
        action, part = said(ECHO, turn)
        _check((yield _text({"type": "step", "data": {"message": action}})), part)


# -- all fates of an episode -------------------------------------------------------------------------------------------

_SHORT: Final = 20
_lives = itertools.count()


def mixed_by_websocket(number: int) -> Client:
    """Episodes over ``/v1/ws`` for a soak test: some finished, some deleted, some abandoned."""

    def ask(op: str, episode_id: str, body: dict[str, Any] | None) -> Message:
        return _text({"id": number, "op": op, "episode_id": episode_id, "body": body})

    return _mixed(ask, lambda body: _text({"id": number, "op": "create", "body": body}))


def mixed_by_http(number: int) -> Client:
    """The same over HTTP, with deletion in batches."""

    def ask(op: str, episode_id: str, body: dict[str, Any] | None) -> Message:
        if op == "delete":
            return Post("/v1/batch", _text({"items": [{"op": op, "episode_id": episode_id}]}))
        return Post(f"/v1/episodes/{episode_id}/{op}", _text(body))

    return _mixed(ask, lambda body: Post("/v1/episodes", _text(body)))


def _mixed(
    ask: Callable[[str, str, dict[str, Any] | None], Message], create: Callable[[dict[str, Any]], Message]
) -> Client:
    life = next(_lives)
    episode_id = secrets.token_hex(8)
    params = {"low": 1, "high": 1_000_000, "guesses": _SHORT}
    _check((yield create({**creation(GUESS, episode_id), "params": params, "seed": life})), episode_id)
    for turn in range(5 if life % 16 == 0 else _SHORT):
        body = {"turn": turn, "action": f"<answer>{turn + 1}</answer>"}
        _check((yield ask("step", episode_id, body)), f'"turn":{turn + 1},')
    if life % 2:
        _check((yield ask("delete", episode_id, None)), '"status":204')


# -- verdicts ----------------------------------------------------------------------------------------------------------


def _sum(number: int, turn: int) -> tuple[int, int, int]:
    """Two summands, and the answer's offset: 0 (right) or 1 (wrong)."""
    return 17 * number + turn, 31 + turn, turn % 2


def by_gold(items: int, number: int) -> Client:
    """``/v1/verify`` with many responses per request, each with its right answer."""
    for turn in range(_ROUND):
        asked = [_sum(number, turn + k) for k in range(items)]
        body = [
            {"gold": str(a + b), "kind": "integer", "responses": [f"<answer>{a + b + beside}</answer>"]}
            for a, b, beside in asked
        ]
        answer = yield Post("/v1/verify", _text({"items": body}))
        _check_verdicts(answer, [not beside for _, _, beside in asked])


def by_task(items: int, number: int) -> Client:
    """``/v1/verify`` with many responses per request, each with the key of a task to redraw."""
    for turn in range(_ROUND):
        seeds = [1000 * number + turn + k for k in range(items)]
        body = [{"task": _arithmetic(seed), "responses": ["<answer>123456789</answer>"]} for seed in seeds]
        answer = yield Post("/v1/verify", _text({"items": body}))
        _check_verdicts(answer, [False] * items)


def by_kept_task(number: int) -> Client:
    """``/v1/verify`` with eight responses to each task, one per request, as a group of a trainer sends them."""
    for turn in range(_ROUND):
        body = [{"task": _arithmetic(1000 * number + turn // 8), "responses": ["<answer>123456789</answer>"]}]
        answer = yield Post("/v1/verify", _text({"items": body}))
        _check_verdicts(answer, [False])


def _arithmetic(seed: int) -> dict[str, Any]:
    params = {"terms": 2, "digits": 2, "operators": "+-", "nesting": 0}
    return {"env_id": "arithmetic-v0", "params": params, "split": "train", "seed": seed}


def _check_verdicts(answer: bytes, right: list[bool]) -> None:
    solved, unsolved = answer.count(b'"solved":true'), answer.count(b'"solved":false')
    if (solved, unsolved) != (right.count(True), right.count(False)):
        raise RuntimeError(f"{solved} right and {unsolved} wrong, of {right}: {answer[:500]!r}")


def nemo_gym(number: int) -> Client:
    """``/verify`` of NeMo Gym: a response in OpenAI's format, with the expected answer."""
    for turn in range(_ROUND):
        a, b, beside = _sum(number, turn)
        content = [{"type": "output_text", "text": f"<answer>{a + b + beside}</answer>", "annotations": []}]
        message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": content}
        response = {"id": "r", "created_at": 0, "model": "m", "object": "response", "output": [message]}
        response |= {"parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
        body = {
            "responses_create_params": {"input": f"{a} + {b}?"},
            "expected_answer": str(a + b),
            "response": response,
        }
        answer = yield Post("/verify", _text(body))
        _check(answer, f'"reward":{float(not beside)}')
