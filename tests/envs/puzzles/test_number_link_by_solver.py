"""number-link-v0: judged by another reading of the rules, on its keys, other solutions and changed boards."""

from __future__ import annotations

import networkx
import pytest
from ortools.sat.python import cp_model

from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from tests.families.members import problems

pytestmark = pytest.mark.slow  # networkx and ortools


def joined(problem: JSON, board: list[list[int]]) -> bool:
    """Whether a board is right, by the graph of equal neighbours."""
    cells = {(r, c): number for r, row in enumerate(board) for c, number in enumerate(row)}
    graph = networkx.Graph()
    graph.add_nodes_from(cells)
    for r, c in cells:
        graph.add_edges_from(((r, c), to) for to in ((r, c + 1), (r + 1, c)) if cells.get(to) == cells[r, c])
    walls = {divmod(cell, problem["width"]) for cell in problem["walls"]}
    if {cell for cell, number in cells.items() if number == 0} != walls:
        return False
    parts = [part for part in networkx.connected_components(graph) if not part <= walls]
    if len(parts) != len(problem["ends"]):
        return False
    for number, ends in enumerate(problem["ends"], 1):
        first, last = (divmod(cell, problem["width"]) for cell in ends)
        part = graph.subgraph(networkx.node_connected_component(graph, first))
        path = networkx.shortest_path(part, first, last) if last in part else []
        if len(path) != len(part) or part.number_of_edges() != len(part) - 1 or cells[first] != number:
            return False
    return True


def other_solution(inst: Instance) -> list[list[int]] | None:
    """A solution that differs from the key, by a solver of constraints."""
    problem, model = inst.problem, cp_model.CpModel()
    height, width, count = problem["height"], problem["width"], len(problem["ends"])
    ends = {cell: number for number, pair in enumerate(problem["ends"], 1) for cell in pair}
    has = {(cell, k): model.new_bool_var("") for cell in range(height * width) for k in range(1, count + 1)}
    for cell in range(height * width):
        model.add(sum(has[cell, k] for k in range(1, count + 1)) == (cell not in problem["walls"]))
        r, c = divmod(cell, width)
        near = [
            (r + a) * width + c + b
            for a, b in ((0, 1), (0, -1), (1, 0), (-1, 0))
            if 0 <= r + a < height and 0 <= c + b < width
        ]
        for k in range(1, count + 1):
            model.add(sum(has[to, k] for to in near) == (1 if cell in ends else 2)).only_enforce_if(has[cell, k])
    for cell, number in ends.items():
        model.add(has[cell, number] == 1)
    free = [cell for cell in range(height * width) if cell not in problem["walls"]]
    model.add(sum(has[cell, inst.key[cell]] for cell in free) < len(free))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    value = [next((k for k in range(1, count + 1) if solver.value(has[cell, k])), 0) for cell in range(height * width)]
    return [value[at : at + width] for at in range(0, len(value), width)]


def test_other_boards_are_judged_as_the_rules_say() -> None:
    right = 0
    for level in (1, 3, 5):
        for env, inst in problems("number-link-v0", level, 6):
            width = inst.problem["width"]
            key = [inst.key[at : at + width] for at in range(0, len(inst.key), width)]
            assert joined(inst.problem, key)
            other = other_solution(inst)
            if other is not None:  # it may hold a closed line, which is wrong
                assert env.grade(inst, other).solved == joined(inst.problem, other)
            rng = Stream(b"boards", level)
            for _ in range(20):
                board = [list(row) for row in key]
                board[rng.below(len(board))][rng.below(width)] = rng.below(len(inst.problem["ends"]) + 1)
                right += joined(inst.problem, board)
                assert env.grade(inst, board).solved == joined(inst.problem, board)
    assert 0 < right < 360


def test_a_closed_line_is_wrong_in_both_readings() -> None:
    ends = [[4, 6], [7, 11], [0, 20]]
    board = [[3, 1, 1, 1, 1], [3, 1, 2, 2, 2], [3, 2, 1, 1, 2], [3, 2, 1, 1, 2], [3, 2, 2, 2, 2]]
    assert not joined({"height": 5, "width": 5, "ends": ends, "walls": []}, board)
