"""Answers about graphs: usual spellings, strict meaning."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.verifiers.answers.graphs import (
    EdgeSet,
    Flow,
    Groups,
    Labelling,
    NodeSet,
    Route,
    RouteOrSet,
    Witnessed,
)
from tests.verifiers.answers.reading import refused, tag, value_of

KINDS: tuple[Witnessed, ...] = (
    EdgeSet(value="weight"),
    EdgeSet(directed=True),
    Route(value="length"),
    Route(arrows=False),
    NodeSet(value="size"),
    Groups(value="number"),
    Labelling(),
    Flow(value="value"),
    RouteOrSet(),
)


@pytest.mark.parametrize(
    ("kind", "text", "witness", "value"),
    [
        (EdgeSet(value="w"), "B-A, C-D; 17", (("A", "B"), ("C", "D")), 17),
        (EdgeSet(value="w"), "b -- a , c \u2013 d ; 17", (("A", "B"), ("C", "D")), 17),
        (EdgeSet(value="w"), "(A, B), (C, D), total weight 17", (("A", "B"), ("C", "D")), 17),
        (EdgeSet(value="w"), '[["A", "B"], ["C", "D"]]; 17', (("A", "B"), ("C", "D")), 17),
        (EdgeSet(value="w"), "{A-B, C-D}; weight = 17", (("A", "B"), ("C", "D")), 17),
        (EdgeSet(value="w"), "A-B\nC-D\n; 17", (("A", "B"), ("C", "D")), 17),
        (EdgeSet(value="w"), "12-7, 7-3 (cost 9)", (("12", "7"), ("3", "7")), 9),
        (EdgeSet(directed=True), "B -> A, C -> D", (("B", "A"), ("C", "D")), 0),
        (Route(value="c"), "A \u2192 B \u2192 C; 9", ("A", "B", "C"), 9),
        (Route(value="c"), "[A, B, C], cost 9", ("A", "B", "C"), 9),
        (Route(value="c"), "A-B-C = 9", ("A", "B", "C"), 9),
        (Route(value="c"), "A => B => A; total length: 9", ("A", "B", "A"), 9),
        (NodeSet(value="n"), "{F, a, C}; 3", ("A", "C", "F"), 3),
        (NodeSet(value="n"), "\\{A, C\\}, size 2", ("A", "C"), 2),
        (NodeSet(value="n"), "A, C; 2", ("A", "C"), 2),
        (Groups(value="n"), "{C, A}, {B}; 2", (("A", "C"), ("B",)), 2),
        (Groups(value="n"), '[["B"], ["A", "C"]]; 2', (("A", "C"), ("B",)), 2),
        (Labelling(value="n"), "{A: red, B = blue}; 2", (("A", "RED"), ("B", "BLUE")), 2),
        (Labelling(), "A -> X, B is Y", (("A", "X"), ("B", "Y")), 0),
        (Flow(value="v"), "A -> B: 3, B->C (3), C->D: 0; 3", (("A", "B", 3), ("B", "C", 3)), 3),
        (RouteOrSet(), "A -> C", (0, ("A", "C")), 0),
        (RouteOrSet(), "{C, A}", (1, ("A", "C")), 0),
    ],
)
def test_usual_spellings_are_read(kind: Witnessed, text: str, witness: Any, value: int) -> None:
    assert tuple(value_of(kind, tag(text))) == (witness, value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (EdgeSet(value="w"), "A-B, B-A; 17"),  # the same edge
        (EdgeSet(value="w"), "A-A; 17"),
        (EdgeSet(value="w"), "A-B, C-D"),
        (EdgeSet(value="w"), "A-B, C; 17"),
        (EdgeSet(value="w"), "A-B-C; 17"),
        (EdgeSet(value="w"), "A-B C-D; 17"),
        (EdgeSet(value="w"), "; 17"),
        (EdgeSet(value="w"), "A-B; -17"),
        (EdgeSet(value="w"), "A-B; 17.5"),
        (EdgeSet(value="w"), "A-B; \u0661\u0667"),
        (EdgeSet(), "A-B; 17"),
        (Route(value="c"), "A -> B, C; 9"),
        (Route(value="c"), "not A -> B; 9"),
        (Route(value="c"), "A -> B; 9 or 8"),
        (NodeSet(value="n"), "{A, A}; 2"),
        (NodeSet(value="n"), "{}; 0"),
        (NodeSet(value="n"), "{A C}; 2"),
        (NodeSet(value="n"), "{A, C; 2"),
        (NodeSet(), "{" + ", ".join(f"N{at}" for at in range(700)) + "}"),
        (Groups(value="n"), "{A, B}, {B}; 2"),
        (Groups(value="n"), "A, B; 2"),
        (Labelling(), "A:1, A:2"),
        (Labelling(), "A"),
        (Flow(value="v"), "A -> B: 3, A -> B: 4; 7"),
        (Flow(value="v"), "A -> B: -3; 3"),
        (RouteOrSet(), "A -> C or {A}"),
    ],
)
def test_everything_else_is_rejected(kind: Witnessed, text: str) -> None:
    assert refused(kind, tag(text)) == "unreadable"


def test_only_edges_with_a_direction_differ_when_turned_round() -> None:
    assert EdgeSet().parse("A-B") == EdgeSet().parse("B-A")
    assert EdgeSet(directed=True).parse("A -> B") != EdgeSet(directed=True).parse("B -> A")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)
@given(key=st.binary(max_size=8))
def test_what_is_written_is_read(kind: Witnessed, key: bytes) -> None:
    rng = Stream(key)
    value = rng.below(50) if kind.value else 0
    drawn = kind.drawn("CDEFGHIJ", rng)
    claim = kind.parse(kind.write(drawn, value))
    assert claim == kind.parse(kind.write(claim.witness, claim.value))
    assert claim.value == value


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)
def test_the_prompt_names_the_value(kind: Witnessed) -> None:
    assert (kind.value or "Include") in kind.instruction()
    assert kind.read(tag(kind.example)).formatted
