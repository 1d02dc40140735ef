"""Renderings of graphs, trees and maps: each of them tells the whole problem, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.graphs.largest_island import LargestIsland
from envhub.envs.graphs.maxflow import MaximumFlow
from envhub.envs.graphs.mst import SpanningTree
from envhub.envs.graphs.reach import Reach
from envhub.envs.graphs.tree_edit import TreeEdit
from envhub.envs.graphs.vertex_cover import VertexCover
from envhub.families.member import Member
from envhub.generators.graphs.maps import land

NAME = r"([A-Za-z0-9]+)"
Edges = list[tuple[Any, ...]]


def listed(text: str) -> Edges:
    found = re.findall(rf"^{NAME} ->? {NAME}(?:: (\d+))?$", text, re.M)
    return [(one, other, int(weight or 1)) for one, other, weight in found]


def neighbors(text: str) -> Edges:
    lines = [line.partition(": ") for line in text.splitlines()[1:]]
    return [(one, *ways) for one, _, others in lines for ways in _ways(others) if others != "none"]


def _ways(text: str) -> Edges:
    found = re.findall(rf"{NAME}(?: \((?:\w+ )?(\d+)\))?(?:, | and |$)", text)
    return [(name, int(weight or 1)) for name, weight in found]


def from_json(text: str) -> Edges:
    return [(edge[0], edge[1], *(edge[2:] or [1])) for edge in json.loads(text.splitlines()[1])["edges"]]


def prose(text: str) -> Edges:
    found = re.findall(rf"(?:^|\. ){NAME} (?:is connected to|has edges? to|has an edge to) ([^.]*)(?=\.)", text)
    return [(one, *way) for one, others in found for way in _ways(others)]


def matrix(text: str) -> Edges:
    nodes = re.search(r"in this order: ([^.]*)\.", text)[1].split(", ")  # type: ignore[index]
    rows = {line.partition(": ")[0]: line.partition(": ")[2].split() for line in text.splitlines()[1:]}
    return [(one, nodes[at], int(cell)) for one, cells in rows.items() for at, cell in enumerate(cells) if cell != "."]


def dot(text: str) -> Edges:
    found = re.findall(rf"^  {NAME} -[->] {NAME}(?: \[\w+=(\d+)\])?;$", text, re.M)
    return [(one, other, int(weight or 1)) for one, other, weight in found]


READERS: tuple[Callable[[str], Edges], ...] = (listed, neighbors, from_json, prose, matrix, dot)
TWICE = (neighbors, matrix)  # an edge without a direction is shown at both ends


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@pytest.mark.parametrize("member", [SpanningTree, VertexCover, MaximumFlow, Reach])
def test_every_rendering_holds_the_whole_graph(member: type[Member], reader: Callable[[str], Edges]) -> None:
    for level in (1, 2):
        problem = _drawn(member, level)
        text = list(member.data)[READERS.index(reader)](problem)
        wanted = [(edge[0], edge[1], *(edge[2:] or [1])) for edge in problem["edges"]]
        if not problem["directed"]:
            ends = [(other, one, weight) for one, other, weight in wanted]
            wanted = wanted + ends if reader in TWICE else [(*sorted(edge[:2]), edge[2]) for edge in wanted]
        found = reader(text)
        if not problem["directed"] and reader not in TWICE:
            found = [(*sorted(edge[:2]), edge[2]) for edge in found]
        assert sorted(found) == sorted(wanted)
        assert all(re.search(rf"\b{node}\b", text) for node in problem["nodes"])


def test_a_matrix_that_would_be_too_wide_is_a_list_of_neighbors() -> None:
    problem = _drawn(SpanningTree, 10)
    _, as_neighbors, _, _, as_matrix, _ = SpanningTree.data
    assert as_matrix(problem) == as_neighbors(problem)


def test_every_rendering_of_a_tree_holds_the_whole_tree() -> None:
    problem = _drawn(TreeEdit, 5)
    readers = (_from_brackets, _from_outline, _from_lists, _from_children)
    for reader, rendering in zip(readers, TreeEdit.data, strict=True):
        _, first, second = re.split(r"Tree [12]:\n", rendering(problem))
        assert [reader(first.strip("\n")), reader(second.strip("\n"))] == [problem["first"], problem["second"]]


def _from_lists(text: str) -> Any:
    def tree(nested: Any) -> Any:
        return [nested[0], [*map(tree, nested[1:])]]

    return tree(json.loads(text))


def _from_brackets(text: str) -> Any:
    quoted = re.sub(r"\w+", r'["\g<0>"]', text).replace('"](', '", ').replace(")", "]")
    return _from_lists(quoted)


def _from_outline(text: str) -> Any:
    depths = [(len(line) - len(line.lstrip())) // 2 for line in text.splitlines()]
    return _nested(text.split(), depths)[0]


def _nested(names: list[str], depths: list[int]) -> list[Any]:
    if not names:
        return []
    starts = [at for at, depth in enumerate(depths) if depth == min(depths)]
    ends = [*starts[1:], len(names)]
    return [[names[a], _nested(names[a + 1 : b], depths[a + 1 : b])] for a, b in zip(starts, ends, strict=True)]


def _from_children(text: str) -> Any:
    lines = [line.split(" -> ") for line in text.splitlines()]
    children = {name: [] if below == "(none)" else below.split() for name, below in lines}

    def tree(name: str) -> Any:
        return [name, [*map(tree, children[name])]]

    return tree(lines[0][0])


def test_every_rendering_of_a_map_holds_all_land() -> None:
    problem = _drawn(LargestIsland, 3)
    rows = problem["map"]
    grid, cells, as_json, columns, runs = (rendering(problem) for rendering in LargestIsland.data)
    assert [line.split()[1] for line in grid.splitlines()[2:]] == rows
    assert re.findall(r"\b[A-Z]\d+\b", cells.partition("land:")[2]) == list(land(rows).nodes)
    assert json.loads(as_json.partition("\n")[2]) == [[int(sign == "#") for sign in row] for row in rows]
    named = [line.partition(": ")[2] for line in columns.splitlines()[1:]]
    letters = [[chr(65 + at) for at, sign in enumerate(row) if sign == "#"] for row in rows]
    assert [[] if line == "none" else line.split(", ") for line in named] == letters
    coded = [re.findall(r"(\d+)([LW])", line.partition(": ")[2]) for line in runs.splitlines()[1:]]
    assert ["".join(("#" if kind == "L" else ".") * int(count) for count, kind in line) for line in coded] == rows


def _drawn(member: type[Member], level: int) -> JSON:
    environment: Any = member()
    rng = Stream(b"renderings", level)
    while True:
        problem = environment.draw(rng, member.Params.at(level))
        if problem is not None:
            return problem
