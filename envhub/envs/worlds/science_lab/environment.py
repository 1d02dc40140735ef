"""science-lab-v0: find hidden properties by experiment.

Five kinds of tasks after ScienceWorld, with commands in its manner: melting points (states of matter), conductors (circuits),
growth in different soils, friction on inclined planes, and pure or hybrid plants (genetics). The policy searches rooms and
furniture for instruments and samples, experiments at a bench, and answers.

Action: one command per turn, such as ``pick up thermometer`` or ``use thermometer on sample a``. A command that is not possible
changes nothing and still costs a step, as does any other text. Score 1 if the answer is right for every subject and the
experiments that the prompt requires were made, else 0: a guess is worth nothing. Difficulty: more rooms, furniture, things and
subjects, and broken bulbs or different blocks; effort is the cost of searching everything.

The oracle plays a plan that is shortest for a policy that knows where everything is; search proves it. The steps always suffice
for a careful policy that knows nothing. Laboratories that differ only in the names of rooms or things count as different.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, World, rejected
from envhub.authoring.wording import Statement
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream, canonical_json
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.science_lab import wording
from envhub.envs.worlds.science_lab.acting import action_of, admissible, reason
from envhub.envs.worlds.science_lab.catalogue import CLUTTER, EXPERIMENTS, MOST_HEATING, ROOMS, STAGES
from envhub.envs.worlds.science_lab.commands import Commands, spoken, write
from envhub.envs.worlds.science_lab.drawing import draw
from envhub.envs.worlds.science_lab.narration import doors, fittings, furniture, outcome
from envhub.envs.worlds.science_lab.planning import next_action
from envhub.envs.worlds.science_lab.researcher import View, next_command
from envhub.envs.worlds.science_lab.rules import Lab
from envhub.verifiers.answers.types import AnswerType

_MOST_STEPS: Final = 160
_EACH_ROOM: Final = 4
"""Most steps for a room of a search: there and back, a door, and a step on the way to the bench."""
_LEVELS: Final = (  # subjects, rooms, furniture, clutter, spares, patience
    (2, 3, 3, 2, 1, 150),
    (3, 3, 4, 3, 2, 140),
    (3, 4, 5, 4, 2, 130),
    (3, 4, 6, 5, 2, 130),
    (4, 5, 7, 6, 3, 120),
    (4, 5, 8, 7, 3, 120),
    (4, 6, 9, 8, 3, 110),
    (5, 6, 11, 9, 4, 110),
    (5, 7, 12, 10, 4, 100),
    (5, 8, 14, 12, 4, 100),
)


class Params(BaseParams):
    """The experiment, the laboratory, and the number of steps."""

    task: Literal["any", "matter", "circuits", "growth", "planes", "genetics"] = Field(
        "any", description="kind of experiment; any: drawn for each task"
    )
    subjects: int = Field(3, ge=2, le=6, description="samples, pots, planes or plants to be examined")
    rooms: int = Field(4, ge=2, le=len(ROOMS), description="rooms")
    furniture: int = Field(6, ge=1, le=16, description="pieces of furniture in which things can be")
    clutter: int = Field(5, ge=0, le=len(CLUTTER), description="things without use")
    spares: int = Field(2, ge=1, le=4, description="bulbs or blocks; of several bulbs at least one is broken")
    patience: int = Field(
        130, ge=100, le=300, description="steps, in percent of those of a careful search of the whole laboratory"
    )
    commands: bool = Field(False, description="whether each observation lists the commands that are possible")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        subjects, rooms, furniture, clutter, spares, patience = _LEVELS[difficulty - 1]
        return cls(
            subjects=subjects, rooms=rooms, furniture=furniture, clutter=clutter, spares=spares, patience=patience
        )


class State(NamedTuple):
    """The facts as bits, and the steps left."""

    facts: int
    left: int


class ScienceLab(World):
    """Find hidden properties by experiment."""

    Params = Params
    max_turns: ClassVar[int] = _MOST_STEPS
    answer: AnswerType = Commands()

    def check(self, p: Any) -> None:
        """Reject a laboratory that is too large for an episode."""
        most = max(careful_steps(name, p) for name in EXPERIMENTS) * p.patience // 100
        if most > _MOST_STEPS:
            raise InvalidParameters(
                f"These parameters allow {most} steps; an episode may have {_MOST_STEPS}. Lower patience, or make it smaller."
            )

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A laboratory; the places and properties of things are the key."""
        content = draw(rng, p.task, p.subjects, p.rooms, p.furniture, p.clutter, p.spares)
        yield content
        lab = _lab(canonical_json(content))
        problem = {
            "kind": lab.kind,
            "subjects": lab.subjects,
            "spares": p.spares,
            "room": content["start"],
            "doors": [list(pair) for pair in doors(lab, lab.start).items()],
            "furniture": [list(pair) for pair in furniture(lab, lab.start).items()],
            "fittings": fittings(lab, lab.start),
            "steps": careful_steps(lab.kind, p) * p.patience // 100,
            "commands": p.commands,
        }
        return Instance(problem, key={"content": content})

    def prompt(self, problem: JSON) -> Statement:
        """The task, the commands, and the first room."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a step."""
        return int(problem["steps"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """In the first room, with all steps."""
        return State(_of(inst).start, inst.problem["steps"])

    def act(self, inst: Instance, state: State, value: Command, rng: Stream) -> Turn:
        """Carry out a command, or say that nothing happens."""
        lab, now = _of(inst), state._replace(left=state.left - 1)
        if value.verb == "answer":
            wrong = _misfit(lab, value.names)
            if wrong:
                return rejected(self._next(inst, now, f"This is not an answer. {wrong}"), "illegal")
            return Turn.end(now, _judged(lab, state.facts, value.names))
        action = action_of(lab, state.facts, value)
        if action is None:
            said = f"Nothing happens. {reason(lab, state.facts, value)}"
            return rejected(self._next(inst, now, said), "illegal")
        now = now._replace(facts=action.after(state.facts))
        return self._next(inst, now, outcome(lab, action, now.facts, value))

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a step."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The next command of a shortest plan."""
        lab = _of(inst)
        action = next_action(lab, state.facts)
        return write(Command("answer", lab.answer) if action is None else spoken(action))

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """Every command that is possible, but no answers."""
        return list(map(write, admissible(_of(inst), state.facts)))

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Commands with names that no laboratory has."""
        return ["go to attic", "pick up hammer", "open door to attic", "use hammer on sink", "answer maybe"]

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Experiment without controls."""
        return self.answer.wrap(write(next_command(View(_of(inst), state.facts, careful=False))))

    def reference_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Search everything, and experiment with controls."""
        return self.answer.wrap(write(next_command(View(_of(inst), state.facts, careful=True))))

    def effort(self, inst: Instance) -> float:
        """Steps of a search of everything, and the subjects."""
        content = inst.key["content"]
        return float(_EACH_ROOM * len(content["rooms"]) + len(content["furniture"]) + len(content["subjects"]))

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            return Turn.end(state, Verdict.exact(False, f"{said}\nNo steps are left."))
        if inst.problem["commands"]:
            said += f"\nPossible commands: {'; '.join(self.legal_answers(inst, state))}."
        return Turn(state, f"{said}\nSteps left: {state.left}.")


def careful_steps(kind: str, p: Any) -> int:
    """Steps that surely suffice for a careful policy.

    It searches everything, experiments and answers.
    """
    most = {
        "matter": 1 + p.subjects * (MOST_HEATING + 3) + p.subjects + 1,
        "circuits": p.spares * 6 + p.subjects * 4 + 1,
        "growth": p.subjects * (len(STAGES) + 1) + 3 + p.rooms,
        "planes": p.subjects + 1 + p.spares,
        "genetics": p.subjects * 2 + 1,
    }
    return int(_EACH_ROOM * p.rooms + p.furniture + most[kind] + 2 * p.rooms * (kind == "circuits")) + 2


def _misfit(lab: Lab, values: tuple[str, ...]) -> str:
    """Why values are not an answer; nothing if they are one."""
    allowed = lab.experiment.values or [str(rank + 1) for rank in range(len(lab.subjects))]
    if len(values) != len(lab.subjects):
        return f"It must have {len(lab.subjects)} values, got {len(values)}."
    strange = next((value for value in values if value not in allowed), None)
    return "" if strange is None else f"Each value must be one of {', '.join(allowed)}, got {strange}."


def _judged(lab: Lab, facts: int, values: tuple[str, ...]) -> Verdict:
    """The verdict; without the experiments it does not depend on the values."""
    if not lab.proved(facts):
        return Verdict.exact(
            False, "You have not made all experiments that the task requires, so the answer does not count."
        )
    solved = values == lab.answer
    return Verdict.exact(solved, "Your answer is right." if solved else "Your answer is wrong.")


def _of(inst: Instance) -> Lab:
    return _lab(canonical_json(inst.key["content"]))


@lru_cache(maxsize=64)
def _lab(content: bytes) -> Lab:
    """A laboratory by its content.

    The keys are sorted, so the numbers of the facts are always the same.
    """
    return Lab(json.loads(content))
