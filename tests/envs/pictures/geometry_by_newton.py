"""Plane figures by Newton's method: coordinates that satisfy the givens of geometry-v0, found without its engine.

It reads the prompt in the plain wording, makes an equation of each fact and each given value, and starts from the drawing,
which is not to scale. What it measures at the end is the answer. Another start gives another figure with the same givens, and
the answer must be the same.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from math import atan2, degrees, hypot, radians, sqrt
from typing import Any, NamedTuple

import numpy as np

Figure = dict[str, tuple[float, float]]


class Solution(NamedTuple):
    """Coordinates that satisfy everything, and whether the givens leave only one shape near them."""

    at: Figure
    fixed: bool


_QUESTIONS = {
    "angle": r"Find the size of angle (\w+) in",
    "length": r"the segment (\w+)\.",
    "area": r"of triangle (\w+)\.",
}
_FACTS = {
    "centre": r"(\w) is the centre of the circle",
    "tangents": r"The line (\w)(\w) is tangent to the circle at (\w)",
    "regular": r"(\w+) is a regular \w+",
    "parallel": r"(\w)(\w) is parallel to (\w)(\w)",
    "right": r"Angle (\w)(\w)(\w) is a right angle",
    "halves": r"Angle (\w+) = angle (\w+)",
    "angle": r"Angle (\w+) = (.+) degrees",
    "equal": r"([A-Z]{2}(?: = [A-Z]{2})+)",
    "length": r"([A-Z]{2}) = (.+)",
}


def read(prompt: str, drawing: Any) -> Any:
    """What a prompt states, with the places of the drawing as a start."""
    said = re.search(r"points in order: (.+)\.", prompt)
    assert said, prompt
    lines = [line.split("-") for line in said[1].split("; ")]
    rings = re.findall(r"The points (.+) are on a circle, in this order", prompt)
    circles = [
        {**one, "centre": "", "points": re.findall("[A-Z]", ring)}
        for one, ring in zip(drawing["circles"], rings, strict=True)
    ]
    found: dict[str, Any] = {
        name: [] for name in ("tangents", "regular", "parallel", "right", "halves", "equal", "givens")
    }
    found |= {"points": drawing["points"], "lines": lines, "circles": circles}
    for fact in re.findall(r"^- (.+)\.$", prompt.partition("Given:\n")[2].partition("\n\n")[0], re.MULTILINE):
        kind, match = next((kind, match) for kind, form in _FACTS.items() if (match := re.fullmatch(form, fact)))
        parts = match.groups()
        if kind == "centre":
            circles[0]["centre"] = parts[0]
        elif kind == "tangents":
            found[kind].append((_line(lines, *parts[:2]), 0, parts[2]))
        elif kind == "parallel":
            found[kind].append((_line(lines, *parts[:2]), _line(lines, *parts[2:])))
        elif kind in ("angle", "length"):
            found["givens"].append({"kind": kind, "of": list(parts[0]), "value": parts[1]})
        elif kind == "equal":
            found[kind].append([tuple(pair) for pair in parts[0].split(" = ")])
        else:
            found[kind].append([*map(list, parts)] if kind == "halves" else list("".join(parts)))
    asked = [
        {"kind": kind, "of": list(match[1])} for kind, form in _QUESTIONS.items() if (match := re.search(form, prompt))
    ]
    [found["asked"]] = asked
    return found


def _line(lines: list[list[str]], a: str, b: str) -> int:
    return next(at for at, line in enumerate(lines) if {a, b} <= {*line})


def value_of(text: str) -> float:
    """A given value: sums of ``7sqrt(3)/2`` and fractions."""
    found = 0.0
    for sign, part in re.findall(r"([+-]?)\s*([^+-]+)", text.replace(" ", "")):
        top, _, over = part.partition("/")
        factor, _, root = top.partition("sqrt")
        size = float(factor or 1) * (sqrt(float(root.strip("()"))) if root else 1.0) / float(over or 1)
        found += -size if sign == "-" else size
    return found


def angle(at: Figure, a: str, v: str, b: str) -> float:
    """An angle in radians, from 0 to pi."""
    (x, y), (p, q), (r, s) = at[v], at[a], at[b]
    p, q, r, s = p - x, q - y, r - x, s - y
    return abs(atan2(p * s - q * r, p * r + q * s))


def measured(at: Figure, kind: str, of: list[str]) -> float:
    """A length, an angle in degrees, or an area."""
    if kind == "angle":
        return degrees(angle(at, *of))
    p, q, *rest = (at[name] for name in of)
    if kind == "length":
        return hypot(p[0] - q[0], p[1] - q[1])
    [r] = rest
    return abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / 2


def errors(problem: Any, at: Figure, circles: list[tuple[float, float, float]], skip: int | None = None) -> list[float]:
    """One number for each fact and each given value; all are zero if they hold. ``skip`` leaves out one given value."""

    def vector(a: str, b: str) -> tuple[float, float]:
        return at[b][0] - at[a][0], at[b][1] - at[a][1]

    def cross(u: tuple[float, float], v: tuple[float, float]) -> float:
        return (u[0] * v[1] - u[1] * v[0]) / (hypot(*u) * hypot(*v))

    def dot(u: tuple[float, float], v: tuple[float, float]) -> float:
        return (u[0] * v[0] + u[1] * v[1]) / (hypot(*u) * hypot(*v))

    def length(a: str, b: str) -> float:
        return hypot(*vector(a, b))

    lines, found = problem["lines"], list[float]()
    for line in lines:
        found += [cross(vector(line[0], line[-1]), vector(line[0], name)) for name in line[1:-1]]
    for one, (x, y, r) in zip(problem["circles"], circles, strict=True):
        found += [hypot(at[name][0] - x, at[name][1] - y) - r for name in one["points"]]
        if one["centre"]:
            found += [at[one["centre"]][0] - x, at[one["centre"]][1] - y]
    for line, circle, touch in problem["tangents"]:
        x, y, _ = circles[circle]
        found.append(dot(vector(lines[line][0], lines[line][-1]), (at[touch][0] - x, at[touch][1] - y)))
    for a, b in problem["parallel"]:
        found.append(cross(vector(lines[a][0], lines[a][-1]), vector(lines[b][0], lines[b][-1])))
    found += [dot(vector(v, a), vector(v, b)) for a, v, b in problem["right"]]
    for first, *others in problem["equal"]:
        found += [length(*other) - length(*first) for other in others]
    found += [angle(at, *one) - angle(at, *other) for one, other in problem["halves"]]
    for names in problem["regular"]:
        sides = [length(names[k - 1], names[k]) for k in range(len(names))]
        found += [side - sides[0] for side in sides[1:]]
        corners = [angle(at, names[k - 2], names[k - 1], names[k]) for k in range(len(names))]
        found += [corner - corners[0] for corner in corners[1:]]
    for k, one in enumerate(problem["givens"]):
        if k != skip:
            value = value_of(one["value"])
            if one["kind"] == "angle":
                found.append(angle(at, *one["of"]) - radians(value))
            else:
                found.append(length(*one["of"]) / value - 1)
    return found


def orders(problem: Any, at: Figure) -> list[bool]:
    """On which side of each line each point is, and the order of points along lines."""
    found = []
    for line in problem["lines"]:
        (x, y), (p, q) = at[line[0]], at[line[-1]]
        found += [(p - x) * (s - y) > (q - y) * (r - x) for name, (r, s) in at.items() if name not in line]
        along = [(at[name][0] - x) * (p - x) + (at[name][1] - y) * (q - y) for name in line]
        found += [a < b for a, b in pairwise(along)]
    return found


def similar(one: Figure, other: Figure) -> bool:
    """Whether two figures have the same shape, up to about a thousandth."""
    sizes = [[hypot(a[0] - b[0], a[1] - b[1]) for a, b in combinations(at.values(), 2)] for at in (one, other)]
    return all(abs(a / max(sizes[0]) - b / max(sizes[1])) < 1e-3 for a, b in zip(*sizes, strict=True))


def solved(problem: Any, shake: float, seed: int, skip: int | None = None) -> Solution | None:
    """Coordinates that satisfy everything; None if this start leads nowhere."""
    names = list(problem["points"])
    drawn = {name: (float(x), -float(y)) for name, (x, y) in problem["points"].items()}
    known = [one for one in problem["givens"] if one["kind"] == "length"]
    scale = value_of(known[0]["value"]) / measured(drawn, "length", known[0]["of"]) if known else 0.02
    start = [scale * value for name in names for value in drawn[name]]
    for one in problem["circles"]:
        (x, y), r = one["middle"], one["radius"]
        start += [scale * x, -scale * y, scale * r]
    rng = np.random.default_rng(seed)
    place = np.array(start) + shake * scale * rng.standard_normal(len(start))

    def parts(x: Any) -> tuple[Figure, list[tuple[float, float, float]]]:
        at = {name: (float(x[2 * k]), float(x[2 * k + 1])) for k, name in enumerate(names)}
        rest = [float(value) for value in x[2 * len(names) :]]
        return at, [(rest[k], rest[k + 1], rest[k + 2]) for k in range(0, len(rest), 3)]

    step, damping = 1e-7 * max(1.0, float(np.abs(place).max())), 1e-3
    wrong = np.array(errors(problem, *parts(place), skip))

    def slopes() -> Any:
        slope = np.empty((len(wrong), len(place)))
        for k in range(len(place)):
            other = place.copy()
            other[k] += step
            slope[:, k] = (np.array(errors(problem, *parts(other), skip)) - wrong) / step
        return slope

    for _ in range(60):
        if float(np.abs(wrong).max()) < 1e-10:
            break
        slope = slopes()
        while damping < 1e8:
            square = slope.T @ slope + damping * np.eye(len(place))
            moved = place - np.linalg.solve(square, slope.T @ wrong)
            again = np.array(errors(problem, *parts(moved), skip))
            if float(again @ again) < float(wrong @ wrong):
                place, wrong, damping = moved, again, max(damping / 10, 1e-12)
                break
            damping *= 10
        else:
            return None
    at, _ = parts(place)
    if float(np.abs(wrong).max()) > 1e-8 or orders(problem, at) != orders(problem, drawn):
        return None
    sized = any(one["kind"] == "length" for k, one in enumerate(problem["givens"]) if k != skip)
    motions = 3 if sized else 4  # two shifts and a turn, and a change of size if no length is given
    return Solution(at, len(place) - int(np.linalg.matrix_rank(slopes(), tol=1e-5)) == motions)
