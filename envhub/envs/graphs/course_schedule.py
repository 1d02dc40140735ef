"""course-schedule-v0: order courses by their prerequisites, or find a cycle.

Action: all courses in a valid order, or a cycle of prerequisites. Any such order or cycle counts; half of the problems
have an order. Difficulty: more courses and prerequisites. Effort is the number of courses and prerequisites that Kahn's
algorithm visits. Names and the order of edges do not change the problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, Stream, drawn_graph, knob, levels
from envhub.generators.graphs.orders import shortest_cycle, topological_order
from envhub.generators.graphs.shapes import acyclic, with_cycle
from envhub.generators.graphs.tours import fault
from envhub.verifiers.answers.graphs import Route


class CourseSchedule(GraphTask):
    """Find an order of courses, or a cycle of prerequisites."""

    Params = levels(
        nodes=knob("number of courses", 8, 9, 10, 11, 13, 15, 18, 22, 27, 32, at_least=5, at_most=60),
        edges=knob("number of prerequisites", 11, 13, 15, 18, 22, 27, 34, 43, 54, 66, at_least=5, at_most=150),
    )
    answer = Route(called="the courses of the order or of the cycle, joined by arrows")
    tie = None
    data = drawn_graph()
    task = Phrase(
        "Find an order in which all {count} courses can be taken one after another, or a cycle that makes this impossible.",
        "Can all {count} courses be taken one after another? Give a valid order, or a cycle of prerequisites.",
        "Schedule all {count} courses one by one. If this is impossible, show a cycle of prerequisites.",
        held_out="Determine a schedule of the {count} courses, or a cycle of prerequisites which proves that none exists.",
    )
    rules = (
        Phrase(
            "The nodes are courses. An edge from one course to another means that the first must be taken before the second.",
            "Each node is a course, and an edge leads from a prerequisite to the course that requires it.",
            "Nodes stand for courses. An edge leads from a course to one that may only be taken after it.",
            held_out="Nodes denote courses. An edge u -> v states that u is a prerequisite of v.",
        ),
        Phrase(
            "If an order exists, list every course exactly once, the first course first.",
            "A valid order contains each course once, from the first course taken to the last.",
            "To give an order, name each course exactly once, starting with the one that is taken first.",
            held_out="A schedule is a permutation of the courses in which u precedes v for every edge u -> v.",
        ),
        Phrase(
            "If no order exists, give a cycle: follow edges in their direction and end at the course where you began.",
            "If it is impossible, give courses joined by edges in their direction, which end with the course they begin with.",
            "A cycle follows the directed edges from a course back to itself. Write that course at both ends.",
            held_out="A cycle is a closed walk. Its first course is written again as the last one.",
        ),
        Phrase(
            "Any valid order or cycle counts.",
            "If there are several valid orders or cycles, give any of them.",
            "Every valid order and every cycle is accepted.",
            held_out="The order or cycle need not be unique. Each valid one is graded as correct.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Prerequisites without a cycle, or with one of at least three courses."""
        pairs = acyclic(rng, p.nodes, p.edges) if rng.below(2) else with_cycle(rng, p.nodes, p.edges)
        return None if pairs is None else self.stated(rng, p.nodes, pairs, directed=True)

    def best(self, problem: JSON) -> Optimum:
        """By Kahn's algorithm, and a search for a shortest cycle."""
        graph = Graph.of(problem)
        return Optimum(0, topological_order(graph) or shortest_cycle(graph), len(graph.nodes) + len(graph.edges))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """0 if the order or the cycle is valid.

        A closed walk that repeats courses proves as much as a cycle, so it counts.
        """
        graph = Graph.of(problem)
        if len(witness) > 1 and witness[0] == witness[-1]:
            return fault(graph, witness) or 0
        if sorted(witness) != problem["nodes"]:
            return "An order must contain each course exactly once, and a cycle must return to its first course."
        place = {node: at for at, node in enumerate(witness)}
        late = next(((one, other) for one, other, _ in graph.edges if place[one] > place[other]), None)
        return 0 if late is None else f"{late[0]} is a prerequisite of {late[1]} and must come before it."

    def greedy(self, problem: JSON) -> list[Any]:
        """Courses by name, the answer reversed, and a short cycle."""
        found = self.best(problem).witness
        one, other = problem["edges"][0]
        return [tuple(problem["nodes"]), found[::-1], (one, other, one)]
