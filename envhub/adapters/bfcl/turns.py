"""BFCL's questions with several turns as an environment.

::

    from envhub.adapters.bfcl.turns import register
    register()
    env = envhub.make("bfcl/turns-v0", path="bfcl_eval-2026.3.23-py3-none-any.whl")     # or category="multi_turn_miss_func"

The package's own classes carry out the calls, in a process of the interpreter ``ENVHUB_BFCL_PYTHON`` (this one if it is not
set), imported from the wheel; the functions of ``MathAPI`` need mpmath there. A message without a call ends the turn. Then,
as in the package, the state must equal the state after the right calls, and the results of the turn's right calls must have
occurred; otherwise the episode ends. Functions that a later turn adds are in its observation alone: the prompt and the tools
for chat templates have those of the first turn, as in the package.

Difficulty: tenths of the questions, in the order of the number of right calls.

Left out: ``multi_turn_long_context``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field, field_validator

from envhub.adapters.bfcl import wording
from envhub.adapters.bfcl.conversations import CATEGORIES, Conversation, chosen, conversations, named
from envhub.adapters.bfcl.interfaces import Interfaces
from envhub.adapters.bfcl.schemas import schema
from envhub.adapters.shared.user_tasks import AnyArguments, tenth
from envhub.authoring import Acting, Staged, ToolEnv, rejected, write_call
from envhub.authoring.user_file import UserFiles
from envhub.authoring.wording import Statement
from envhub.core.effects import Exec, Query, Resource
from envhub.core.errors import nearest
from envhub.core.seeding import Stream
from envhub.core.tools import Call, Malformed, Tool
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.generators.user_files.bundles import bundle_at, bundle_digest
from envhub.registry import registry
from envhub.sandbox.resource import Effects
from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking

__all__ = ["Turns", "register"]

ID: Final = "bfcl/turns-v0"
_CATEGORY: Final = "bfcl"
_MOST_MESSAGES: Final = 100


class Params(UserFiles):
    """The copy of the package, and the categories."""

    digests: ClassVar[Mapping[str, str]] = {"path": "digest"}

    path: str = Field("", description="the wheel of bfcl-eval, or a folder that contains bfcl_eval")
    digest: str = Field("", description="SHA-256 of its questions and functions; what it is now, if not given")
    category: str = Field("", max_length=60, description="name of one category; empty: drawn from all")
    level: int | None = Field(None, ge=1, le=10, description="which tenth of the questions, by number of right calls")
    messages: int = Field(60, ge=8, le=_MOST_MESSAGES, description="messages allowed")

    @field_validator("category")
    @classmethod
    def _exists(cls, category: str) -> str:
        if category and category not in CATEGORIES:
            raise ValueError(f"This adapter has no category {category!r}.{nearest(category, CATEGORIES)}")
        return category

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """A tenth of the questions."""
        return cls(level=difficulty)

    @classmethod
    def identify(cls, path: str) -> str:
        """The SHA-256 of questions and functions."""
        return bundle_digest(path, chosen)

    def look(self) -> None:
        """Find the data."""
        bundle_at(self.path, self.digest, chosen, again=True)

    def rows(self, category: str) -> Sequence[Conversation]:
        """The questions of a category and the level."""
        found = conversations(bundle_at(self.path, self.digest, chosen), self.digest, category)
        if self.level is None:
            return found
        ordered = sorted(found, key=lambda each: (sum(map(len, each.turns)), each.id))
        return tenth(ordered, self.level)


class State(NamedTuple):
    """The turn, and the calls that were carried out in it."""

    turn: int = 0
    calls: int = 0


class Turns(ToolEnv):
    """Serve a user over several turns with stateful functions."""

    Params = Params
    slow = True  # the right calls are carried out in a process
    files: ClassVar[tuple[str, ...]] = ("path",)
    components: ClassVar[frozenset[str]] = frozenset({"turns"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    unfinished: ClassVar[str] = " If the user has more messages when these are used up, the score is 0."
    resources: ClassVar[Mapping[str, Resource]] = {"api": Interfaces()}

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A question; the split is decided on its messages."""
        category = p.category or rng.choice(CATEGORIES)
        drawn = rng.choice(p.rows(category))
        yield [category, list(drawn.said)]
        if not _solvable(p.path, p.digest, category, drawn.id):
            return None
        later = {name for names in drawn.added.values() for name in names}
        problem = {
            "path": p.path,
            "digest": p.digest,
            "category": category,
            "id": drawn.id,
            "conversation": [["user", drawn.said[0]]],
            "functions": [schema(each, "Python") for each in drawn.functions if each["name"] not in later],
            "messages": p.messages,
        }
        turns = [[[name, dict(arguments)] for name, arguments in turn] for turn in drawn.turns]
        added = {
            turn: [schema(each, "Python") for each in drawn.functions if each["name"] in names]
            for turn, names in drawn.added.items()
        }
        return Instance(problem, {"said": list(drawn.said), "turns": turns, "added": added})

    def canonical(self, content: JSON) -> JSON:
        """The category and the messages."""
        if isinstance(content, list):
            return [content[0], " ".join(" ".join(content[1]).split()).casefold()]
        found = named(bundle_at(content["path"], content["digest"], chosen), content)
        return [content["category"], " ".join(" ".join(found.said).split()).casefold()]

    def prompt(self, problem: JSON) -> Statement:
        """The first message, the functions and the rules."""
        return Statement(task=wording.TURNS_TASK, data=wording.DATA, problem=problem, rules=wording.TURNS_RULES)

    def instruction(self) -> str:
        """How to write a call; the functions are listed with the message."""
        return self.how_to_call()

    def messages(self, problem: JSON) -> int:
        """As the parameters say."""
        return int(problem["messages"])

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The functions of the first turn, formatted for chat templates and clients.

        The observation of a later turn lists the functions that it adds: which ones are missing must not be known before.
        """
        return tuple({"type": "function", "function": each} for each in problem["functions"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """In the first turn."""
        return State()

    def advance(self, inst: Instance, state: State, action: str, rng: Stream) -> Acting:
        """Carry out the calls of a message; without one, end the turn."""
        readers = {
            each["name"]: Tool(each["name"], "", AnyArguments, each["parameters"]) for each in _known(inst, state)
        }
        read = self.read(action, readers)
        said = drop_thinking(drop_end_tokens(action)).strip()
        if len(read) == 1 and isinstance(read[0], Malformed) and read[0].absent and said:
            return self._ended(inst, state)
        return self._calls(inst, state, read)

    def _calls(self, inst: Instance, state: State, calls: list[Call | Malformed]) -> Effects:
        seen: list[str] = []
        for call in calls:
            if isinstance(call, Malformed):
                seen.append(call.feedback)
                continue
            outcome = yield Exec("api", {"call": call.name, "arguments": call.arguments["given"]})
            state = state._replace(calls=state.calls + 1)
            seen.append(f"{call.name}: {outcome.text}")
        turn = Turn(state, "\n\n".join(seen))
        return rejected(turn, "malformed") if any(isinstance(call, Malformed) for call in calls) else turn

    def _ended(self, inst: Instance, state: State) -> Effects:
        """The verdict on a turn, or the next message."""
        turns, right = inst.key["turns"], True
        if turns[state.turn]:
            found = yield Query("api", {"judge": turns[: state.turn + 1]})
            right = state.calls > 0 and found.data["state"] and found.data["seen"]
        after = State(state.turn + 1)
        share = (after.turn if right else state.turn) / len(turns)
        if not right:
            return Turn.end(
                state, Verdict.exact(False, "This turn was not served as required.").noting(None, turns=share)
            )
        if after.turn == len(turns):
            return Turn.end(after, Verdict.exact(True, "Every turn was served as required.").noting(None, turns=1.0))
        return Turn(after, wording.next_turn(inst.key["said"][after.turn], inst.key["added"].get(str(after.turn), [])))

    def solve(self, inst: Instance, state: State) -> str:
        """The right calls of the turn, then its end."""
        calls = inst.key["turns"][state.turn]
        if calls and not state.calls:
            return "".join(write_call(name, **arguments) for name, arguments in calls)
        return "This is all that I can do."

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random function without arguments."""
        return write_call(rng.choice([each["name"] for each in _known(inst, state)]))

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Only words."""
        yield ["It is done."] * len(inst.key["turns"])

    def effort(self, inst: Instance) -> float:
        """Right calls and turns."""
        return float(sum(map(len, inst.key["turns"])) + len(inst.key["turns"]))


def _known(inst: Instance, state: State) -> list[JSON]:
    """The functions up to a turn."""
    added = [each for turn, some in inst.key["added"].items() if int(turn) <= state.turn for each in some]
    return [*inst.problem["functions"], *added]


@lru_cache(maxsize=1024)
def _solvable(path: str, digest: str, category: str, id: str) -> bool:
    """Whether the right calls use functions that exist in their turn."""
    bundle = bundle_at(path, digest, chosen)
    found = named(bundle, {"digest": digest, "category": category, "id": id})
    later = {name: int(turn) for turn, names in found.added.items() for name in names}
    there = {each["name"] for each in found.functions}
    for number, turn in enumerate(found.turns):
        if len(turn) > 8 or any(name not in there or later.get(name, 0) > number for name, _ in turn):
            return False
    return any(found.turns)


def register() -> EnvSpec:
    """Register ``bfcl/turns-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{Turns.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=_CATEGORY, source=_CATEGORY)
