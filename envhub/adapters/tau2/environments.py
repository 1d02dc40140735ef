"""tau2-bench's domains as an environment, with the tools of the user's checkout.

::

    from envhub.adapters.tau2.environments import register
    register()
    env = envhub.make("tau2/service-v0", path="tau2-bench", domain="retail", difficulty=3)      # or task="12"

The checkout (MIT) is installed with ``uv sync``; its tools run in its own interpreter (:mod:`envhub.adapters.tau2.desk`).
Source: Barres et al. 2025, arXiv 2506.07982. Differences from using it directly:

* **Customer**: by default no model plays the customer. The description that tau2 gives to its simulated customer is in the
  prompt, and the customer only confirms it. The customer's own tools (telecom) are called by the policy, as in tau2's solo
  mode. ``user="http://host/v1#model"`` lets a model play the customer from the description, which the policy then does not
  see (:mod:`envhub.adapters.tau2.customer`); not where the customer has tools.
* **Verdicts** are tau2's: databases like those after the reference actions, assertions, information told, actions where the
  task asks for them. Tasks that need a model as a judge are left out, and so are tasks that the reference actions do not
  solve, or that are solved by doing nothing (``idle=True`` keeps the latter).
* **Difficulty**: the tasks of the file in ten parts, in the order of the number of reference actions and criteria.
* **Splits** are envhub's, by description; ``subset`` names one of tau2's own.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field

from envhub.adapters.shared.user_tasks import AnyArguments, tenth
from envhub.adapters.tau2 import customer, wording
from envhub.adapters.tau2.criteria import is_made, is_told, verdict
from envhub.adapters.tau2.desk import Desks, lent
from envhub.adapters.tau2.tasks import Task, checkout_at, chosen, domains, tasks
from envhub.authoring import Acting, Staged, ToolEnv, rejected, tool, write_call
from envhub.authoring.model_user import RESOURCE, RULES, ModelUsers, check_url
from envhub.authoring.user_file import UserFiles
from envhub.authoring.wording import Statement
from envhub.core.effects import Effect, Exec, Outcome, Query, Resource
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.core.tools import MAX_CALLS, Call, Malformed, Tool
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.generators.user_files.bundles import bundle_at, bundle_digest
from envhub.registry import registry
from envhub.sandbox.resource import Effects

__all__ = ["Service", "register"]

ID: Final = "tau2/service-v0"
_CATEGORY: Final = "tau2"
_MOST_MESSAGES: Final = 100
_MOST_SAID: Final = 2000


class Params(UserFiles):
    """The checkout, and which of its tasks."""

    digests: ClassVar[Mapping[str, str]] = {"path": "digest"}
    later: ClassVar[frozenset[str]] = frozenset({"user"})

    path: str = Field("", description="the checkout of tau2-bench")
    digest: str = Field("", description="SHA-256 of its tasks, data and tools; what it is now, if not given")
    domain: str = Field("retail", max_length=60, description="name of the domain")
    file: str = Field("tasks.json", pattern=r"^\w+\.json$", description="file of tasks in the domain's folder")
    subset: str = Field("", max_length=60, description="one of tau2's own divisions of the file, such as base")
    task: str = Field("", max_length=400, description="id of one task; empty: drawn from the level")
    level: int | None = Field(None, ge=1, le=10, description="which tenth of the tasks, by number of steps")
    messages: int = Field(40, ge=2, le=_MOST_MESSAGES, description="messages allowed")
    user: str = Field(RULES, max_length=400, description="who plays the customer: rules, or a model's URL")
    idle: bool = Field(False, description="whether to keep tasks that are solved by doing nothing")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """A tenth of the tasks."""
        return cls(level=difficulty)

    @classmethod
    def identify(cls, path: str) -> str:
        """The SHA-256 of tasks, data and tools."""
        return bundle_digest(path, chosen)

    def look(self) -> None:
        """Find the domain."""
        known = domains(bundle_at(self.path, self.digest, chosen, again=True))
        if self.domain not in known:
            found = f"There is no domain {self.domain!r}; there are {', '.join(known)}."
            raise InvalidParameters(f"{found}{nearest(self.domain, known)}")

    def rows(self) -> Sequence[Task]:
        """The tasks of the level."""
        found = tasks(self.path, self.digest, self.domain, self.file, self.subset)
        if self.task:
            named = [each for each in found if each.id == self.task]
            if not named:
                raise InvalidParameters(f"{self.file} has no task {self.task!r}.")
            return named
        if self.level is None:
            return found
        ordered = sorted(found, key=lambda each: (each.steps, each.id))
        return tenth(ordered, self.level)


class State(NamedTuple):
    """What was done, by places in the key.

    Attributes:
        calls: Number of calls of the domain's tools.
        made: Reference actions that were made.
        told: Pieces of information that were told.
        talk: The messages of agent and customer, if a model plays the customer.
    """

    calls: int = 0
    made: frozenset[int] = frozenset()
    told: frozenset[int] = frozenset()
    talk: tuple[str, ...] = ()


class Service(ToolEnv):
    """Serve a customer in a domain of tau2."""

    Params = Params
    slow = True  # the tools run in a process
    files: ClassVar[tuple[str, ...]] = ("path",)
    components: ClassVar[frozenset[str]] = frozenset({"records", "assertions", "told", "actions"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    resources: ClassVar[Mapping[str, Resource]] = {"desk": Desks(), RESOURCE: ModelUsers()}

    def check(self, p: Any) -> None:
        """Reject a customer that is neither the rules nor a model's URL."""
        check_url(p.user)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A task that the reference actions solve.

        The split is decided on its description.
        """
        task = rng.choice(p.rows())
        yield [p.domain, task.description, task.id]
        opened = _checked(p.path, p.digest, p.domain, p.file, task.id)
        if opened is None or (opened["idle"] and not p.idle):
            return None
        users = [each for each in opened["user_tools"] if task.user_tools is None or each["name"] in task.user_tools]
        names = [each["name"] for each in [*opened["tools"], *users]]
        if {*names} & {*self.tools} or len({*names}) < len(names):
            raise InvalidParameters(f"Tools of {p.domain} have the same name as others: {', '.join(sorted(names))}.")
        problem = {
            "path": p.path,
            "digest": p.digest,
            "domain": p.domain,
            "file": p.file,
            "id": task.id,
            "description": task.description if p.user == RULES else "",
            "policy": opened["policy"],
            "tools": opened["tools"],
            "user_tools": users,
            "messages": p.messages,
        }
        if p.user != RULES:
            if users:
                raise InvalidParameters(
                    f"In {p.domain} the customer has tools, which a model cannot call here. Leave out `user`."
                )
            problem["user"] = p.user
        key = {"actions": task.actions, "assertions": task.assertions, "told": task.told, "basis": task.basis}
        return Instance(problem, {name: list(value) for name, value in key.items()})

    def canonical(self, content: JSON) -> JSON:
        """The domain and the description, and the id where descriptions are equal."""
        parts = content
        if not isinstance(content, list):
            parts = [content["domain"], _task_of(content).description, content["id"]]
        return [" ".join(str(part).split()).casefold() for part in parts]

    def prompt(self, problem: JSON) -> Statement:
        """The policy, the customer, the tools and the rules."""
        by_rules = wording.RULES_WITH_DEVICE if problem["user_tools"] else wording.RULES
        rules = wording.RULES_WITH_CUSTOMER if "user" in problem else by_rules
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=rules)

    def messages(self, problem: JSON) -> int:
        """As the parameters say."""
        return int(problem["messages"])

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The tools of the domain and of the conversation."""
        listed = [{"type": "function", "function": each} for each in (*problem["tools"], *problem["user_tools"])]
        return (*self.tool_schemas, *listed)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """Nothing was done."""
        return State()

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """Carry out the calls of a message in order."""
        schemas = {each["name"]: each["parameters"] for each in _listed(inst.problem)}
        domain = {name: Tool(name, "", AnyArguments, schema) for name, schema in schemas.items()}
        return self._calls(inst, state, self.read(action, {**self.tools, **domain}))

    def _calls(self, inst: Instance, state: State, calls: list[Call | Malformed]) -> Effects:
        seen: list[str] = []
        for call in calls:
            if isinstance(call, Malformed):
                seen.append(call.feedback)
            elif call.name == "say":
                before = state
                state, shown = self.say(inst, state, **call.arguments)
                if "user" in inst.problem and state.talk != before.talk:
                    state, shown, verdict = yield from _answered(inst, before, state)
                    if verdict is not None:
                        return Turn.end(state, verdict, "\n\n".join([*seen, shown]))
                seen.append(shown)
            elif call.name == "end_conversation":
                return Turn.end(state, (yield from self.end_conversation(inst, state)))
            else:
                state, shown = yield from _carried_out(inst, state, call)
                seen.append(f"{call.name}: {shown}")
        turn = Turn(state, "\n\n".join(seen))
        return rejected(turn, "malformed") if any(isinstance(call, Malformed) for call in calls) else turn

    @tool
    def say(self, inst: Instance, state: State, text: str) -> tuple[State, str]:  # noqa: D417
        """Write to the customer. At most 2,000 characters.

        Args:
            text: the message
        """
        if len(text) > _MOST_SAID:
            return state, f"The message has {len(text)} characters, at most {_MOST_SAID} are allowed. It was not sent."
        now = {place for place, each in enumerate(inst.key["told"]) if is_told(each, text)}
        talk = (*state.talk, f"Agent: {text}") if "user" in inst.problem else ()
        return state._replace(told=state.told | now, talk=talk), wording.CONFIRMED

    @tool
    def end_conversation(self, inst: Instance, state: State) -> Effects:
        """End the conversation. The case is then graded."""
        return _judged(inst, state)

    def solve(self, inst: Instance, state: State) -> str:
        """The reference actions, then the information, then the end."""
        left = inst.key["actions"][state.calls :][:MAX_CALLS]
        if left:
            return "".join(write_call(each["name"], **each["arguments"]) for each in left)
        if len(state.told) < len(inst.key["told"]):
            return write_call("say", text="; ".join(inst.key["told"]))
        return write_call("end_conversation")

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random tool of the domain without arguments."""
        return write_call(rng.choice([each["name"] for each in _listed(inst.problem)]))

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Nothing done; only talk."""
        yield [write_call("end_conversation")]
        yield [write_call("say", text="I have done everything."), write_call("end_conversation")]

    def effort(self, inst: Instance) -> float:
        """Reference actions and criteria."""
        return float(len(inst.key["actions"]) + len(inst.key["assertions"]) + len(inst.key["told"]))


def _task_of(problem: JSON) -> Task:
    """The task of a problem, from the user's files."""
    found = tasks(problem["path"], problem["digest"], problem["domain"], problem["file"], "")
    return next(each for each in found if each.id == problem["id"])


def _answered(
    inst: Instance, before: State, state: State
) -> Generator[Effect, Outcome, tuple[State, str, Verdict | None]]:
    """The customer's reply: the next state, its text, and a verdict.

    None if the conversation goes on.
    """
    reply = yield from customer.reply(inst.problem["user"], _task_of(inst.problem), before.talk, state.talk)
    if not reply.text and not before.talk:
        return state, "", Verdict.failed("customer_silent", "The model of the customer said nothing.")
    # once the model has answered, its silence may be the agent's doing, which must not spare the agent a verdict
    shown = f"Customer: {reply.text}" if reply.text else wording.SILENT
    state = state._replace(talk=(*state.talk, shown))
    return state, shown, (yield from _judged(inst, state)) if reply.last else None


def _listed(problem: JSON) -> list[JSON]:
    return [*problem["tools"], *problem["user_tools"]]


def _carried_out(inst: Instance, state: State, call: Call) -> Effects:
    """A call of a tool of the domain."""
    arguments = call.arguments["given"]
    by = "user" if any(each["name"] == call.name for each in inst.problem["user_tools"]) else "assistant"
    outcome = yield Exec("desk", {"call": call.name, "by": by, "arguments": arguments})
    now = {place for place, each in enumerate(inst.key["actions"]) if is_made(each, call.name, arguments)}
    return state._replace(calls=state.calls + 1, made=state.made | now), outcome.text


def _judged(inst: Instance, state: State) -> Effects:
    """The verdict on the state of the records."""
    key = inst.key
    found = yield Query("desk", {"actions": key["actions"], "assertions": key["assertions"]})
    told = len(state.told) / len(key["told"]) if key["told"] else 1.0
    made = len(state.made) / len(key["actions"]) if key["actions"] else 1.0
    return verdict(key["basis"], found.data["db"], found.data["assertions"], told, made)


@lru_cache(maxsize=512)
def _checked(path: str, digest: str, domain: str, file: str, id: str) -> dict[str, Any] | None:
    """The policy and the tools of a task.

    Also whether idleness solves it. None if the reference actions do not.
    """
    task = next(each for each in tasks(path, digest, domain, file, "") if each.id == id)
    criteria = {"actions": list(task.actions), "assertions": list(task.assertions)}
    with lent(checkout_at(path, digest), digest) as process:
        opened: dict[str, Any] = process.ask({"open": domain, "start": task.start})
        idle = process.ask({"judge": criteria, "start": task.start})
        for action in task.actions:
            by = action.get("requestor") or "assistant"
            process.ask({"call": action["name"], "by": by, "arguments": action["arguments"]})
        right = process.ask({"judge": criteria, "start": task.start})
    told = all(is_told(each, "; ".join(task.told)) for each in task.told)
    if not verdict(task.basis, right["db"], right["assertions"], float(told), 1.0).solved:
        return None
    nothing = verdict(task.basis, idle["db"], idle["assertions"], float(not task.told), float(not task.actions))
    return {**opened, "idle": nothing.solved}


def register() -> EnvSpec:
    """Register ``tau2/service-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{Service.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=_CATEGORY, source=_CATEGORY)
