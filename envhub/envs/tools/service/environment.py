"""customer-service-v0: serve a simulated user by a policy document.

Action: tool calls, up to eight in a message. ``say`` talks to a user who holds a goal, answers what it is asked, agrees
or not to amounts, and in the domain ``telecom`` acts on its own phone. The policy's values are drawn with each task.
``close_case`` ends the task: score 1 if the records are exactly what the policy and the user's wishes lead to, each
change was agreed to, the user was asked about every amount and told about every refusal, nothing allowed was refused,
and the phone is right; else 0. Only this end state counts, never how something is said.
With ``user="http://host/v1#model"`` a model words what the rule-based user says; what it says is still decided by rules.

The components are ``right`` (the share of changes that are right or required that are both), ``told`` (the share of
amounts and refusals that the user was told) and ``violations`` (changes without agreement). Domains: ``airline``,
``shop`` and ``telecom``. Difficulty: more requests or causes, more records, users who decline amounts or answer one
topic at a time; effort is the oracle's calls and the records. Two tasks with the same policy, requests and records of
the user are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field

from envhub.authoring import Acting, BaseParams, Staged, tool
from envhub.authoring.model_user import RESOURCE, RULES, ModelUsers, check_url
from envhub.authoring.wording import Statement
from envhub.core.effects import Effect, Outcome, Resource
from envhub.core.seeding import Stream, canonical_json
from envhub.core.tools import Call, Malformed, Tool, usage, write_call
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.tools.service import wording
from envhub.envs.tools.service.airline import AIRLINE
from envhub.envs.tools.service.cases import TABLE, Request, Tables, changed, contents
from envhub.envs.tools.service.oracle import generous_call, next_call
from envhub.envs.tools.service.people import with_others
from envhub.envs.tools.service.retail import SHOP
from envhub.envs.tools.service.telecom import SETTINGS, TELECOM
from envhub.envs.tools.service.tools import COMMON, DOMAINS, ServiceTools, State
from envhub.envs.tools.service.user import STYLES, Memory, User

_MOST_MESSAGES: Final = 64
_SPARE, _EACH = 14, 12
_DOMAINS: Final = {"airline": AIRLINE, "shop": SHOP, "telecom": TELECOM}
# requests, rows, declines, terse
_LEVELS: Final = (
    (1, 2, 0, False),
    (1, 8, 0, False),
    (1, 16, 20, False),
    (2, 20, 20, False),
    (2, 28, 30, False),
    (2, 36, 30, True),
    (3, 44, 30, True),
    (3, 52, 35, True),
    (4, 60, 35, True),
    (4, 76, 40, True),
)


class Params(BaseParams):
    """The domain, the user and the records."""

    later: ClassVar[frozenset[str]] = frozenset({"user"})
    domain: Literal["any", "airline", "shop", "telecom"] = Field("any", description="where the agent works")
    requests: int = Field(1, ge=1, le=4, description="requests of the user; in telecom, half the causes of a fault")
    rows: int = Field(8, ge=0, le=100, description="records of other customers")
    declines: int = Field(20, ge=0, le=100, description="per cent of amounts to pay that are too much for the user")
    terse: bool = Field(False, description="whether the user answers one topic of a message only")
    user: str = Field(RULES, max_length=400, description="who words what the user says: rules, or a model's URL")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        requests, rows, declines, terse = _LEVELS[difficulty - 1]
        return cls(requests=requests, rows=rows, declines=declines, terse=terse)


class CustomerService(ServiceTools):
    """Serve a user by a policy, over records and in conversation."""

    Params = Params
    components: ClassVar[frozenset[str]] = frozenset({"right", "told", "violations"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    resources: ClassVar[Mapping[str, Resource]] = {RESOURCE: ModelUsers()}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A policy, a customer and requests, then the records of others.

        Records and user are the key.
        """
        domain = rng.choice(list(_DOMAINS)) if p.domain == "any" else p.domain
        drawn = _DOMAINS[domain].draw(rng, p.requests, p.declines)
        requests = [request._asdict() for request in drawn.requests]
        yield [domain, drawn.rules, drawn.tables, requests, drawn.device]
        key = {
            "tables": with_others(rng, _DOMAINS[domain], drawn.tables, TABLE[domain], p.rows),
            "customer": drawn.customer,
            "postcode": drawn.tables["customers"][drawn.customer]["postcode"],
            "requests": requests,
            "device": drawn.device,
            "terse": p.terse,
            "style": rng.below(STYLES),
        }
        problem = {"domain": domain, "rules": drawn.rules, "opening": f"Hello. {drawn.requests[0].opening}"}
        # derived from the parameters: what this user needs would reveal something hidden
        speaker = {} if p.user == RULES else {"user": p.user}
        return Instance({**problem, **speaker, "messages": _SPARE + _EACH * p.requests}, key)

    def check(self, p: Any) -> None:
        """Reject a user that is neither the rules nor a model's URL."""
        check_url(p.user)

    def acts_outside(self, inst: Instance) -> bool:
        """Only if a model speaks for the user."""
        return "user" in inst.problem

    def canonical(self, content: JSON) -> JSON:
        """The content as it was drawn."""
        return content

    def prompt(self, problem: JSON) -> Statement:
        """The rules, the policy, and what the user says first."""
        return wording.statement(problem)

    @cached_property
    def _readers(self) -> dict[str, dict[str, Tool]]:
        return {domain: {name: self.tools[name] for name in (*COMMON, *names)} for domain, names in DOMAINS.items()}

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The tools of the domain."""
        return self._schemas[problem["domain"]]

    @cached_property
    def _schemas(self) -> dict[str, tuple[JSON, ...]]:
        return {
            domain: tuple(reader.schema() for reader in readers.values()) for domain, readers in self._readers.items()
        }

    def instruction(self) -> str:
        """How to write a call; the tools depend on the domain."""
        return self.how_to_call()

    def directions(self, problem: JSON) -> str:
        """The tools of the domain, the call format and the limits."""
        tools = "\n".join(map(usage, self._readers[problem["domain"]].values()))
        return f"Available tools:\n{tools}\n\n{super().directions(problem)}"

    def messages(self, problem: JSON) -> int:
        """A number for each request, and some to spare."""
        return int(problem["messages"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The user has stated the first request."""
        return State(inst.key["tables"], Memory(device=tuple(inst.key["device"].items())))

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """Carry out the calls of a message in order."""
        calls = self.read(action, self._readers[inst.problem["domain"]])
        return self._message(inst, state._replace(messages=state.messages + 1), calls)

    def _message(self, inst: Instance, state: State, calls: list[Call | Malformed]) -> Generator[Effect, Outcome, Turn]:
        turn = yield from self._carry_out(inst, state, calls)
        if turn.verdict is not None:
            return turn
        after = self._next(inst, turn.state, turn.observation)
        after.info |= turn.info
        return after

    def _next(self, inst: Instance, state: State, seen: str) -> Turn:
        if state.messages >= inst.problem["messages"]:
            return Turn.end(state, self.exhausted(inst, state), f"{seen}\n\nThat was the last message.")
        return Turn(state, seen)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """A message too long to be read still counts."""
        return self._next(inst, state._replace(messages=state.messages + 1), feedback)

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The case was not closed."""
        return super().exhausted(inst, state).noting(None, **self._parts(inst, state))

    @tool
    def close_case(self, inst: Instance, state: State) -> tuple[State, Verdict]:
        """End the conversation."""
        user, memory = self.user(inst), state.memory
        expected = applied(inst.key["tables"], TABLE[inst.problem["domain"]], user.requests)
        refused = {request.id for request in user.requests if request.refused}
        solved = (
            contents(state.tables) == contents(expected)
            and state.violations == 0
            and memory.finished
            and memory.refused == refused
            and _quotes(user) <= memory.quoted
            and _device_is_right(user, inst.key["device"], dict(memory.device))
        )
        said = (
            "The case was served as the policy and the user require." if solved else "The case was not served rightly."
        )
        return state, Verdict.exact(solved, said).noting(None, **self._parts(inst, state))

    def solve(self, inst: Instance, state: State) -> str:
        """The next call that serves the user."""
        return next_call(self.user(inst), state)

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """The next call of an agent that grants everything for nothing."""
        return generous_call(self.user(inst), state)

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Say something common, read, or end the case."""
        talk = ("Is there anything else?", "What is your customer number?", "Please confirm.", "How many?")
        calls = (
            *(write_call("say", message=text) for text in talk),
            write_call("get_customer"),
            write_call("close_case"),
        )
        return rng.choice(calls)

    def effort(self, inst: Instance) -> float:
        """The oracle's calls, and the records."""
        rows = len(inst.key["tables"][TABLE[inst.problem["domain"]]])
        return _fewest_calls(self.user(inst).requests) + rows / 3

    def _parts(self, inst: Instance, state: State) -> dict[str, float]:
        user, memory = self.user(inst), state.memory
        expected = applied(inst.key["tables"], TABLE[inst.problem["domain"]], user.requests)
        entries = [Counter(map(canonical_json, contents(tables)["ledger"])) for tables in (expected, state.tables)]
        either = (entries[0] | entries[1]).total()
        right = (entries[0] & entries[1]).total() / either if either else 1.0
        things = {*_quotes(user), *(request.id for request in user.requests if request.refused)}
        told = len(things & {*memory.quoted, *memory.refused}) / len(things) if things else 1.0
        return {"right": right, "told": told, "violations": float(state.violations)}


def applied(tables: Tables, table: str, requests: list[Request]) -> Tables:
    """The records after every right change."""
    for request in requests:
        for name, arguments in request.changes():
            tables = changed(tables, table, name, arguments)
    return tables


def _quotes(user: User) -> set[tuple[str, int]]:
    """The amounts that the user must be asked about."""
    return {(request.id, amount) for request in user.requests for amount in request.quotes()}


def _device_is_right(user: User, before: dict[str, str], after: dict[str, str]) -> bool:
    """Whether every fault is fixed, and no other setting was made wrong."""
    fixes = {name for request in user.requests for name in request.fix}
    right = {name: SETTINGS[name][0] for name in user.needs}
    return all(
        after[name] == value or (name not in fixes and after[name] == before[name]) for name, value in right.items()
    )


def _fewest_calls(requests: list[Request]) -> int:
    """Calls of the oracle."""
    calls = 3 + len(requests) - 1  # identify, ask for more, close
    for request in requests:
        calls += 1 if request.refused else len(set(request.quotes())) + len(request.changes()) + len(request.fix)
    return calls
