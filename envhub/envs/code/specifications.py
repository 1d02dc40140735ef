"""Renderings of the specification of the function of a pipeline."""

from __future__ import annotations

import json
from collections.abc import Callable

from envhub.authoring.wording import Rendering, Variants
from envhub.core.types import JSON
from envhub.generators.programs.pipeline import NAME, Pipeline, Spec


def specified(*rest: Rendering, held_out: Rendering) -> Variants[Rendering]:
    """Renderings of a specification and the rest of its problem.

    Args:
        rest: Three renderings of the rest: one for each rendering of the specification.
        held_out: The rendering of the rest that is reserved for evaluation.
    """

    def joined(spec: Callable[[Spec], str], rest: Rendering) -> Rendering:
        return lambda problem: f"{spec(Pipeline.from_json(problem['plan']).spec())}\n\n{rest(problem)}"

    training = map(joined, (_headed, _docstring, _json), rest)
    return Variants(*training, held_out=joined(_algorithm, held_out), name="data")


def _headed(spec: Spec) -> str:
    names = "Arguments" if "," in spec.names else "Argument"
    head = f"Specification\n\n{names}: {spec.names} ({spec.type}). Limits: {spec.limits}."
    steps = list(spec.steps)
    if len(steps) > 1:
        rows = [
            f"{number}. {step} Result: {gives}."
            for number, (step, gives) in enumerate(zip(spec.steps, spec.gives, strict=True), 1)
        ]
        first = f"{NAME} applies {len(steps)} steps. Step 1 takes {_taken(spec)}."
        steps = [f"{first} Each later step takes the result of the step before it.", "\n".join(rows)]
    return "\n\n".join(filter(None, (head, *steps, spec.note, f"Return value: {_returned(spec)}.")))


def _docstring(spec: Spec) -> str:
    rows = [f"{spec.names} ({spec.type}): {spec.limits}.", "", *spec.steps]
    if len(spec.steps) > 1:
        rows[2:] = [
            f"Step {number}{f', on the result of step {number - 1}' if number > 1 else ''}. {step} Result: {gives}."
            for number, (step, gives) in enumerate(zip(spec.steps, spec.gives, strict=True), 1)
        ]
    rows += ["", *filter(None, [spec.note]), f"Returns {_returned(spec)}."]
    body = "\n".join(f"    {row}".rstrip() for row in rows)
    return f'```python\ndef {NAME}({spec.names}):\n    """\n{body}\n    """\n```'


def _json(spec: Spec) -> str:
    steps: list[JSON] = [
        {"takes": f"the result of step {number - 1}" if number > 1 else _taken(spec), "does": step, "gives": gives}
        for number, (step, gives) in enumerate(zip(spec.steps, spec.gives, strict=True), 1)
    ]
    given = {
        "function": f"{NAME}({spec.names})",
        "takes": f"{spec.names} ({spec.type}): {spec.limits}",
        "steps": steps,
        **({"note": spec.note} if spec.note else {}),
        "returns": _returned(spec),
    }
    return f"The specification as a JSON object:\n\n{json.dumps(given, indent=1, ensure_ascii=False)}"


def _algorithm(spec: Spec) -> str:
    rows = [f"INPUT {spec.names} : {spec.type} [{spec.limits}]"]
    for number, (step, gives) in enumerate(zip(spec.steps, spec.gives, strict=True), 1):
        rows += [
            f"STEP {number} ({f'r{number - 1}' if number > 1 else 'INPUT'} -> r{number}) {step} r{number}: {gives}"
        ]
    results = ", ".join(f"r{number}" for number in range(1, len(spec.steps) + 1))
    rows += [*filter(None, [spec.note]), f"OUTPUT {f'[{results}]' if len(spec.steps) > 1 else results}"]
    return "\n".join(rows)


def _taken(spec: Spec) -> str:
    return "the arguments" if "," in spec.names else "the argument"


def _returned(spec: Spec) -> str:
    return spec.gives[0] if len(spec.gives) == 1 else "a list with the results of all steps, in order"
