"""What the tests of tools share: an oracle's calls one by one, JSON-RPC, and an environment whose judge is away."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

import envhub
from envhub.authoring import ToolEnv, tool
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.server.protocols.rows import tool_call_action
from tests.server.protocols.client import Http

SHARED, DRAWN = "browse-v0", "function-call-v0"
"""An environment whose tasks share their tools, and one that draws them with each task."""
_numbers = count(1)


@dataclass(frozen=True)
class ToolPlay:
    """Calls, one a turn, and what they bring when they are made in this process."""

    env_id: str
    reset: dict[str, Any]
    calls: tuple[tuple[str, dict[str, Any]], ...]
    observations: tuple[str, ...]
    rewards: tuple[float, ...]
    tools: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """As the programs of the peer take it."""
        return {"env_id": self.env_id, "reset": self.reset, "calls": self.calls}


def made(env_id: str, reset: dict[str, Any], calls: Any) -> ToolPlay:
    """These calls, as far as the episode goes."""
    env = envhub.make(env_id, difficulty=reset.get("difficulty", 3))
    env.reset(seed=reset["seed"])
    done, seen, rewards = [], [], []
    for name, arguments in calls:
        observation, reward, terminated, truncated, _ = env.step(tool_call_action(name, arguments))
        done.append((name, arguments))
        seen.append(observation)
        rewards.append(reward)
        if terminated or truncated:
            break
    assert env.task is not None
    names = tuple(tool["function"]["name"] for tool in env.task.tools)
    return ToolPlay(env_id, reset, tuple(done), tuple(seen), tuple(rewards), names)


def solved_by_calls(env_id: str, seed: int, difficulty: int = 1) -> ToolPlay:
    """What the oracle does, one call at a time."""
    env = envhub.make(env_id, difficulty=difficulty)
    env.reset(seed=seed)
    assert env.task is not None
    tools: Any = {each["function"]["name"]: each["function"] for each in env.task.tools}
    calls: list[tuple[str, dict[str, Any]]] = []
    over = False
    while not over:
        for call in written(env.solve(), tools):
            calls.append(call)
            *_, terminated, truncated, _ = env.step(tool_call_action(*call))
            over = terminated or truncated
    return made(env_id, {"seed": seed, "difficulty": difficulty}, calls)


def written(action: str, names: Any) -> list[tuple[str, dict[str, Any]]]:
    """The calls that an oracle wrote in one message."""
    bodies = [part.partition("</tool_call>")[0] for part in action.split("<tool_call>")[1:]]
    found = [json.loads(body) for body in bodies]
    assert all(call["name"] in names for call in found)
    return [(call["name"], call["arguments"]) for call in found]


def rpc(method: str, **params: Any) -> dict[str, Any]:
    """A request of JSON-RPC."""
    return {"jsonrpc": "2.0", "id": next(_numbers), "method": method, "params": params}


class McpClient:
    """One client's requests over HTTP to one environment."""

    def __init__(self, http: Http, env_id: str) -> None:
        self._http, self._at = http, f"/openenv/{env_id}/mcp"

    def ask(self, method: str, **params: Any) -> Any:
        """An answer, of which the id is that of the request."""
        request = rpc(method, **params)
        answer = self._http.post(self._at, request)
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", request["id"])
        assert ("result" in answer) != ("error" in answer)
        return answer

    def result(self, method: str, **params: Any) -> Any:
        """An answer that is no error."""
        answer = self.ask(method, **params)
        assert "result" in answer, answer
        return answer["result"]

    def error(self, method: str, **params: Any) -> tuple[int, str, str]:
        """The code, our own name and the message of an error."""
        fault = self.ask(method, **params)["error"]
        return fault["code"], fault["data"]["problem"], fault["message"]

    def call(self, session: str, name: str, arguments: Any, **more: Any) -> Any:
        """The result of a call."""
        return self.result("tools/call", session_id=session, name=name, arguments=arguments, **more)


class Ring(ToolEnv):
    """A bell that is counted; judging it is not possible."""

    counted: ClassVar[bool] = False  # what its tools say is compared word for word

    def sample(self, rng: Stream, p: Any) -> Instance:
        """One of thirty."""
        return Instance(problem={"x": rng.below(30)}, key=0)

    def prompt(self, problem: Any) -> str:
        """What to do."""
        return f"Ring the bell of house {problem['x']}."

    def begin(self, inst: Instance, rng: Stream) -> int:
        """Silence."""
        return 0

    @tool
    def ring(self, inst: Instance, state: int) -> tuple[int, str]:
        """Ring."""
        return state + 1, f"Rung {state + 1}."

    @tool
    def judge(self, inst: Instance, state: int) -> tuple[int, Verdict]:
        """Have it judged."""
        return state, Verdict.failed("judge_lost", "The judge is away.")

    def solve(self, inst: Instance, state: int) -> str:
        """Nothing is right."""
        return '<tool_call>{"name": "judge", "arguments": {}}</tool_call>'
