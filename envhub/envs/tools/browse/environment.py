"""browse-v0: find information in a small site's directory and submit a form.

Action: tool calls. ``follow`` opens a numbered link of the page, ``back`` goes to the page above it, ``submit`` sends
the form of the page and ends the task: score 1 if it is the right form with the right values, else 0. A form with a
missing or unknown field is not sent. The people in the question are deputies or mentors of others, so several pages
must be found; eight kinds of question combine their entries (:mod:`envhub.envs.tools.browse.directory`). Difficulty:
more people on a deeper site, and longer chains; effort is the links and steps back of a shortest path. Two tasks with
the same people, entries and question are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.tools.browse import wording
from envhub.envs.tools.browse.directory import Person, draw_directory, draw_question

_FORMS: Final = ("Keys", "Parking", "Travel", "Lockers", "Badges")
_BRANCHING, _DEPTH, _STEPS = (
    (3, 3, 4, 3, 3, 4, 4, 4, 5, 5),
    (1, 2, 2, 3, 3, 3, 3, 3, 3, 3),
    (0, 0, 1, 1, 2, 3, 4, 6, 7, 9),
)
Path = tuple[int, ...]


class Params(BaseParams):
    """The site, and the length of the chain from the named people."""

    branching: int = Field(4, ge=2, le=5, description="links of every page of the directory")
    depth: int = Field(2, ge=1, le=3, description="pages from the directory to a person")
    steps: int = Field(1, ge=0, le=9, description="deputies or mentors from those named to those asked about")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        at = difficulty - 1
        return cls(branching=_BRANCHING[at], depth=_DEPTH[at], steps=_STEPS[at])


class Browse(ToolEnv):
    """Find something out on a small site, and fill in a form.

    The state is the page, as the links that lead there.
    """

    Params = Params
    max_turns: ClassVar[int] = 96

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A directory and a question about it.

        The people and the right values are the key.
        """
        people = draw_directory(rng, p.branching**p.depth)
        question, form = draw_question(rng, people, p.steps), rng.choice(_FORMS)
        yield [[list(person) for person in people], form, question.fields]
        problem = {"form": form, "kind": question.kind, "fields": question.fields}
        key = {"people": [list(person) for person in people], "stops": question.stops, "values": question.values}
        return Instance(problem, {**key, "branching": p.branching, "depth": p.depth})

    def form(self, problem: JSON) -> str:
        """How the values are found, and the kind of chain."""
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> Statement:
        """The form to send, and the first page of the site."""
        shown = {**problem, "home": _home()}
        return Statement(wording.TASK, wording.DATA, shown, rules=wording.RULES, values={"form": problem["form"]})

    def begin(self, inst: Instance, rng: Stream) -> tuple[Path, int]:
        """On the first page, with no relevant person seen."""
        return (), 0

    @tool
    def follow(self, inst: Instance, state: tuple[Path, int], link: Annotated[int, Field(ge=1)]) -> tuple[Any, str]:  # noqa: D417
        """Open a link on the current page.

        Args:
            link: the number of the link
        """
        path, seen = state
        inner = inst.key["branching"] if path[:1] == (0,) and len(path) <= inst.key["depth"] else 0
        links = inner if path else len(_FORMS) + 1
        if link > links:
            return state, f"This page has no link {str(link)[:20]}; it has {links} link{'s' * (links != 1)}."
        path, stops = (*path, link - 1), inst.key["stops"]
        seen += seen < len(stops) and path == _path(inst, stops[seen])
        return (path, seen), _page(inst, path)

    @tool
    def back(self, inst: Instance, state: tuple[Path, int]) -> tuple[Any, str]:
        """Go back to the page that led to the current one."""
        return (state[0][:-1], state[1]), _page(inst, state[0][:-1])

    @tool
    def submit(  # noqa: D417
        self, inst: Instance, state: tuple[Path, int], values: dict[str, str | int]
    ) -> tuple[Any, str | Verdict]:
        """Send the form on the current page. This ends the task.

        Args:
            values: the value of each field, such as {"field": "value"}
        """
        path, wanted = state[0], inst.key["values"]
        if not path or path[0] == 0:
            return state, "There is no form on this page."
        if values.keys() != wanted.keys():
            return state, f"Not sent: the form has {_fields(inst)}, got {', '.join(values)[:200] or 'no field'}."
        right = _FORMS[path[0] - 1] == inst.problem["form"]
        right = right and all(_text(value) == wanted[field] for field, value in values.items())
        return state, Verdict.exact(right, "Correct." if right else "That is not what was asked for.")

    def solve(self, inst: Instance, state: tuple[Path, int]) -> str:
        """The next step to a relevant page, then to the form."""
        path, seen = state
        stops = inst.key["stops"]
        goal = _path(inst, stops[seen]) if seen < len(stops) else (_FORMS.index(inst.problem["form"]) + 1,)
        if path == goal:
            return write_call("submit", values=inst.key["values"])
        return write_call("follow", link=goal[len(path)] + 1) if goal[: len(path)] == path else write_call("back")

    def mistakes(self, inst: Instance) -> Iterator[Sequence[str]]:
        """The right values sent in wrong ways.

        From the first page, from the directory, from other forms and with a field missing.
        """
        right = inst.key["values"]
        own = _FORMS.index(inst.problem["form"])
        yield [write_call("submit", values=right)]
        for link in (n for n in range(1, len(_FORMS) + 2) if n != own + 2):
            yield [write_call("follow", link=link), write_call("submit", values=right)]
        for field in right:
            rest = {name: value for name, value in right.items() if name != field}
            yield [write_call("follow", link=own + 2), write_call("submit", values=rest)]

    def effort(self, inst: Instance) -> float:
        """Links and steps back of a shortest path."""
        stops = [(), *(_path(inst, at) for at in inst.key["stops"]), (1,)]
        ways = [{stop[:end] for end in range(1, len(stop) + 1)} for stop in stops]
        return float(sum(len(a ^ b) for a, b in pairwise(ways)))


def _path(inst: Instance, person: int) -> Path:
    width, depth = inst.key["branching"], inst.key["depth"]
    return (0, *(person // width**at % width for at in reversed(range(depth))))


def _text(value: str | int) -> str:
    """A value in the form's format."""
    return str(value).strip()


def _fields(inst: Instance) -> str:
    names = [field for field, _ in inst.problem["fields"]]
    return f"the field{'s' * (len(names) > 1)} {' and '.join(names)}"


def _home() -> str:
    return "\n".join(["Home", "1. Directory", *(f"{number}. Form: {form}" for number, form in enumerate(_FORMS, 2))])


def _page(inst: Instance, path: Path) -> str:
    people, width = inst.key["people"], inst.key["branching"]
    if not path:
        return _home()
    if path[0]:
        return f"Form: {_FORMS[path[0] - 1]}\nFields: {', '.join(field for field, _ in inst.problem['fields'])}"
    at = sum(step * width ** (inst.key["depth"] - n) for n, step in enumerate(path[1:], 1))
    span = width ** (inst.key["depth"] + 1 - len(path))
    if span == 1:
        here = Person(*people[at])
        links = [f"deputy: {people[here.deputy][0]}", f"mentor: {people[here.mentor][0]}"]
        return "\n".join([here.name, *links, *(f"{entry}: {value}" for entry, value in here.entries.items())])
    parts = [(at + n * span // width, at + (n + 1) * span // width - 1) for n in range(width)]
    told = [people[a][0] if a == b else f"{people[a][0]} to {people[b][0]}" for a, b in parts]
    return "\n".join(["Directory", *(f"{number}. {text}" for number, text in enumerate(told, 1))])
