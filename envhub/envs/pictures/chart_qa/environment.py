"""chart-qa-v0: questions about bar, line, pie, scatter, stacked and grouped charts.

Action: a list of numbers and names. All values stand on lines of the grid or are written, so every answer is exact. With
``observation="image"`` the chart is shown as a picture alone, else its data is stated. Difficulty: more categories, series and
lines of the grid, and questions about more of them; effort is the number of categories times the depth of the question.

Charts that differ in names, titles or units alone count as different.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from envhub.authoring import SingleTurn
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.pictures.chart_qa import data, wording
from envhub.envs.pictures.chart_qa.picture import drawn
from envhub.envs.pictures.chart_qa.points import WITH_POINTS
from envhub.envs.pictures.chart_qa.questions import WITH_CATEGORIES, Kind
from envhub.families.levels import knob, levels
from envhub.scenes import Scene
from envhub.verifiers.answers.items import Items
from envhub.verifiers.answers.types import AnswerType

KINDS: Final[Mapping[str, Kind]] = {**WITH_CATEGORIES, **WITH_POINTS}
_TRIES: Final = 60


class ChartQA(SingleTurn):
    """Answer a question about a chart."""

    Params = levels(
        categories=knob("how many categories", 4, 4, 5, 6, 7, 8, 9, 10, 11, 12, at_least=3, at_most=12),
        series=knob("maximum number of series", 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, at_least=2),
        lines=knob("lines of the grid", 6, 6, 7, 8, 8, 9, 10, 10, 12, 12, at_least=6, at_most=14),
        depth=knob("how deep the question goes", 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, at_most=8),
    )
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    unique: ClassVar[bool] = True
    answer: AnswerType = Items()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A kind of question, and a chart that it fits."""
        name = rng.choice(list(KINDS))
        for _ in range(_TRIES):
            kind = rng.choice(data.TYPES)
            several = kind in data.SEVERAL or kind == "scatter"
            chart = data.draw(rng, kind, p.categories, rng.between(2, p.series) if several else 1, p.lines)
            if chart is None or not KINDS[name].fits(chart):
                continue
            ask = KINDS[name].ask(rng, chart, p.depth)
            if ask is not None:
                return Instance(
                    {"chart": chart, "kind": name, "ask": ask, "depth": p.depth}, key=KINDS[name].answer(chart, ask)
                )
        return None

    def canonical(self, content: JSON) -> JSON:
        """The chart and the question."""
        return [content[name] for name in ("chart", "kind", "ask")]

    def form(self, problem: JSON) -> str:
        """The kind of question."""
        return str(problem["kind"])

    def prompt(self, problem: JSON) -> Statement:
        """The question and the chart."""
        chart, kind = problem["chart"], KINDS[problem["kind"]]
        rules = (wording.GRID, wording.STACKED) if chart["type"] == "stacked" else (wording.GRID,)
        values = {"step": chart["step"], **kind.fields(chart, problem["ask"])}
        return Statement(kind.task, wording.DATA, chart, rules, None, values)

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The chart."""
        return drawn(inst.problem["chart"])

    def example(self, problem: JSON) -> str:
        """As many items as a right answer has.

        The question says how many.
        """
        return ", ".join(KINDS[problem["kind"]].example(problem["chart"], problem["ask"]))

    def grade(self, inst: Instance, value: tuple[Any, ...]) -> Verdict:
        """Compare the items in order."""
        return Verdict.exact(value == self.answer.parse(", ".join(inst.key)))

    def solve(self, inst: Instance) -> str:
        """The items."""
        return ", ".join(inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """One item changed or left out."""
        step = inst.problem["chart"]["step"]
        for at, item in enumerate(inst.key):
            other = str(int(item) + step) if item.lstrip("-").isdigit() else "Zurich"
            yield ", ".join([*inst.key[:at], other, *inst.key[at + 1 :]])
        if len(inst.key) > 1:
            yield ", ".join(inst.key[:-1])

    def effort(self, inst: Instance) -> float:
        """Categories of the chart times depth."""
        chart = inst.problem["chart"]
        return float(len(chart.get("labels") or chart["points"]) * inst.problem["depth"])
