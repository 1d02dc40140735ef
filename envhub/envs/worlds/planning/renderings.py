"""Renderings of a planning problem: PDDL, lists, JSON, and a sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from envhub.authoring.wording import Rendering, Variants
from envhub.core.types import JSON
from envhub.envs.worlds.planning.domains import DOMAINS
from envhub.envs.worlds.planning.tasks import problem_of
from envhub.envs.worlds.sentences import with_article
from envhub.generators.planning.domains import Atom, Schema, write_atom, write_domain, write_problem


def _as_pddl(problem: JSON) -> str:
    domain = DOMAINS[problem["domain"]]
    text = f"```pddl\n{write_domain(domain)}\n\n{write_problem(problem_of(problem), domain)}\n```"
    given = ["", "The given actions, in order:", *_given(problem)] if _given(problem) else []
    goals = ["", "The candidate goals:"] if _goals(problem) else []
    goals += [f"{number}. (and {' '.join(goal)})" for number, goal in enumerate(_goals(problem), 1)]
    return "\n".join([text, *given, *goals])


def _as_list(problem: JSON) -> str:
    domain, found = DOMAINS[problem["domain"]], problem_of(problem)
    lines = ["Actions:"]
    for schema in domain.schemas.values():
        lines += [
            f"- {write_atom((schema.name, *(name for name, _ in schema.parameters)))}, {_typed(schema)}",
            f"  precondition: {_literals(schema.needs, schema.bars)}",
            f"  effect: {_literals(schema.adds, schema.deletes)}",
        ]
    return "\n".join(
        [
            *lines,
            *_subtypes(domain.types),
            "Objects:",
            *(f"- {type}: {', '.join(names)}" for type, names in _by_type(found.objects).items()),
            f"Initial state: {', '.join(map(write_atom, found.start))}",
            *([f"Goal: {', '.join(map(write_atom, found.goal))}"] if found.goal else []),
            *(["Given actions:"] if _given(problem) else []),
            *(f"{number}. {step}" for number, step in enumerate(_given(problem), 1)),
            *(["Candidate goals:"] if _goals(problem) else []),
            *(f"{number}. {', '.join(goal)}" for number, goal in enumerate(_goals(problem), 1)),
        ]
    )


def _as_json(problem: JSON) -> str:
    domain, found = DOMAINS[problem["domain"]], problem_of(problem)
    actions = {
        schema.name: {
            "parameters": dict(schema.parameters),
            "precondition": {"true": list(map(write_atom, schema.needs)), "not": list(map(write_atom, schema.bars))},
            "effect": {"true": list(map(write_atom, schema.adds)), "not": list(map(write_atom, schema.deletes))},
        }
        for schema in domain.schemas.values()
    }
    parts: dict[str, Any] = {
        "supertypes": dict(domain.types),
        "actions": actions,
        "objects": dict(found.objects),
        "initial state": list(map(write_atom, found.start)),
        **({"goal": list(map(write_atom, found.goal))} if found.goal else {}),
        **({"given actions": _given(problem)} if _given(problem) else {}),
        **({"candidate goals": dict(enumerate(_goals(problem), 1))} if _goals(problem) else {}),
    }
    return "\n".join(
        ["The problem as JSON:", *(f"{json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items())]
    )


def _as_sheet(problem: JSON) -> str:
    domain, found = DOMAINS[problem["domain"]], problem_of(problem)
    lines = [
        f"{schema.name} [{_typed(schema)}] | if {_literals(schema.needs, schema.bars)} | then "
        f"{_literals(schema.adds, schema.deletes)}"
        for schema in domain.schemas.values()
    ]
    objects = "; ".join(f"{name} is {with_article(type)}" for name, type in found.objects.items())
    ends = [
        f"initial state = {' '.join(map(write_atom, found.start))}",
        *([f"goal = {' '.join(map(write_atom, found.goal))}"] if found.goal else []),
        *([f"given actions = {' '.join(_given(problem))}"] if _given(problem) else []),
        *(f"candidate {number} = {' '.join(goal)}" for number, goal in enumerate(_goals(problem), 1)),
    ]
    return "\n".join([*lines, *_subtypes(domain.types), objects, *ends])


DATA: Final[Variants[Rendering]] = Variants(_as_pddl, _as_list, _as_json, held_out=_as_sheet, name="data")


def _given(problem: JSON) -> list[str]:
    """The actions that a problem comes with."""
    return list(problem.get("given", []))


def _goals(problem: JSON) -> list[list[str]]:
    """The candidate goals that a problem comes with, each as facts."""
    return [[write_atom(tuple(atom)) for atom in goal] for goal in problem.get("goals", [])]


def _typed(schema: Schema) -> str:
    return ", ".join(f"{name} is {with_article(type)}" for name, type in schema.parameters)


def _literals(holds: tuple[Atom, ...], fails: tuple[Atom, ...]) -> str:
    return ", ".join([*map(write_atom, holds), *(f"not {write_atom(atom)}" for atom in fails)])


def _by_type(objects: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, type in objects.items():
        found.setdefault(type, []).append(name)
    return found


def _subtypes(types: Mapping[str, str]) -> list[str]:
    below = [f"every {type} is a {above}" for type, above in types.items() if above != "object"]
    return [f"Types: {'; '.join(below)}"] if below else []
