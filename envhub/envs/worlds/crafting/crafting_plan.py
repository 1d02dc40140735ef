"""crafting-plan-v0: plan what to gather, make and place, in the fewest actions.

A technology is stated: what can be gathered with which tool, and recipes with their stations. There is no map. Action: a
plan, such as ``gather wood 3, make table, place table``. It is carried out; a plan that ends with the goals held, in at most
the least number of actions, scores 1, everything else 0. This number is proved. A recipe may have an alternative, and a
tool may be worth its detour. Difficulty: deeper technologies; effort is the least number of actions.

Technologies that differ in names alone are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, and_list, counted
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.worlds.crafting import trees
from envhub.envs.worlds.crafting.plans import Step, Steps, fault, shortest, written
from envhub.envs.worlds.crafting.technology import Recipe, Technology
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # tools, stations, parts, alternatives, goals, amount, invented
    (1, 1, 0, 0, 1, 2, False),
    (1, 1, 1, 0, 2, 2, False),
    (2, 1, 1, 1, 2, 2, False),
    (2, 2, 1, 1, 2, 2, False),
    (2, 2, 2, 1, 3, 2, False),
    (3, 2, 2, 2, 3, 2, True),
    (3, 2, 3, 2, 3, 3, True),
    (3, 3, 3, 3, 4, 3, True),
    (4, 3, 3, 3, 4, 3, True),
    (4, 3, 3, 3, 5, 4, True),
)


class Params(BaseParams):
    """The technology, and the number of actions."""

    tools: int = Field(2, ge=1, le=4, description="tools")
    stations: int = Field(2, ge=1, le=3, description="stations")
    parts: int = Field(1, ge=0, le=3, description="items that are made to be used up")
    alternatives: int = Field(1, ge=0, le=3, description="items with a second recipe, at most")
    goals: int = Field(2, ge=1, le=6, description="items to hold in the end, at most")
    amount: int = Field(2, ge=1, le=6, description="number of each, at most")
    slack: int = Field(0, ge=0, le=20, description="actions beyond the least number")
    invented: bool = Field(False, description="whether names are drawn as well")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        names = ("tools", "stations", "parts", "alternatives", "goals", "amount", "invented")
        values: dict[str, Any] = dict(zip(names, _LEVELS[difficulty - 1], strict=True))
        return cls(**values)


class CraftingPlan(SingleTurn):
    """Plan what to gather, make and place, in the fewest actions."""

    Params = Params
    answer: AnswerType = Steps()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A technology and goals that take some of its depth."""
        drawn = trees.rewired(rng, p.tools, p.stations, p.parts, p.alternatives, p.invented)
        technology = Technology(drawn)
        items = [name for name in technology.items if name not in technology.stations]
        deep = [source.item for source in technology.sources[-1:]] + list(technology.weapons) + [technology.tools[-1]]
        first = rng.choice(deep)
        others = rng.sample([name for name in items if name != first], p.goals - 1)
        goals = [[name, 1 if name in technology.durables else rng.between(1, p.amount)] for name in (first, *others)]
        content = {"technology": drawn, "goals": goals}
        yield content
        plan = shortest(technology, _goals(content))
        if plan is None or fault(technology, _goals(content), plan):  # held goals may be taken for another recipe
            return None
        return Instance({**content, "limit": len(plan) + p.slack}, key={"plan": written(plan), "least": len(plan)})

    def canonical(self, content: JSON) -> JSON:
        """The technology and the goals, with numbers for names."""
        technology = Technology(content["technology"])
        number = {item: n for n, item in enumerate(technology.items)}
        sources = [[number[each.item], number[each.tool] if each.tool else -1] for each in technology.sources]
        recipes = list[Any]()  # in their order, because the first possible one is used
        for each in technology.recipes:
            inputs = sorted([number[name], count] for name, count in each.inputs)
            recipes.append([number[each.item], inputs, sorted(number[name] for name in each.stations)])
        return [sources, recipes, sorted([number[name], count] for name, count in content["goals"])]

    def prompt(self, problem: JSON) -> Statement:
        """The goals, the rules, and the technology."""
        technology = Technology(problem["technology"])
        return Statement(
            task=_TASK,
            data=_DATA,
            problem=problem,
            rules=(_GATHER, _MAKE, _PLACE, _LASTING),
            note=_JUDGED,
            values={
                "goals": and_list([f"{count} {name}" for name, count in problem["goals"]]),
                "at_once": " at the same time" if len(problem["goals"]) > 1 else "",
                "limit": counted(problem["limit"], "action"),
                "stations": and_list(technology.stations),
            },
        )

    def grade(self, inst: Instance, value: tuple[Step, ...]) -> Verdict:
        """Carry out the plan."""
        limit = inst.problem["limit"]
        if len(value) > limit:
            return Verdict.exact(False, f"The plan has {len(value)} actions; at most {limit} are allowed.")
        why = fault(Technology(inst.problem["technology"]), _goals(inst.problem), value)
        return Verdict.exact(not why, why or "The plan reaches the goals.")

    def solve(self, inst: Instance) -> str:
        """A plan of the least work."""
        return str(inst.key["plan"])

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The plan line by line, and with everything gathered one by one."""
        yield inst.key["plan"].replace(", ", "\n")
        steps = self.answer.parse(inst.key["plan"])
        yield ", ".join(f"{verb} {item}" for verb, item in steps)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The plan without one of its needed actions, or far too long."""
        steps = self.answer.parse(inst.key["plan"])
        for at in range(min(len(steps), 12)):
            yield written([*steps[:at], *steps[at + 1 :]])
        padding = [Step("gather", inst.problem["technology"]["sources"][0][1])] * (
            inst.problem["limit"] - len(steps) + 1
        )
        yield written([*padding, *steps])

    def effort(self, inst: Instance) -> float:
        """The least number of actions."""
        return float(inst.key["least"])


def _goals(content: JSON) -> list[tuple[str, int]]:
    return [(name, count) for name, count in content["goals"]]


_TASK: Final = Phrase(
    "You are planning for a craftsman who starts with nothing. Write a plan after which the craftsman holds "
    "{goals}{at_once}. At most {limit} are allowed.",
    "Plan how to start with nothing and hold {goals}{at_once} in the end, with at most {limit}.",
    "Starting with nothing, which actions lead to holding {goals}{at_once}? Use no more than {limit}.",
    held_out="The stock is empty. In the end it must contain {goals}{at_once}. Give a plan of not more than {limit}.",
)
_GATHER: Final = Phrase(
    '"gather ITEM" adds one item from nature to what is held. The tool that it takes, if any, must be held.',
    'Use "gather ITEM" to get one item from nature; if a tool is named for it, that tool must be held.',
    'With "gather ITEM" one item of nature is taken, provided that its tool, if it has one, is held.',
    held_out='One natural item is obtained by "gather ITEM"; where a tool is stated, it has to be held.',
)
_MAKE: Final = Phrase(
    '"make ITEM" uses up the inputs of a recipe and adds one item. The stations of the recipe must have been placed. '
    "If two recipes can be followed, the first one is used.",
    'Use "make ITEM" to turn the held inputs of a recipe into one item; all its stations must have been placed before. '
    "The first of two possible recipes is used.",
    'With "make ITEM" the inputs are consumed and one item is made, if the stations of the recipe have been placed. '
    "Where two recipes are possible, the one that is stated first counts.",
    held_out='One item is produced by "make ITEM": inputs vanish, and each station of the recipe must already be '
    "placed. Among possible recipes the first one applies.",
)
_PLACE: Final = Phrase(
    '"place ITEM" sets up a held station ({stations}). It then stays placed and is no longer held.',
    'Stations ({stations}) are set up by "place ITEM"; from then on they are placed, and not held.',
    'A station ({stations}) that is held becomes placed, for good, by "place ITEM", and is not held any more.',
    held_out='"place ITEM" moves a held station ({stations}) permanently to the placed ones.',
)
_LASTING: Final = Phrase(
    "Tools and placed stations are never used up. Each single action counts; a number after an action repeats it "
    "and counts as often.",
    "Neither tools nor placed stations wear out. A number after an action means repetition, and each repetition is "
    "an action.",
    "Using a tool or a station does not consume it. Actions may be followed by a number of times, and count that "
    "many times.",
    held_out="Tools and placed stations persist. Repetition by a number is possible; every repetition is counted as "
    "an action.",
)
_JUDGED: Final = Phrase(
    "The plan is carried out action by action. If one is impossible, the plan fails.",
    "The plan fails if any of its actions cannot be carried out.",
    "A single impossible action makes the whole plan fail.",
    held_out="The plan is executed in order and is wrong as soon as an action is impossible.",
)


def _ways(technology: Technology, item: str) -> str:
    source = technology.source_of.get(item)
    if source is not None:
        return f"gather with {source.tool}" if source.tool else "gather"
    return " or ".join(_way(way) for way in technology.ways[item])


def _way(way: Recipe) -> str:
    near = f" at {' and '.join(way.stations)}" if way.stations else ""
    return f"make from {' + '.join(f'{count} {name}' for name, count in way.inputs)}{near}"


def _as_lines(problem: JSON) -> str:
    technology = Technology(problem["technology"])
    return "\n".join(f"- {item}: {_ways(technology, item)}" for item in technology.items)


def _as_arrows(problem: JSON) -> str:
    technology = Technology(problem["technology"])
    natural = [f"nature{' [' + each.tool + ']' if each.tool else ''} -> {each.item}" for each in technology.sources]
    made = list[str]()
    for way in technology.recipes:
        near = f" [{', '.join(way.stations)}]" if way.stations else ""
        made.append(f"{' + '.join(f'{count} {name}' for name, count in way.inputs)}{near} -> {way.item}")
    return "\n".join(["What is needed, but not used up, is in brackets.", *natural, *made])


def _as_text(problem: JSON) -> str:
    technology = Technology(problem["technology"])
    return "; ".join(f"{item}: {_ways(technology, item)}" for item in technology.items) + "."


def _as_table(problem: JSON) -> str:
    technology = Technology(problem["technology"])
    rows = [f"{each.item} | nature | {each.tool or 'none'}" for each in technology.sources]
    for way in technology.recipes:
        inputs = ", ".join(f"{count} {name}" for name, count in way.inputs)
        rows.append(f"{way.item} | {inputs} | {', '.join(way.stations) or 'none'}")
    return "\n".join(["item | used up | needed (tool or stations)", *rows])


_DATA: Final[Variants[Rendering]] = Variants(_as_lines, _as_arrows, _as_text, held_out=_as_table, name="data")
