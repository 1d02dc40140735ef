"""building-schedule-v0: find how long the projects of a plan take.

Action: the total time in months. Projects start in the order of the plan, each as soon as a slot is free; from level 6 on, each
company also works on one project at a time only. Difficulty: more projects, companies and slots; effort is the number of
projects times slots.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from envhub.authoring.wording import counted
from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, Variants, knob, levels

_PROJECTS = (
    "bridge",
    "school",
    "library",
    "tunnel",
    "stadium",
    "hospital",
    "harbour",
    "museum",
    "station",
    "theatre",
    "dam",
    "market",
)


def duration(problem: JSON, slots: int | None = None, single: bool | None = None) -> int:
    """The end of the last project, if each starts early."""
    slots = slots or problem["slots"]
    single = problem["single"] if single is None else single
    running: list[tuple[int, int]] = []  # end and company of the projects that run
    now = 0
    for company, project in problem["plan"]:
        running = [one for one in running if one[0] > now]
        while len(running) >= slots or (single and any(company == other for _, other in running)):
            now = min(end for end, _ in running)
            running = [one for one in running if one[0] > now]
        running.append((now + problem["months"][company][project], company))
    return max([now, *(end for end, _ in running)])


def _companies(problem: JSON) -> Iterator[str]:
    for number, months in enumerate(problem["months"], 1):
        yield f"Company {number}: " + ", ".join(f"{name} {counted(time, 'month')}" for name, time in months.items())


def _listed(problem: JSON) -> str:
    plan = "\n".join(
        f"{at}. company {company + 1}, {project}" for at, (company, project) in enumerate(problem["plan"], 1)
    )
    return "Time that each company needs for a project:\n\n" + "\n".join(_companies(problem)) + f"\n\nPlan:\n\n{plan}"


def _as_json(problem: JSON) -> str:
    plan = [{"company": company + 1, "project": project} for company, project in problem["plan"]]
    return json.dumps({"months": {str(at): times for at, times in enumerate(problem["months"], 1)}, "plan": plan})


def _on_a_line(problem: JSON) -> str:
    plan = "; ".join(f"company {company + 1} builds a {project}" for company, project in problem["plan"])
    return "Time needed:\n\n" + "\n".join(_companies(problem)) + f"\n\nThe plan in order: {plan}."


def _timed(problem: JSON) -> str:
    rows = (
        f"| {at} | {company + 1} | {project} | {problem['months'][company][project]} |"
        for at, (company, project) in enumerate(problem["plan"], 1)
    )
    return "\n".join(["| position | company | project | months |", "|---|---|---|---|", *rows])


class BuildingSchedule(Value):
    """Find how long the projects of a plan take."""

    Params = levels(
        companies=knob("number of companies", 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, at_least=1, at_most=12),
        kinds=knob("kinds of projects of a company", 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, at_least=1, at_most=12),
        plan=knob("number of projects of the plan", 5, 7, 9, 11, 14, 14, 17, 21, 26, 32, at_least=2, at_most=80),
        slots=knob("most projects at a time", 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, at_least=1, at_most=10),
        longest=knob("longest project in months", 40, 45, 50, 50, 60, 60, 70, 70, 80, 90, at_least=10, at_most=200),
        single=knob("whether a company works on one project at a time", *[False] * 5, *[True] * 5),
    )
    answer = Integer()
    data = Variants(_listed, _as_json, _on_a_line, held_out=_timed, name="plan")
    task = Phrase(
        "How many months does it take to complete all projects of this plan?",
        "Find the time, in months, from the start of the first project to the end of the last one.",
        "After how many months are all projects of the plan finished?",
        held_out="Determine the makespan of the plan in months.",
    )
    rules = (
        Phrase(
            "The projects start in the order of the plan. A project never starts before one that is earlier in the plan.",
            "Keep to the order of the plan: no project may start before an earlier one has started. Two may start together.",
            "Projects are started strictly in the given order; several may start in the same moment.",
            held_out="Start times are non-decreasing along the plan.",
        ),
        Phrase(
            "At most {slots} can run at a time. Each project starts as early as the rules allow.",
            "No more than {slots} may run at the same time, and every project starts as soon as it may.",
            "There is room for {slots} at once. Nobody waits longer than necessary.",
            held_out="At any time at most {slots} are in progress, and each project starts at the earliest feasible time.",
        ),
        Phrase(
            "A project that ends makes room in that very moment. A project that occurs twice in the plan is built twice.",
            "When a project ends, the next one may start immediately. Repeated projects are built each time.",
            "The place of a finished project is free at once. If a project is listed several times, it is done several times.",
            held_out="Slots are released instantly on completion; repeated entries are separate projects.",
        ),
    )
    _single = Phrase(
        "A company works on one project at a time. If it is busy, its next project waits, and all later projects wait as well.",
        "No company builds two projects at once: a project waits until its company has finished the one before, and the "
        "projects after it wait, too.",
        "Each company can do only one project at a time. While a project waits for its company, no later one may start.",
        held_out="A company executes at most one project at a time; a waiting project blocks its successors.",
    )

    _parallel = Phrase(
        "A company can work on several projects at a time.",
        "One company may build several projects at once.",
        "The same company can be busy with more than one project.",
        held_out="Companies may execute several projects concurrently.",
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Companies with projects and times, and a plan."""
        months = [
            {name: rng.between(3, p.longest) for name in rng.sample(_PROJECTS, p.kinds)} for _ in range(p.companies)
        ]
        plan = []
        for _ in range(p.plan):
            company = rng.below(p.companies)
            plan.append([company, rng.choice(list(months[company]))])
        problem = {"months": months, "plan": plan, "slots": p.slots, "single": p.single}
        alone = duration(problem, len(plan), False)
        return problem if duration(problem) not in (alone, duration(problem, 1)) else None

    def value(self, problem: JSON) -> int:
        """By starting one project after the other."""
        return duration(problem)

    def slips(self, problem: JSON) -> Iterator[int]:
        """Another number of slots, and the other rule for companies."""
        yield from (duration(problem, slots) for slots in (1, problem["slots"] + 1, len(problem["plan"])))
        yield duration(problem, None, not problem["single"])

    def values(self, problem: JSON) -> dict[str, str]:
        """The slots in words."""
        return {"slots": counted(problem["slots"], "project")}

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """With what a company can do at a time."""
        return (*self.rules, self._single if problem["single"] else self._parallel)

    def canonical(self, content: JSON) -> JSON:
        """Companies and times of the plan, companies numbered in its order."""
        names: dict[int, int] = {}
        plan = [[names.setdefault(one, len(names)), content["months"][one][what]] for one, what in content["plan"]]
        return [plan if content["single"] else [time for _, time in plan], content["slots"], content["single"]]

    def effort(self, inst: Instance) -> float:
        """Projects times slots."""
        return float(len(inst.problem["plan"]) * inst.problem["slots"])
