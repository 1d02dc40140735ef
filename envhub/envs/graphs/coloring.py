"""graph-coloring-v0: colour a graph with as few colours as possible.

Action: a colour for each node, and how many colours are used. Any best colouring counts. Difficulty: more nodes and
edges. Effort is the number of comparisons of an exact search. Names, the order of edges and the numbers of colours do
not change the problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from envhub.families.graph_kit import JSON, Graph, GraphTask, Optimum, Phrase, drawn_graph, knob, levels
from envhub.generators.graphs.coloring import fewest_colors, greedy_coloring
from envhub.verifiers.answers.graphs import Labelling

_PALETTE: Final = ("red", "green", "blue", "yellow", "purple", "orange", "pink", "gray")
_LIMIT: Final = 16  # comparisons per edge; a longer search would make the effort of a level vary too much


class Coloring(GraphTask):
    """Find a proper colouring with the fewest colours."""

    Params = levels(
        nodes=knob("number of nodes", 9, 10, 11, 13, 15, 17, 19, 22, 25, 28, at_least=5, at_most=30),
        edges=knob("number of edges", 15, 18, 22, 28, 35, 42, 49, 59, 69, 80, at_least=5, at_most=100),
        colors=knob("smallest sufficient number of colors", 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, at_least=3, at_most=5),
    )
    answer = Labelling(value="number of colors", called="each node with its color after a colon, separated by commas")
    data = drawn_graph()
    task = Phrase(
        "Color the nodes of this graph with as few colors as possible.",
        "Find a proper coloring of this graph that uses the smallest possible number of colors.",
        "What is the smallest number of colors in a proper coloring of the graph, and which coloring achieves it?",
        held_out="Determine the chromatic number of the graph, and a coloring that attains it.",
    )
    rules = (
        Phrase(
            "Nodes that are joined by an edge must have different colors.",
            "The two ends of each edge must differ in color.",
            "No edge may join two nodes of the same color.",
            held_out="For each edge u - v, color(u) and color(v) differ.",
        ),
        Phrase(
            "Each of the {count} nodes gets exactly one of the colors {palette}.",
            "Give every one of the {count} nodes one color. The colors are {palette}.",
            "Write one color for each of the {count} nodes. You may use the colors {palette}.",
            held_out="A coloring maps each of the {count} nodes to one element of the set {{{palette}}}.",
        ),
    )

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """As many colours are needed as the level demands."""
        return bool(found.value == p.colors)

    def best(self, problem: JSON) -> Optimum | None:
        """By search with backtracking."""
        found = fewest_colors(Graph.of(problem), limit=_LIMIT * len(problem["edges"]))
        return found and found._replace(witness=_painted(found.witness))

    def worth(self, problem: JSON, witness: Any) -> int | str:
        """The number of colours of a proper colouring."""
        color = dict(witness)
        if sorted(color) != problem["nodes"]:
            return "Every node must have a color, and nothing else."
        if not set(color.values()) <= set(_PALETTE):
            return f"The colors are {', '.join(_PALETTE)}."
        for one, other in problem["edges"]:
            if color[one] == color[other]:
                return f"{one} and {other} are joined by an edge and have the same color."
        return len(set(color.values()))

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The palette as text."""
        return {"count": len(problem["nodes"]), "palette": ", ".join(_PALETTE)}

    def labels(self, problem: JSON) -> Iterable[str]:
        """Nodes and colours."""
        return [*problem["nodes"], *_PALETTE]

    def greedy(self, problem: JSON) -> list[Any]:
        """A greedy colouring, and one with another colour."""
        plain = _painted(greedy_coloring(Graph.of(problem)))
        return [plain, ((plain[0][0], _PALETTE[-1]), *plain[1:])]


def _painted(coloring: Any) -> tuple[tuple[str, str], ...]:
    """A colouring by numbers from 1, with the names of colours."""
    return tuple((node, _PALETTE[number - 1]) for node, number in coloring)
