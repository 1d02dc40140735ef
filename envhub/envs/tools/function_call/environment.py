"""function-call-v0: serve requests with typed tools and make no other change.

Action: tool calls, up to eight in a message. Values must be converted to the form that a schema requires (units, dates,
codes, groups of arguments). Some persons must be looked up first; some tools look right but do something else; some
requests cannot be served. ``done``, with the numbers of the latter, ends the task: score 1 if the calls that change
something are exactly those requested, each once, and the numbers are right; else 0. An invalid call is answered with
the reason, and changes nothing.

Calls are compared by the schema: a default may be left out, 5 is 5.0, sets have no order. The component ``right`` is
the share of wanted or made calls that are both; it is not part of the reward, and extra calls lower it. Difficulty:
more requests and more tools, then conversions, look-ups and groups, then requests that no tool serves; effort is
arguments, conversions and look-ups.

Two tasks with the same requests are the same, whatever the words, the order and the tools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import BaseModel, Field, model_validator

from envhub.authoring import BaseParams, Staged, ToolEnv, rejected, write_call
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream, canonical_json
from envhub.core.tools import MAX_CALLS, Call, Malformed, Tool
from envhub.core.tools.schema import expected
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.tools.function_call import wording
from envhub.generators.typed_tools.requests import Style, draw_requests, dress
from envhub.generators.typed_tools.schemas import Misfit, fit
from envhub.generators.values import TODAY, spelt

_MOST_MESSAGES: Final = 64
_SPARE: Final = 4
_LOOK_UPS: Final = ("find_person", "find_manager")
# requests, tools, turned, lookups, managers, nested, impossible
_LEVELS: Final = (
    (1, 2, 0, 0, 0, 0, 0),
    (1, 5, 50, 0, 0, 0, 0),
    (2, 6, 60, 0, 0, 20, 0),
    (2, 8, 80, 50, 0, 40, 0),
    (3, 9, 80, 60, 0, 40, 0),
    (4, 11, 80, 70, 30, 50, 1),
    (5, 13, 90, 70, 40, 50, 1),
    (6, 15, 90, 80, 50, 60, 1),
    (7, 17, 100, 90, 60, 70, 2),
    (8, 20, 100, 100, 70, 80, 2),
)


class Params(BaseParams):
    """The requests and the tools."""

    requests: int = Field(2, ge=1, le=10, description="how many things are asked for")
    tools: int = Field(8, ge=2, le=30, description="tools that change something")
    turned: int = Field(50, ge=0, le=100, description="per cent of values said or wanted in an unusual form")
    lookups: int = Field(0, ge=0, le=100, description="per cent of persons whose id has to be looked up")
    managers: int = Field(0, ge=0, le=100, description="per cent of those who are named as the manager of somebody")
    nested: int = Field(0, ge=0, le=100, description="per cent of tools that take some arguments in a group")
    impossible: int = Field(0, ge=0, le=4, description="how many of the requests no tool serves")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.impossible >= self.requests:
            raise ValueError("impossible < requests must hold")
        if self.tools <= self.requests:
            raise ValueError("requests < tools must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        values: dict[str, Any] = dict(zip(cls.model_fields, _LEVELS[difficulty - 1], strict=True))
        return cls(**values)


class _Arguments(BaseModel):
    """Any arguments: the schema of the task decides what is valid."""

    given: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, data: Any) -> Any:
        return {"given": data}


class State(NamedTuple):
    """Messages so far, effective calls, and persons looked up.

    Effective calls changed something; they are canonical JSON, in order.
    """

    messages: int = 0
    made: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


class FunctionCall(ToolEnv):
    """Choose tools and fill their arguments."""

    Params = Params
    components: ClassVar[frozenset[str]] = frozenset({"right"})
    max_turns: ClassVar[int] = _MOST_MESSAGES

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Requests, then words and tools for them.

        The right calls are the key.
        """
        requests = draw_requests(rng, p.requests)
        yield requests
        style = Style(p.tools, p.turned, p.lookups, p.managers, p.nested, p.impossible)
        dressed = dress(rng, requests, style)
        one_by_one = p.requests + sum(1 + managed for looked_up in dressed.lookups for _, managed in looked_up) + 1
        problem = {
            "sentences": dressed.sentences,
            "tools": dressed.tools,
            "messages": min(_MOST_MESSAGES, one_by_one + _SPARE),  # some clients make one call a message
            "content": requests,
        }
        key = {
            "calls": dressed.calls,
            "people": dressed.people,
            "managers": dressed.managers,
            "lookups": dressed.lookups,
        }
        return Instance(problem, key=key)

    def canonical(self, content: JSON) -> JSON:
        """The requests, in canonical order."""
        return sorted(content["content"] if isinstance(content, dict) else content)

    def form(self, problem: JSON) -> str:
        """The families of the requests."""
        return ", ".join(sorted(name for name, _, _ in problem["content"]))

    def prompt(self, problem: JSON) -> Statement:
        """The requests, the tools and the rules."""
        values = {"today": spelt(TODAY)}
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES, values=values)

    def instruction(self) -> str:
        """How to write a call; the tools are listed with the requests."""
        return self.how_to_call()

    def messages(self, problem: JSON) -> int:
        """Enough for one call per message, and some to spare."""
        return int(problem["messages"])

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The tools of the task, formatted for chat templates and clients."""
        return tuple({"type": "function", "function": tool} for tool in problem["tools"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """No messages yet."""
        return State()

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Turn:
        """Carry out the calls of a message in order, until ``done``."""
        schemas = {tool["name"]: tool["parameters"] for tool in inst.problem["tools"]}
        readers = {name: Tool(name, "", _Arguments, schema) for name, schema in schemas.items()}
        seen: list[str] = []
        malformed = False
        for call in self.read(action, readers):
            if isinstance(call, Malformed):
                seen.append(call.feedback)
                malformed = True
                continue
            try:
                arguments = fit(schemas[call.name], call.arguments["given"])
            except Misfit as misfit:
                seen.append(f"Invalid call to {call.name}: {misfit}. Expected: {expected(readers[call.name])}.")
                malformed = True
                continue
            if call.name == "done":
                return Turn.end(state, self._judge(inst, state, arguments["impossible"]))
            state, shown = self._carry_out_one(inst, state, Call(call.name, arguments))
            seen.append(shown)
        turn = self._next(inst, state, "\n".join(seen))
        return rejected(turn, "malformed") if malformed else turn

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """A message too long to be read still counts."""
        return self._next(inst, state, feedback)

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The task was not ended with ``done``."""
        return super().exhausted(inst, state).noting(None, right=_share(inst, state))

    def solve(self, inst: Instance, state: State) -> str:
        """Look up persons, then make the missing calls, then end.

        Eight calls at a time.
        """
        key = inst.key
        wanted = [pair for looked_up in key["lookups"] for pair in looked_up]
        first = [name for name, _ in wanted if _said("find_person", {"name": name}) not in state.asked]
        if first:
            return "".join(write_call("find_person", name=name) for name in dict.fromkeys(first[:MAX_CALLS]))
        ids = [key["people"][name] for name, managed in wanted if managed]
        second = [own for own in ids if _said("find_manager", {"person_id": own}) not in state.asked]
        if second:
            return "".join(write_call("find_manager", person_id=own) for own in dict.fromkeys(second[:MAX_CALLS]))
        missing = [call for call in key["calls"] if call and self._written(inst, call) not in state.made]
        if missing:
            return "".join(write_call(name, **arguments) for name, arguments in missing[:MAX_CALLS])
        return write_call("done", impossible=[n for n, call in enumerate(key["calls"], 1) if call is None])

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random tool without arguments."""
        return write_call(rng.choice([tool["name"] for tool in inst.problem["tools"]]))

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Wrong sets of calls.

        Nothing done, one call repeated or left out, and a wrong list of unserved requests.
        """
        calls = [write_call(name, **arguments) for name, arguments in filter(None, inst.key["calls"])]
        hopeless = [number for number, call in enumerate(inst.key["calls"], 1) if call is None]
        done = write_call("done", impossible=hopeless)
        yield [done]
        yield ["".join(calls), calls[0], done]
        yield ["".join(calls[1:]), done]
        for other in ([*hopeless, len(inst.key["calls"]) + 1], [*hopeless, 0], hopeless[1:]):
            if other != hopeless:
                yield ["".join(calls), write_call("done", impossible=other)]

    def effort(self, inst: Instance) -> float:
        """Arguments to fill, persons to look up, and tools to read.

        A manager counts twice.
        """
        key = inst.key
        values = sum(len(slots) for _, slots, _ in inst.problem["content"])
        looked_up = sum(1 + managed for pairs in key["lookups"] for _, managed in pairs)
        return float(values + looked_up + len(inst.problem["tools"]) / 4)

    def _carry_out_one(self, inst: Instance, state: State, call: Call) -> tuple[State, str]:
        text = _said(call.name, call.arguments)
        if call.name not in _LOOK_UPS:
            return state._replace(made=(*state.made, text)), f"{call.name}: done."
        found = inst.key["people" if call.name == "find_person" else "managers"].get(
            next(iter(call.arguments.values()))
        )
        # only useful look-ups are remembered, so that a state cannot be made to grow
        state = state._replace(asked=(*state.asked, text)) if found and text not in state.asked else state
        return state, f"{call.name}: {found or 'nobody was found'}."

    def _next(self, inst: Instance, state: State, seen: str) -> Turn:
        state = state._replace(messages=state.messages + 1)
        left = inst.problem["messages"] - state.messages
        if left <= 0:
            return Turn.end(state, self.exhausted(inst, state), f"{seen}\n\nThat was the last message.")
        return Turn(state, seen)

    def _written(self, inst: Instance, call: list[JSON]) -> str:
        """A right call in its recorded form."""
        name, arguments = call
        schema = next(tool["parameters"] for tool in inst.problem["tools"] if tool["name"] == name)
        return _said(name, fit(schema, arguments))

    def _judge(self, inst: Instance, state: State, impossible: list[int]) -> Verdict:
        wanted = sorted(self._written(inst, call) for call in inst.key["calls"] if call)
        hopeless = [number for number, call in enumerate(inst.key["calls"], 1) if call is None]
        solved = sorted(state.made) == wanted and sorted(impossible) == hopeless
        words = (
            "Everything that was requested was done, and nothing else."
            if solved
            else "The changes are not exactly the requested ones."
        )
        return Verdict.exact(solved, words).noting(None, right=_share(inst, state))


def _said(name: str, arguments: Any) -> str:
    return canonical_json([name, arguments]).decode()


def _share(inst: Instance, state: State) -> float:
    """The share of wanted or made calls that are both."""
    schemas = {tool["name"]: tool["parameters"] for tool in inst.problem["tools"]}
    wanted = Counter(_said(call[0], fit(schemas[call[0]], call[1])) for call in inst.key["calls"] if call)
    made = Counter(state.made)
    return (wanted & made).total() / (wanted | made).total()
