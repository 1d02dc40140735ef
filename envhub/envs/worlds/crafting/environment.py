"""crafting-v0: gather, craft and survive on a partly seen map.

A map with meadows, woods, rock with ores and caves, and lakes. Tools open ores, stations allow recipes, and so on to the
goal: obtain an item, hold a whole kit at the same time, or reach a list of achievements. From level 5 on recipes are drawn,
from 7 on also the names, and from level 8 on recipes must be looked up. There are nights, creatures that bite, and needs.

Action: up to ten actions per message, such as ``north 3, use, make table``: directions, ``use``, ``make``, ``place``,
``recipe``, ``sleep``, ``wait``. Each costs a step; the rest of a message is skipped after one that cannot be carried out and
after a loss of health. An unreadable message costs a step. Score 1 as soon as all goals are met within the steps, else 0;
without health the episode ends. The component ``achieved`` is the share of goals that are met in the end. Difficulty:
larger maps, deeper technologies, more dangers.

The planner that sees everything plays each drawn task to its end, which proves that it can be solved and gives the steps. The
least number of gather, make and place actions is exact (``least`` in the key), the steps have a proved lower bound. Maps that
differ by a rotation or by names count as different.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, World, rejected
from envhub.authoring.wording import PLAIN, Statement, read_wording
from envhub.core.seeding import Stream, canonical_json
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.envs.worlds.crafting import wording
from envhub.envs.worlds.crafting.actions import Actions, joined, write
from envhub.envs.worlds.crafting.drawing import KINDS, bound, draw, plan
from envhub.envs.worlds.crafting.planner import CAREFUL, SIMPLE, Style, next_action, seen_part, whole
from envhub.envs.worlds.crafting.rules import (
    DIRECTIONS,
    Action,
    State as PlaceState,
    World as Place,
    described,
    world_of,
)
from envhub.envs.worlds.crafting.sight import legend, visible
from envhub.envs.worlds.crafting.text import VIEWS, picture, status, view
from envhub.scenes import Scene
from envhub.verifiers.answers.types import AnswerType

_MOST_STEPS: Final = 600
_MOST_PLAN: Final = 340
_REFERENCE: Final = Rates(
    "script that explores, plans with what it has seen, and cares for its needs",
    (1.0, 1.0, 0.95, 0.9, 0.95, 0.95, 0.75, 0.8, 0.7, 0.65),
    20,
)
_LEVELS: Final = (
    # theme, tools, stations, parts, alternatives, side, night, needs, prowlers, lurkers, goals, amount, slack, lookup
    ("familiar", 1, 2, 0, 0, 12, 0, 0, 0, 0, 1, 1, 120, False),
    ("familiar", 2, 2, 0, 0, 14, 0, 0, 0, 0, 2, 2, 120, False),
    ("familiar", 3, 2, 0, 0, 16, 20, 0, 1, 0, 2, 2, 110, False),
    ("familiar", 4, 2, 0, 0, 18, 20, 1, 2, 1, 3, 2, 100, False),
    ("rewired", 2, 2, 1, 0, 18, 25, 1, 2, 1, 3, 2, 90, False),
    ("rewired", 2, 2, 2, 1, 20, 25, 1, 3, 2, 3, 2, 80, False),
    ("invented", 3, 2, 1, 1, 20, 25, 2, 3, 2, 3, 2, 75, False),
    ("invented", 3, 2, 2, 1, 22, 25, 2, 4, 2, 3, 2, 70, True),
    ("invented", 3, 3, 2, 2, 22, 30, 3, 4, 3, 3, 2, 65, True),
    ("invented", 4, 3, 2, 2, 24, 30, 3, 5, 3, 3, 2, 65, True),
)


class Params(BaseParams):
    """The technology, the map, the dangers, and the number of steps."""

    task: Literal["any", "obtain", "kit", "achievements"] = Field(
        "any", description="kind of goal; any: drawn for each task"
    )
    theme: Literal["familiar", "rewired", "invented"] = Field(
        "rewired", description="the usual recipes, drawn recipes with the usual names, or drawn recipes and names"
    )
    tools: int = Field(2, ge=1, le=4, description="tools of the technology; in the familiar one, depth of the goals")
    stations: int = Field(2, ge=1, le=3, description="stations of a drawn technology")
    parts: int = Field(1, ge=0, le=3, description="items of a drawn technology that are made to be used up")
    alternatives: int = Field(0, ge=0, le=3, description="items with a second recipe, at most")
    width: int = Field(18, ge=10, le=32, description="columns of the map")
    height: int = Field(18, ge=10, le=32, description="rows of the map")
    day: int = Field(60, ge=10, le=300, description="steps of a day")
    night: int = Field(25, ge=0, le=100, description="steps of a night; 0: it is always day")
    needs: int = Field(1, ge=0, le=3, description="how many of water, food and energy are needed")
    prowlers: int = Field(4, ge=0, le=12, description="creatures that are awake at night, at most")
    lurkers: int = Field(1, ge=0, le=8, description="creatures in caves, at most")
    goals: int = Field(3, ge=1, le=6, description="goals of a kit or of achievements, at most")
    amount: int = Field(2, ge=1, le=4, description="number of an item to hold, about")
    slack: int = Field(60, ge=0, le=300, description="steps beyond the plan of who sees everything, in percent")
    lookup: bool = Field(
        False, description="whether recipes are looked up by an action instead of standing in the prompt"
    )
    batch: int = Field(10, ge=1, le=10, description="actions of one message, at most")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        (
            theme,
            tools,
            stations,
            parts,
            alternatives,
            side,
            night,
            needs,
            prowlers,
            lurkers,
            goals,
            amount,
            slack,
            lookup,
        ) = _LEVELS[difficulty - 1]
        values: dict[str, Any] = {"theme": theme, "tools": tools, "stations": stations, "parts": parts}
        values |= {"alternatives": alternatives, "width": side, "height": side, "night": night, "needs": needs}
        values |= {"prowlers": prowlers, "lurkers": lurkers, "goals": goals, "amount": amount, "slack": slack}
        return cls(**values, lookup=lookup)


class State(NamedTuple):
    """An episode.

    Attributes:
        place: The state of the world.
        seen: The cells that have been seen, as bits.
        left: The steps left.
        style: How views are written, by number.
    """

    place: PlaceState
    seen: int
    left: int
    style: int


class Crafting(World):
    """Gather, craft and survive on a partly seen map."""

    Params = Params
    slow: ClassVar[bool] = True
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "achieved"})
    max_turns: ClassVar[int] = _MOST_STEPS
    answer: AnswerType = Actions()
    reference: ClassVar[Rates | None] = _REFERENCE

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A world with goals, whose map and executed plan are the key."""
        content = draw(rng, rng.choice(KINDS) if p.task == "any" else p.task, p)
        if content is None:
            return None
        yield content
        world = world_of(canonical_json(content))
        least = bound(world)
        found = None if least is None else plan(world, _MOST_PLAN)
        if least is None or found is None:
            return None
        steps = found.steps
        start, technology = world.begin(), world.technology
        problem = {
            "goals": content["goals"],
            "size": [world.height, world.width],
            "technology": {
                "items": list(technology.items),
                "lamp": technology.lamp,
                "stations": list(technology.stations),
            },
            "tools": list(technology.tools),
            "weapons": content["technology"]["weapons"],
            "rock": technology.sources[1].item,
            "lasting": technology.sources[0].cell,
            "recipes": [] if p.lookup else [described(technology, item) for item in technology.items],
            "day": p.day,
            "night": p.night,
            "needs": p.needs,
            "creatures": sorted({kind for _, kind in content["creatures"]}),
            "view": view(world, start),
            "legend": {sign: name for sign, name in legend(world).items() if sign not in "@.,_"},
            "status": status(world, start),
            "batch": p.batch,
            "steps": min(_MOST_STEPS, steps * (100 + p.slack) // 100 + (len(technology.items) if p.lookup else 0)),
        }
        return Instance(
            problem,
            key={
                "content": content,
                "plan": steps,
                "style": list(found.style),
                "least": least.work,
                "bound": least.steps,
            },
        )

    def prompt(self, problem: JSON) -> Statement:
        """The goals, the rules, and the first view."""
        return wording.statement(problem)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """At the start, with all steps."""
        return self.begin_worded(inst, rng, None)

    def begin_worded(self, inst: Instance, rng: Stream, wording_: int | str | None) -> State:
        """At the start; later views are written like the first."""
        world = _of(inst)
        style = list(wording.VIEW).index((read_wording(wording_) or PLAIN).pick(wording.VIEW))
        start = world.begin()
        return State(start, _bits(visible(world, start)), inst.problem["steps"], style)

    def act(self, inst: Instance, state: State, value: tuple[Action, ...], rng: Stream) -> Turn:
        """Carry out actions, up to a failure or a bite."""
        if len(value) > inst.problem["batch"]:
            said = f"A message may contain at most {inst.problem['batch']} actions, got {len(value)}."
            return rejected(self.reject(inst, state, "illegal", said), "illegal")
        world, now, lines, failed = _of(inst), state, list[str](), False
        for number, action in enumerate(value):
            before = now.place
            place, text, carried_out = world.after(before, action)
            now = State(place, now.seen | _bits(visible(world, place)), now.left - 1, now.style)
            hurt = place.health < before.health
            lines.append(f"{write(action)}: {text}{' You lose health.' if hurt else ''}")
            failed = not carried_out
            if place.health <= 0:
                return self._end(inst, now, False, "\n".join([*lines, "You have no health left."]))
            if all(world.met(place)):
                return self._end(inst, now, True, "\n".join([*lines, "All goals are met."]))
            if now.left == 0:
                return self._end(inst, now, False, "\n".join([*lines, "No steps are left."]))
            if (failed or hurt) and number + 1 < len(value):
                lines.append(f"Skipped: {joined(value[number + 1 :])}.")
            if failed or hurt:
                break
        turn = self._next(inst, now, lines)
        return rejected(turn, "illegal") if failed else turn

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step, in which nothing is done."""
        world = _of(inst)
        place = world.after(state.place, Action("wait")).state
        now = State(place, state.seen | _bits(visible(world, place)), state.left - 1, state.style)
        if place.health <= 0:
            return self._end(inst, now, False, f"{feedback}\nYou have no health left.")
        if now.left == 0:
            return self._end(inst, now, False, f"{feedback}\nNo steps are left.")
        return self._next(inst, now, [feedback])

    def solve(self, inst: Instance, state: State) -> str:
        """The next actions of the planner that sees everything."""
        world, place, style, actions = _of(inst), state.place, Style(*inst.key["style"]), list[Action]()
        while len(actions) < inst.problem["batch"]:
            actions.append(next_action(whole(world, place), style))
            after = world.after(place, actions[-1])
            if after.state.health < place.health or not after.carried_out or all(world.met(after.state)):
                break
            place = after.state
        return joined(actions)

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """Every single action that can be carried out, without look-ups."""
        world = _of(inst)
        named = [Action(verb, item) for verb in ("make", "place") for item in world.technology.items]
        every = [*map(Action, (*DIRECTIONS, "use", "sleep", "wait")), *named]
        return [write(action) for action in every if world.after(state.place, action).carried_out]

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Actions on what no task has."""
        return ["make castle", "place castle", "recipe castle", "make bedrock pickaxe", "place water", "make grass"]

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """One thing after the other, without care for needs and creatures."""
        return self._scripted(inst, state, SIMPLE)

    def reference_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Explore, and plan with what has been seen."""
        return self._scripted(inst, state, CAREFUL)

    def scene(self, inst: Instance, state: State) -> Scene:
        """What the policy sees."""
        return picture(view(_of(inst), state.place))

    def effort(self, inst: Instance) -> float:
        """The steps of the plan, and half of the cells, for exploring."""
        return float(inst.key["plan"] + len(inst.key["content"]["cells"]) / 2)

    def _scripted(self, inst: Instance, state: State, style: Style) -> str:
        ground = seen_part(_of(inst), state.place, state.seen)
        return self.answer.wrap(write(next_action(ground, style, not inst.problem["recipes"])))

    def _end(self, inst: Instance, state: State, solved: bool, said: str) -> Turn:
        met = _of(inst).met(state.place)
        return Turn.end(state, Verdict.exact(solved, said).noting(None, achieved=sum(met) / len(met)))

    def _next(self, inst: Instance, state: State, said: list[str]) -> Turn:
        world = _of(inst)
        shown = self.drawn(VIEWS[state.style](view(world, state.place)))
        lines = [*said, shown, status(world, state.place), f"Steps left: {state.left}."]
        return Turn(state, "\n".join(lines))


def _of(inst: Instance) -> Place:
    return world_of(canonical_json(inst.key["content"]))


def _bits(cells: frozenset[int]) -> int:
    return sum(1 << cell for cell in cells)
