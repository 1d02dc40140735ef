"""gridworld-v0: carry out a mission in rooms that are only partly seen.

The missions of BabyAI, in its words: go to, pick up, open, put next to; joined by ``and``, ``then`` and ``after you``. The
actions and the rules of the grid are MiniGrid's, with locked doors, keys, boxes and things that are in the way.

Action: one per turn: ``turn left``, ``turn right``, ``forward``, ``pick up``, ``drop``, ``toggle`` or ``done``. An action that
changes nothing costs a step, as does any other text. Each task must be confirmed by ``done`` while it is complete; a wrong
``done`` ends the episode. Score 1 if all tasks are confirmed, in order, within the steps, else 0. A reward may weigh the
component ``confirmed``, the share of the tasks that were. Difficulty: more rooms, things, locks and tasks.

A plan exists for each drawn mission. For missions of up to two tasks it is usually proved to be shortest by a search of the
whole state; other plans are put together task by task and are an upper bound (``proved`` in the key). A mission that differs
by a rotation of the grid is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, World, rejected
from envhub.authoring.wording import PLAIN, Statement, read_wording
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.envs.worlds.gridworld import wording
from envhub.envs.worlds.gridworld.explorer import Known, next_action
from envhub.generators.gridworld.canonical import canonical
from envhub.generators.gridworld.drawing import Plan, draw
from envhub.generators.gridworld.missions import VERBS
from envhub.generators.gridworld.model import ACTIONS, Position, after, effective, reason, with_article
from envhub.generators.gridworld.plans import Planner, planner_of
from envhub.generators.gridworld.sight import seen_cells, visible, whole
from envhub.generators.gridworld.text import MAPS, VIEWS, Signs, picture, signs, signs_of_all
from envhub.scenes import Scene
from envhub.verifiers.answers.choices import Choice
from envhub.verifiers.answers.types import AnswerType

_MOST_STEPS: Final = 400
_SPARE: Final = 10
_REFERENCE: Final = Rates(
    "script that explores the nearest unknown cell", (1.0, 1.0, 1.0, 0.97, 1.0, 0.93, 1.0, 0.90, 0.73, 0.87), 30
)
_LEVELS: Final = (  # rows, columns, size, things, locked, blocked, boxed, tasks, vague
    (1, 1, 7, 5, 0, 0, False, 1, 0),
    (1, 1, 8, 8, 0, 0, False, 1, 20),
    (1, 2, 6, 8, 0, 0, False, 1, 20),
    (2, 2, 6, 10, 0, 0, False, 1, 30),
    (2, 2, 6, 10, 1, 0, False, 1, 30),
    (2, 2, 7, 12, 1, 0, False, 2, 30),
    (2, 3, 6, 12, 1, 1, True, 2, 30),
    (3, 3, 6, 14, 1, 1, True, 2, 30),
    (3, 3, 6, 16, 1, 1, True, 3, 30),
    (3, 3, 6, 16, 2, 1, True, 4, 30),
)


class Params(BaseParams):
    """The rooms, the mission, and the number of steps."""

    verb: Literal["any", "go to", "pick up", "open", "put"] = Field(
        "any", description="verb of the tasks; any: drawn for each task"
    )
    rows: int = Field(2, ge=1, le=3, description="rows of rooms")
    columns: int = Field(2, ge=1, le=3, description="columns of rooms")
    size: int = Field(6, ge=5, le=8, description="cells of a room's side, its walls included")
    things: int = Field(
        10, ge=2, le=20, description="keys, balls and boxes, those for locked or blocked doors not counted"
    )
    locked: int = Field(0, ge=0, le=3, description="locked doors")
    blocked: int = Field(0, ge=0, le=3, description="doors with a ball before them")
    boxed: bool = Field(False, description="whether the key of a locked door may be in a box")
    tasks: int = Field(1, ge=1, le=4, description="tasks of the mission")
    vague: int = Field(
        30, ge=0, le=100, description="descriptions, in percent, that leave something out or name a side"
    )
    patience: int = Field(100, ge=0, le=400, description="steps for exploration, in percent of the cells of all rooms")
    sees: Literal["view", "map"] = Field("view", description="the cells ahead as in MiniGrid, or the whole map")
    actions: bool = Field(False, description="whether each observation lists the actions that change something")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        names = ("rows", "columns", "size", "things", "locked", "blocked", "boxed", "tasks", "vague")
        values: dict[str, Any] = dict(zip(names, _LEVELS[difficulty - 1], strict=True))
        return cls(**values)


class OneAction(Choice):
    """One of the seven actions; MiniGrid's short names are accepted as well."""

    noun: ClassVar[str] = "one action"
    example: ClassVar[str] = "toggle"
    placeholder: ClassVar[str] = "ACTION"
    words: ClassVar[Mapping[str, str]] = {name: name for name in ACTIONS} | {
        "left": "turn left",
        "right": "turn right",
        "go forward": "forward",
        "move forward": "forward",
        "pickup": "pick up",
    }


class State(NamedTuple):
    """An episode.

    Attributes:
        position: The position.
        confirmed: The tasks that have been confirmed.
        seen: The cells that have been seen, as bits.
        left: The steps left.
        style: How views are written, by number.
    """

    position: Position
    confirmed: frozenset[int]
    seen: int
    left: int
    style: int


class Gridworld(World):
    """Carry out a mission in rooms that are only partly seen."""

    Params = Params
    slow: ClassVar[bool] = True
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "confirmed"})
    max_turns: ClassVar[int] = _MOST_STEPS
    answer: AnswerType = OneAction()
    reference: ClassVar[Rates | None] = _REFERENCE

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Rooms and a mission with a plan; the grid is the key."""
        verbs = VERBS if p.verb == "any" else (p.verb,)
        content = draw(
            rng, Plan(p.rows, p.columns, p.size, p.things, p.locked, p.blocked, p.boxed, verbs, p.tasks, p.vague)
        )
        if content is None:
            return None
        yield content
        planner = planner_of(content)
        found = planner.plan(planner.grid.start, frozenset())
        if found is None:
            return None
        cells = p.rows * p.columns * (p.size - 2) ** 2 if p.sees == "view" else 0
        problem = {
            "mission": planner.mission.text,
            "rooms": p.rows * p.columns,
            "sees": p.sees,
            "view": _signs(planner, planner.grid.start, p.sees),
            "steps": min(_MOST_STEPS, 2 * len(found.actions) + _SPARE + cells * p.patience // 100),
            "actions": p.actions,
        }
        return Instance(problem, key={"content": content, "plan": len(found.actions), "proved": found.proved})

    def canonical(self, content: JSON) -> JSON:
        """The grid turned so that the agent faces east, and the mission."""
        return canonical(content)

    def prompt(self, problem: JSON) -> Statement:
        """The mission, the actions, and the first view."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a step."""
        return int(problem["steps"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """At the start, with all steps."""
        return self.begin_worded(inst, rng, None)

    def begin_worded(self, inst: Instance, rng: Stream, wording_: int | str | None) -> State:
        """At the start; later views are written like the first."""
        planner = _of(inst)
        variants = wording.VIEW if inst.problem["sees"] == "view" else wording.MAP
        style = list(variants).index((read_wording(wording_) or PLAIN).pick(variants))
        start = planner.grid.start
        return State(start, frozenset(), _bits(planner, start), inst.problem["steps"], style)

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Turn:
        """Carry out an action, or say why nothing changes."""
        planner = _of(inst)
        now = state._replace(left=state.left - 1)
        if value == "done":
            met = planner.mission.fulfilled(planner.grid, state.position, state.confirmed)
            if not met:
                return self._end(inst, now, False, "No task that is due was complete, so the mission has failed.")
            now = now._replace(confirmed=state.confirmed | met)
            if len(now.confirmed) == len(planner.mission.aims):
                return self._end(inst, now, True, "The mission is complete.")
            left = len(planner.mission.aims) - len(now.confirmed)
            return self._next(inst, now, f"Confirmed. Tasks left: {left}.")
        position = after(planner.grid, state.position, value)
        if position is state.position:
            said = f"Nothing changes. {reason(planner.grid, position, value)}"
            return rejected(self._next(inst, now, said), "illegal")
        now = now._replace(position=position, seen=state.seen | _bits(planner, position))
        return self._next(inst, now, f"You {_PAST.get(value, value)}.")

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The next action of the plan; ``done`` if the mission is lost."""
        found = _of(inst).plan(state.position, state.confirmed)
        return found.actions[0] if found and found.actions else "done"

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """The actions that change something, and ``done``."""
        return [*effective(_of(inst).grid, state.position), "done"]

    def reference_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Explore the nearest unknown cell, and act on what has been seen."""
        content, planner = inst.key["content"], _of(inst)
        seen = state.seen if inst.problem["sees"] == "view" else -1
        return self.answer.wrap(next_action(Known(content, planner.mission, state.position, state.confirmed, seen)))

    def scene(self, inst: Instance, state: State) -> Scene:
        """What the policy sees."""
        return picture(_signs(_of(inst), state.position, inst.problem["sees"]))

    def effort(self, inst: Instance) -> float:
        """The actions of the plan, and the cells to be explored."""
        return float(inst.problem["steps"])

    def _end(self, inst: Instance, state: State, solved: bool, said: str) -> Turn:
        share = len(state.confirmed) / len(_of(inst).mission.aims)
        return Turn.end(state, Verdict.exact(solved, said).noting(None, confirmed=share))

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            return self._end(inst, state, False, f"{said}\nNo steps are left.")
        planner, sees = _of(inst), inst.problem["sees"]
        styles: tuple[Callable[[Signs], str], ...] = tuple(VIEWS if sees == "view" else MAPS)
        held = state.position.held
        lines = [
            said,
            self.drawn(styles[state.style](_signs(planner, state.position, sees))),
            f"You carry {'nothing' if held is None else with_article(planner.grid, held)}.",
        ]
        if inst.problem["actions"]:
            lines.append(f"Actions that change something: {', '.join(effective(planner.grid, state.position))}.")
        return Turn(state, "\n".join([*lines, f"Steps left: {state.left}."]))


_PAST: Final = {"forward": "move forward", "pick up": "pick it up", "drop": "drop it", "toggle": "toggle it"}


def _of(inst: Instance) -> Planner:
    return planner_of(inst.key["content"])


def _signs(planner: Planner, position: Position, sees: str) -> list[str]:
    grid = planner.grid
    if sees == "view":
        return signs(visible(grid, position))
    return signs_of_all(whole(grid, position), divmod(position.at, grid.width), position.facing)


def _bits(planner: Planner, position: Position) -> int:
    return sum(1 << cell for cell in seen_cells(planner.grid, position))
