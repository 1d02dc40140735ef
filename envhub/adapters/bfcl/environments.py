"""BFCL's single-turn questions as an environment, from the user's copy of them.

::

    from envhub.adapters.bfcl.environments import register
    register()
    env = envhub.make("bfcl/calls-v0", path="bfcl_eval-2026.3.23-py3-none-any.whl", difficulty=3)     # or category="parallel"

``pip download --no-deps bfcl-eval==2026.3.23`` (Apache-2.0) brings the wheel. Nothing of it is installed or executed, and
envhub contains none of its questions. Differences from using the package directly:

* **Verdicts** follow its rules for calls (:mod:`envhub.adapters.bfcl.checking`), in code of ours.
* **Calls** are read in every format that envhub reads. Dots in the names of functions are written as underscores, as the
  package does for most models; both are accepted.
* **No call** is right where no function fits, if the message says something and nothing in it resembles a call. A policy that
  never makes a call solves all of these questions, so their share of a level bounds what it gains: a quarter of level 6, a
  sixth of level 7.
* **Java and JavaScript**: literals are parsed (:mod:`envhub.adapters.bfcl.literals`). The package uses patterns that reject
  arrays of quoted texts and that find literals inside other text.
* **Difficulty** chooses the categories; one is drawn before the question. **Splits** are envhub's, by messages and functions.
* **Left out**: ``live_relevance`` (any call at all is right there), several turns, memory and web search; and the questions
  whose possible answers the rules themselves reject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from pydantic import Field, field_validator

from envhub.adapters.bfcl import wording
from envhub.adapters.bfcl.checking import Made, wrong
from envhub.adapters.bfcl.questions import (
    CATEGORIES,
    IRRELEVANT,
    LEVELS,
    Question,
    call_name,
    chosen,
    language,
    questions,
)
from envhub.adapters.bfcl.schemas import schema
from envhub.adapters.shared.user_tasks import AnyArguments
from envhub.authoring import Staged, ToolEnv, write_call
from envhub.authoring.user_file import UserFiles
from envhub.authoring.wording import Statement
from envhub.core.errors import nearest
from envhub.core.seeding import Stream
from envhub.core.tools import Malformed, Tool
from envhub.core.types import JSON, EnvSpec, Instance, Turn, Verdict
from envhub.generators.user_files.bundles import bundle_at, bundle_digest
from envhub.registry import registry
from envhub.verifiers.answers.extraction import drop_end_tokens, drop_thinking

__all__ = ["Calls", "register"]

ID: Final = "bfcl/calls-v0"
_CATEGORY: Final = "bfcl"
_NO_CALL: Final = "None of the functions can do this."


class Params(UserFiles):
    """The copy of the questions, and the categories."""

    digests: ClassVar[Mapping[str, str]] = {"path": "digest"}

    path: str = Field("", description="the wheel of bfcl-eval, or a folder that contains its data")
    digest: str = Field("", description="SHA-256 of its questions; what it is now, if not given")
    category: str = Field("", max_length=60, description="name of one category; empty: drawn from `categories`")
    categories: list[str] = Field(list(CATEGORIES), description="names of the categories to draw from")

    @field_validator("category")
    @classmethod
    def _exists(cls, category: str) -> str:
        if category and category not in CATEGORIES:
            raise ValueError(f"This adapter has no category {category!r}.{nearest(category, CATEGORIES)}")
        return category

    @field_validator("categories")
    @classmethod
    def _exist(cls, categories: list[str]) -> list[str]:
        if not categories:
            raise ValueError("`categories` must name at least one category.")
        return [name for name in map(cls._exists, categories) if name]

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The categories of a level."""
        return cls(categories=list(LEVELS[difficulty - 1]))

    @classmethod
    def identify(cls, path: str) -> str:
        """The SHA-256 of the questions."""
        return bundle_digest(path, chosen)

    def look(self) -> None:
        """Find the data."""
        bundle_at(self.path, self.digest, chosen, again=True)

    def of(self, category: str) -> Sequence[Question]:
        """The questions of a category."""
        return questions(bundle_at(self.path, self.digest, chosen), self.digest, category)


class Calls(ToolEnv):
    """Answer a message of a user with calls of functions."""

    Params = Params
    files: ClassVar[tuple[str, ...]] = ("path",)
    components: ClassVar[frozenset[str]] = frozenset({"calls"})
    max_turns: ClassVar[int] = 1
    counted: ClassVar[bool] = False
    guessable: ClassVar[Mapping[int, tuple[float, str]]] = {
        6: (0.25, "1 of 4 categories has questions where no call is right."),
        7: (0.17, "2 of 12 categories have questions where no call is right."),
    }

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A question of a category.

        The split is decided on its messages and functions.
        """
        category = p.category or rng.choice(p.categories)
        drawn = rng.choice(p.of(category))
        conversation, functions = [list(each) for each in drawn.conversation], list(drawn.functions)
        yield [conversation, functions]
        written = language(category)
        shown = [schema(each, written) for each in functions]
        key = {
            "id": drawn.id,
            "category": category,
            "functions": functions,
            "answers": list(drawn.answers),
            "right": [[name, dict(arguments)] for name, arguments in drawn.right],
        }
        return Instance({"conversation": conversation, "functions": shown, "language": written}, key)

    def canonical(self, content: JSON) -> JSON:
        """The messages, ignoring case and spacing, and the names of the functions."""
        conversation, functions = content if isinstance(content, list) else _parts(content)
        names = sorted(call_name(each["name"]) for each in functions)
        return [[[role, " ".join(text.split()).casefold()] for role, text in conversation], names]

    def prompt(self, problem: JSON) -> Statement:
        """The conversation, the functions and the rules."""
        return Statement(task=wording.TASK, data=wording.DATA, problem=problem, rules=wording.RULES)

    def instruction(self) -> str:
        """How to write a call; the functions are listed with the question."""
        return self.how_to_call()

    def tools_for(self, problem: JSON) -> tuple[JSON, ...]:
        """The functions, formatted for chat templates and clients."""
        return tuple({"type": "function", "function": each} for each in problem["functions"])

    def advance(self, inst: Instance, state: Any, action: str, rng: Stream) -> Turn:
        """Judge the calls of the only message."""
        readers: dict[str, Tool] = {}
        for described, original in zip(inst.problem["functions"], inst.key["functions"], strict=True):
            for name in (described["name"], original["name"]):
                readers[name] = Tool(name, "", AnyArguments, described["parameters"])
        read = self.read(action, readers)
        said = drop_thinking(drop_end_tokens(action))
        return Turn.end(state, _verdict(inst, read, said, readers))

    def solve(self, inst: Instance, state: Any) -> str:
        """Right calls, or a sentence without one."""
        written = (write_call(call_name(name), **arguments) for name, arguments in inst.key["right"])
        return "".join(written) or _NO_CALL

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """A random function without arguments."""
        return write_call(rng.choice([each["name"] for each in inst.problem["functions"]]))

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """Nothing said, no call, a call too many, a call left out."""
        first = inst.problem["functions"][0]["name"]
        calls = [write_call(call_name(name), **arguments) for name, arguments in inst.key["right"]]
        yield [" "]
        yield [write_call(first, no_such_parameter=1)]
        if calls:
            yield [_NO_CALL]
            yield ["".join([*calls, calls[0]])]
            yield ["".join(calls[1:]) or _NO_CALL]

    def effort(self, inst: Instance) -> float:
        """Calls and functions to choose from."""
        return float(4 * len(inst.key["answers"]) + len(inst.problem["functions"]))


def _parts(problem: JSON) -> tuple[JSON, JSON]:
    return problem["conversation"], problem["functions"]


def _verdict(inst: Instance, read: Sequence[Any], said: str, readers: Mapping[str, Tool]) -> Verdict:
    """All calls right, or none where none is."""
    unread = next((each for each in read if isinstance(each, Malformed)), None)
    nothing = unread is not None and unread.absent and bool(said.strip()) and not _mentions_call(said, readers)
    if inst.key["category"] in IRRELEVANT:
        if nothing:
            return Verdict.exact(True, "No function fits, and none was called.").noting(None, calls=0.0)
        if unread is not None:
            return Verdict.no_answer("unreadable", unread.feedback)
        return Verdict.exact(False, "No function may be called here.").noting(None, calls=float(len(read)))
    if unread is not None:
        return Verdict.no_answer("unreadable", unread.feedback)
    names = {call_name(each["name"]): each["name"] for each in inst.key["functions"]}
    calls: list[Made] = [(names[call_name(each.name)], each.arguments["given"]) for each in read]
    problem = wrong(inst.key["functions"], inst.key["answers"], calls, inst.problem["language"])
    return Verdict.exact(problem is None, problem or "The calls are right.").noting(None, calls=float(len(calls)))


def _mentions_call(said: str, readers: Mapping[str, Tool]) -> bool:
    """Whether something resembles a call in a form that is not read.

    A sentence may name functions: ``search, sort and `find`: none of them fits``.
    """
    names = "|".join(re.escape(name) for name in readers)
    called = rf"(?<![\w.])(?:{names})(?:[\"'`]?(?:\(|\s*[{{\[]|\s+\(\s*\w+\s*=)|[\"']\s*:|[\"'],\s*[\"'{{])"
    return re.search(called, said) is not None


def register() -> EnvSpec:
    """Register ``bfcl/calls-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{Calls.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=_CATEGORY, source=_CATEGORY)
