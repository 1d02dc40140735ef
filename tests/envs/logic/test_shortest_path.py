"""shortest-path-v0: any cheapest path counts, with its true cost, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.envs.logic.shortest_path import Params, ShortestPath
from envhub.generators.graphs import weighted

EDGES = [["A", "B", 2], ["B", "D", 3], ["A", "C", 4], ["C", "D", 1], ["A", "D", 6], ["D", "E", 1]]


def instance(directed: bool = False) -> Instance:
    return Instance({"directed": directed, "edges": EDGES, "start": "A", "goal": "E"}, key="A -> B -> D -> E, cost 6")


def verdict(text: str, directed: bool = False) -> Verdict:
    turn: Any = ShortestPath().advance(instance(directed), None, f"<answer>{text}</answer>", None)  # type: ignore[arg-type]
    return turn.verdict  # type: ignore[no-any-return]


def drawn(level: int, seed: int) -> Instance:
    for attempt in range(100):
        found = ShortestPath().sample(Stream(b"test", level, seed, attempt), Params.at(level))
        if found is not None:
            return found
    raise AssertionError("nothing drawn")


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("text", ["A -> B -> D -> E, cost 6", "A -> C -> D -> E, cost 6", "a, c, d, e = 6"])
def test_every_cheapest_path_counts(text: str, directed: bool) -> None:
    assert verdict(text, directed).solved


@pytest.mark.parametrize(
    ("text", "breach"),
    [
        ("A -> D -> E, cost 7", "a dearer path"),
        ("A -> D -> E, cost 6", "a false claim of the optimum"),
        ("A -> B -> D -> E, cost 5", "a false cost"),
        ("A -> B -> D -> E, cost 7", "a false cost"),
        ("A -> E, cost 6", "no such edge"),
        ("A -> Z -> E, cost 6", "no such node"),
        ("A -> B -> D, cost 5", "it ends too early"),
        ("B -> D -> E, cost 4", "it starts elsewhere"),
        ("E -> D -> B -> A, cost 6", "the wrong way round"),
        ("A -> B -> A -> B -> D -> E, cost 10", "to and fro"),
        ("A -> A -> B -> D -> E, cost 6", "a node twice"),
        ("A, cost 0", "one node"),
    ],
)
def test_what_is_no_cheapest_path_does_not_count(text: str, breach: str) -> None:
    found = verdict(text)
    assert (found.solved, found.score, found.status) == (False, 0.0, "graded"), breach
    assert found.feedback


def test_one_way_edges_are_not_used_backwards() -> None:
    back = Instance(
        {"directed": True, "edges": [["B", "A", 1], ["A", "C", 9], ["C", "B", 1]], "start": "A", "goal": "B"}, ""
    )
    right, wrong = (ShortestPath().answer.parse(text) for text in ("A -> C -> B, cost 10", "A -> B, cost 1"))
    assert ShortestPath().grade(back, right).solved
    assert not ShortestPath().grade(back, wrong).solved


@pytest.mark.parametrize("level", LEVELS)
def test_problems_are_as_the_parameters_say(level: int) -> None:
    p = Params.at(level)
    for seed in range(10):
        inst = drawn(level, seed)
        edges, start, goal = (inst.problem[name] for name in ("edges", "start", "goal"))
        route = weighted.cheapest(edges, start, goal, directed=p.directed)
        assert route is not None
        assert len(route.nodes) - 1 == p.hops
        if p.detour:
            fewest = weighted.fewest_edges(edges, start, goal, directed=p.directed)
            assert fewest is not None
            assert fewest < p.hops
        assert len({v for a, b, _ in edges for v in (a, b)}) == p.nodes
        assert len({frozenset((a, b)) for a, b, _ in edges}) == p.edges
        assert inst.key not in ShortestPath().worded(inst.problem)


def test_names_tell_nothing() -> None:
    starts = [drawn(3, seed).problem["start"] for seed in range(120)]
    assert max(starts.count(name) for name in starts) < 20


@pytest.mark.parametrize("bad", [{"edges": 3}, {"edges": 40}, {"hops": 8}, {"weight": 1}])
def test_parameters_that_make_no_graph_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"hold|greater"):
        Params(**bad)


def test_graphs_of_more_nodes_than_letters_have_longer_names() -> None:
    found = ShortestPath().sample(Stream(b"large"), Params(nodes=60, edges=120, hops=5))
    assert found is not None
    assert ShortestPath().grade(found, ShortestPath().answer.parse(found.key)).solved
