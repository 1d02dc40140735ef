"""browse-v0: find something out on a small site, and fill in a form with it.

Action: tool calls. ``follow`` opens a numbered link of the page, ``back`` goes to the page it hangs from, ``submit`` sends the
form of the page and ends the task: score 1 if it is the right form with the right values in all of its fields and in no
others, else 0. Whoever is asked for is the deputy of the deputy of somebody, so several pages have to be found. Difficulty:
more people on a deeper site, and more deputies; its measure is the links and steps back of a shortest way. Two tasks are the
same when the people, their entries and what is asked are.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.author import BaseParams, Staged, ToolEnv, tool, write_call
from envhub.generators.tool_values import FIRST, LAST
from envhub.seeding import Stream
from envhub.types import JSON, Instance, Verdict

_FORMS: Final = ("Keys", "Parking", "Travel", "Lockers", "Badges")
_ENTRIES: Final = ("code", "room", "phone", "desk")
_BRANCHING, _DEPTH, _DEPUTIES = (
    (3, 3, 4, 3, 3, 4, 4, 4, 5, 5),
    (1, 2, 2, 3, 3, 3, 3, 3, 3, 3),
    (0, 0, 1, 1, 2, 3, 4, 6, 7, 9),
)
_NAMES: Final = [f"{last}, {first}" for first in FIRST for last in LAST]
Path = tuple[int, ...]


class Params(BaseParams):
    """The site, and how far what is asked for is from who is named."""

    branching: int = Field(4, ge=2, le=5, description="links of every page of the directory")
    depth: int = Field(2, ge=1, le=3, description="pages from the directory to a person")
    deputies: int = Field(1, ge=0, le=9, description="how many deputies on")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        at = difficulty - 1
        return cls(branching=_BRANCHING[at], depth=_DEPTH[at], deputies=_DEPUTIES[at])


class Browse(ToolEnv):
    """Find something out on a small site, and fill in a form; the state is the page, as the links that lead there."""

    Params = Params
    max_turns: ClassVar[int] = 96

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A directory in order of names, everybody's entries and deputy, and what is asked; the people are the key."""
        count = p.branching**p.depth
        names = sorted(rng.sample(_NAMES, count))
        ring = rng.sample(range(count), count)
        after = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
        entries = [{entry: str(rng.between(1000, 9999)) for entry in _ENTRIES} for _ in names]
        chain, form, fields = [rng.below(count)], rng.choice(_FORMS), sorted(rng.sample(_ENTRIES, 2))
        yield [names, [after[at] for at in range(count)], entries, chain[0], p.deputies, form, fields]
        for _ in range(p.deputies):
            chain.append(after[chain[-1]])
        people = [[name, names[after[at]], entries[at]] for at, name in enumerate(names)]
        problem = {"name": names[chain[0]], "deputies": p.deputies, "form": form, "fields": fields}
        return Instance(problem, {"people": people, "chain": chain, "branching": p.branching, "depth": p.depth})

    def prompt(self, problem: JSON) -> str:
        """What is to be sent, and where the site begins."""
        who = "the deputy of " * problem["deputies"] + problem["name"]
        return (
            f"You are on a site with a directory of people and several forms. Send the form {problem['form']} with the entries "
            f"{' and '.join(problem['fields'])} of {who}. Every form has these two fields and no others, by the same names. "
            f"Only one form can be sent, and once. You have {self.max_turns} messages. This is the first page:\n\n{_home()}"
        )

    def begin(self, inst: Instance, rng: Stream) -> tuple[Path, int]:
        """On the first page; nobody of those who matter was seen."""
        return (), 0

    @tool
    def follow(self, inst: Instance, state: tuple[Path, int], link: int) -> tuple[Any, str]:
        """Open the link of this page that has this number."""
        path, seen = state
        inner = inst.key["branching"] if path[:1] == (0,) and len(path) <= inst.key["depth"] else 0
        links = inner if path else len(_FORMS) + 1
        if not 1 <= link <= links:
            return state, f"This page has no link {str(link)[:20]}; it has {links}."
        path, chain = (*path, link - 1), inst.key["chain"]
        seen += seen < len(chain) and path == _path(inst, chain[seen])
        return (path, seen), _page(inst, path)

    @tool
    def back(self, inst: Instance, state: tuple[Path, int]) -> tuple[Any, str]:
        """Go back to the page that this one hangs from."""
        return (state[0][:-1], state[1]), _page(inst, state[0][:-1])

    @tool
    def submit(self, inst: Instance, state: tuple[Path, int], values: dict[str, str]) -> tuple[Any, str | Verdict]:
        """Send the form of this page, with a value for every field; this ends the task."""
        path = state[0]
        if not path or path[0] == 0:
            return state, "There is no form on this page."
        right = _FORMS[path[0] - 1] == inst.problem["form"] and values == _wanted(inst)
        return state, Verdict.exact(right, "Correct." if right else "That is not what was asked for.")

    def solve(self, inst: Instance, state: tuple[Path, int]) -> str:
        """The next step to whoever is next in the chain, and then to the form."""
        path, seen = state
        chain = inst.key["chain"]
        goal = _path(inst, chain[seen]) if seen < len(chain) else (_FORMS.index(inst.problem["form"]) + 1,)
        if path == goal:
            return write_call("submit", values=_wanted(inst))
        return write_call("follow", link=goal[len(path)] + 1) if goal[: len(path)] == path else write_call("back")

    def effort(self, inst: Instance) -> float:
        """Links and steps back of a shortest way."""
        stops = [(), *(_path(inst, at) for at in inst.key["chain"]), (1,)]
        ways = [{stop[:end] for end in range(1, len(stop) + 1)} for stop in stops]
        return float(sum(len(a ^ b) for a, b in pairwise(ways)))


def _path(inst: Instance, person: int) -> Path:
    width, depth = inst.key["branching"], inst.key["depth"]
    return (0, *(person // width**at % width for at in reversed(range(depth))))


def _wanted(inst: Instance) -> dict[str, str]:
    return {field: inst.key["people"][inst.key["chain"][-1]][2][field] for field in inst.problem["fields"]}


def _home() -> str:
    return "\n".join(["Home", "1. Directory", *(f"{number}. Form: {form}" for number, form in enumerate(_FORMS, 2))])


def _page(inst: Instance, path: Path) -> str:
    people, width = inst.key["people"], inst.key["branching"]
    if not path:
        return _home()
    if path[0]:
        return f"Form: {_FORMS[path[0] - 1]}\nFields: {', '.join(inst.problem['fields'])}"
    at = sum(step * width ** (inst.key["depth"] - n) for n, step in enumerate(path[1:], 1))
    span = width ** (inst.key["depth"] + 1 - len(path))
    if span == 1:
        name, deputy, entries = people[at]
        return "\n".join([name, f"deputy: {deputy}", *(f"{entry}: {value}" for entry, value in entries.items())])
    parts = [(at + n * span // width, at + (n + 1) * span // width - 1) for n in range(width)]
    told = [people[a][0] if a == b else f"{people[a][0]} to {people[b][0]}" for a, b in parts]
    return "\n".join(["Directory", *(f"{number}. {text}" for number, text in enumerate(told, 1))])
