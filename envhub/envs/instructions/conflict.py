"""instructions-conflict-v0: follow ranked instructions; the higher rank wins a conflict.

Action: a text that reports facts. Every instruction counts unless one of higher rank contradicts it. Difficulty: more
facts, instructions and conflicts, and from level 5 on three ranks; effort is the number of conditions and
instructions to weigh. The order of facts and instructions does not change the problem.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.core.seeding import canonical_json
from envhub.families.constraint_phrases import sentence
from envhub.families.text_constraints import APART, ASCII, FLOOR, REPORT, WHOLE, TextConstraints, judge, terms
from envhub.families.text_kit import JSON, Instance, Phrase, Stream, Verdict, knob, levels
from envhub.generators.constraints.contrary import contrary
from envhub.generators.constraints.facts import draw_facts
from envhub.generators.constraints.sets import Draft, draw_set

RANKS: Final = ("System", "User", "Document")
HIERARCHY: Final = Phrase(
    "Instructions come from the system, the user and a document. The system outranks the user, and the user outranks the "
    "document. An instruction that cannot be followed together with a valid one of higher rank is void: it counts for "
    "nothing. All other instructions are valid and must be followed. So must every rule without a rank.",
    "There are three ranks of instructions: system first, then user, then document. If an instruction contradicts "
    "a valid one of higher rank, so that no text satisfies both, it is void and has no effect on anything. Every "
    "other instruction is valid and must be followed, and so must each rule without a rank.",
    "Each instruction has a rank: system comes before user, and user before document. An instruction is void if no "
    "text can satisfy both it and a valid instruction of higher rank. Treat it as if it were not there. Follow all the "
    "others, which are valid, and all rules without a rank.",
    held_out="Precedence: system > user > document. An instruction is void, and without any effect, if it is incompatible "
    "with a valid one of higher rank; all remaining instructions are valid and binding, as are rules without a rank.",
)


class Conflict(TextConstraints):
    """Follow the instructions that win, and not those that lose."""

    Params = levels(
        facts=knob("facts to report", 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, at_least=2, at_most=10),
        constraints=knob("instructions that count", 2, 2, 3, 3, 4, 5, 6, 7, 8, 10, at_least=2),
        shaped=knob("how many of them are about the shape of the text", 1, 1, 2, 2, 2, 3, 4, 4, 5, 6),
        conflicts=knob("instructions that lose", 1, 1, 1, 2, 2, 3, 4, 5, 6, 8),
        document=knob("whether a document gives instructions", *[False] * 4, *[True] * 6),
    )
    task = Phrase(
        "Write a text about {subject}. Follow the instructions by their rank.",
        "Your task is to write a text about {subject}, under instructions of different rank.",
        "Please write about {subject}, and obey the instructions according to their ranks.",
        held_out="Compose a text about {subject}, subject to ranked instructions.",
    )

    def draft(self, rng: Stream, p: Any) -> tuple[JSON, Draft] | None:
        """Facts with the instructions that win and lose."""
        facts = draw_facts(rng, p.facts)
        drawn = draw_set(rng, facts, p.constraints, min(p.shaped, p.constraints), extra=1 + rng.below(4))
        if drawn is None:
            return None
        lowest = 2 if p.document else 1
        contraries = {at: contrary(rng, one) for at, one in enumerate(drawn.constraints)}
        lost = dict([(at, other) for at, other in contraries.items() if other is not None][: p.conflicts])
        if len(lost) < p.conflicts:
            return None
        said: list[JSON] = []
        for at, (name, settings) in enumerate(drawn.constraints):
            rank = rng.below(lowest + (at not in lost))
            said.append([rank, name, dict(settings)])
            if at in lost:
                said.append([rng.between(rank + 1, lowest), lost[at][0], dict(lost[at][1])])
        rng.shuffle(said)
        return {**facts, "instructions": said}, drawn

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """The instructions that count are part of the key."""
        inst = super().sample(rng, p)
        if inst is None:
            return None
        key = {"text": inst.key, "constraints": inst.problem.pop("constraints")}
        return Instance(inst.problem, key=key)

    def canonical(self, content: JSON) -> JSON:
        """The facts and the instructions, in fixed orders."""
        said = sorted(canonical_json(instruction).decode() for instruction in content["instructions"])
        return [content["subject"], sorted(content["rows"]), said]

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The hierarchy, the ranked instructions, and the rules of all tasks."""
        said = (sentence(name, settings, RANKS[rank]) for rank, name, settings in problem["instructions"])
        used = [(name, settings) for _, name, settings in problem["instructions"]]
        return (HIERARCHY, *said, REPORT, APART, FLOOR, ASCII, WHOLE, *terms(used))

    def grade(self, inst: Instance, value: str) -> Verdict:
        """The instructions that count must hold; so those that they contradict cannot."""
        return judge(inst.problem["rows"], inst.key["constraints"], value)

    def solve(self, inst: Instance) -> str:
        """The witness."""
        return str(inst.key["text"])

    def effort(self, inst: Instance) -> float:
        """Conditions that the text must meet, and instructions to weigh."""
        return float(len(inst.problem["rows"]) + len(inst.problem["instructions"]))
