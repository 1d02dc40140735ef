"""Renderings of graphs.

Training prompts show a list of edges, neighbours, JSON, prose or a matrix; Graphviz DOT is held out.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from envhub.authoring.wording import Variants, in_picture

Rendering = Callable[[Any], str]

_WIDEST: Final = 12


def drawn_graph(weight: str = "", field: str = "", caption: str = "") -> Variants[Rendering]:
    """Renderings of the graph in the fields nodes, edges and directed.

    Args:
        weight: What the number on an edge is called: "cost". Empty if edges have none.
        field: The field that holds the graph; empty if the problem is the graph.
        caption: How the picture shows the edges, if it is not that of a family.
    """
    weighted = _Weighted(weight)
    options = [weighted.edges, weighted.neighbors, weighted.as_json, weighted.prose, weighted.matrix]
    inside = [_inside(option, field) for option in (*options, weighted.dot)]
    seen = in_picture(*_GRAPH[:-1], held_out=_GRAPH[-1], rest=(lambda _: caption) if caption else weighted.caption)
    return Variants(*inside[:-1], held_out=inside[-1], name="graph", seen=seen)


def drawn_graphs(**titles: str) -> Variants[Rendering]:
    """Renderings of several unweighted graphs, each under its title, by field."""
    single = [list(drawn_graph(field=field)) for field in titles]

    def together(number: int) -> Rendering:
        return lambda problem: "\n\n".join(
            f"{title}\n{options[number](problem)}" for title, options in zip(titles.values(), single, strict=True)
        )

    options = [together(number) for number in range(len(single[0]))]
    caption = _inside(_Weighted("").caption, next(iter(titles)))
    seen = in_picture(*_GRAPHS[:-1], held_out=_GRAPHS[-1], rest=caption)
    return Variants(*options[:-1], held_out=options[-1], name="graphs", seen=seen)


_GRAPH: Final = (
    "The picture shows the graph.",
    "The graph is drawn in the picture.",
    "See the picture for the graph.",
    "The attached figure is a drawing of the graph.",
)
_GRAPHS: Final = (
    "The picture shows both graphs, each under its title.",
    "Both graphs are drawn in the picture, under their titles.",
    "See the picture for the two graphs; each has a title.",
    "The attached figure is a drawing of the two titled graphs.",
)
"""What stands in place of graphs that the picture shows; the last of each is held out."""


def _inside(rendering: Rendering, field: str) -> Rendering:
    return (lambda problem: rendering(problem[field])) if field else rendering


class _Weighted:
    """Renderings of graphs whose edges may carry a number.

    Args:
        weight: What the number is called; empty for edges without a number.
    """

    def __init__(self, weight: str) -> None:
        self.weight = weight

    def caption(self, graph: Any) -> str:
        """How a picture shows the edges."""
        ways = "An edge leads to the node at its arrow head." if graph["directed"] else "The edges have no direction."
        return f"{ways} The number on an edge is its {self.weight}." if self.weight else ways

    def edges(self, graph: Any) -> str:
        """One edge per line."""
        sign = "->" if graph["directed"] else "-"
        lines = [f"{edge[0]} {sign} {edge[1]}{self._after(edge)}" for edge in graph["edges"]]
        number = f" The number after the colon is the edge's {self.weight}." if self.weight else ""
        return "\n".join([_nodes(graph), f"Edges, one per line. {_direction(graph)}{number}", *lines])

    def neighbors(self, graph: Any) -> str:
        """One node per line with its neighbours."""
        ways: dict[str, list[str]] = {node: [] for node in graph["nodes"]}
        for one, other, *rest in graph["edges"]:
            ways[one].append(f"{other}{self._bracketed(rest)}")
            if not graph["directed"]:
                ways[other].append(f"{one}{self._bracketed(rest)}")
        what = (
            "the nodes that its outgoing edges lead to"
            if graph["directed"]
            else "all nodes that it shares an edge with"
        )
        number = f", each with the edge's {self.weight} in parentheses" if self.weight else ""
        lines = [f"{node}: {', '.join(others) or 'none'}" for node, others in ways.items()]
        return "\n".join([f"Each line shows a node and {what}{number}.", *lines])

    def as_json(self, graph: Any) -> str:
        """A JSON object."""
        number = f" The third entry of an edge is its {self.weight}." if self.weight else ""
        parts = ", ".join(f"{json.dumps(key)}: {json.dumps(graph[key])}" for key in ("directed", "nodes", "edges"))
        return f"{_direction(graph)}{number}\n{{{parts}}}"

    def prose(self, graph: Any) -> str:
        """Sentences."""
        ways: dict[str, list[str]] = {}
        for one, other, *rest in graph["edges"]:
            ways.setdefault(one, []).append(f"{other}{self._bracketed(rest, self.weight)}")
        if graph["directed"]:
            said = [f"{node} has {_article(others)} to {_listing(others)}." for node, others in ways.items()]
        else:
            said = [f"{node} is connected to {_listing(others)}." for node, others in ways.items()]
        once = "" if graph["directed"] else " Each edge is mentioned once. The edges have no direction."
        return f"The graph has {len(graph['nodes'])} nodes: {_listing(graph['nodes'])}. {' '.join(said)}{once}"

    def matrix(self, graph: Any) -> str:
        """A matrix; the neighbours where it would be too wide."""
        nodes = graph["nodes"]
        if len(nodes) > _WIDEST:
            return self.neighbors(graph)
        cells = {(one, other): str(*rest) if rest else "1" for one, other, *rest in graph["edges"]}
        if not graph["directed"]:
            cells |= {(other, one): cell for (one, other), cell in cells.items()}
        what = f"the {self.weight} of the edge" if self.weight else "1 if there is an edge"
        ends = (
            "from the row's node to the column's node"
            if graph["directed"]
            else "between the row's node and the column's node"
        )
        none = "A dot means that there is no edge."
        rows = [f"{one}: {' '.join(cells.get((one, other), '.') for other in nodes)}" for one in nodes]
        head = f"The matrix has one row and one column per node, both in this order: {', '.join(nodes)}."
        return "\n".join([f"{head} An entry is {what} {ends}. {none}", *rows])

    def dot(self, graph: Any) -> str:
        """Graphviz DOT."""
        sign = "->" if graph["directed"] else "--"
        edges = [
            f"  {one} {sign} {other}{f' [{self.weight}={rest[0]}]' if rest else ''};"
            for one, other, *rest in graph["edges"]
        ]
        kind = "digraph" if graph["directed"] else "graph"
        return "\n".join([f"{kind} {{", f"  {'; '.join(graph['nodes'])};", *edges, "}"])

    def _after(self, edge: Any) -> str:
        return f": {edge[2]}" if self.weight else ""

    def _bracketed(self, rest: list[int], name: str = "") -> str:
        return f" ({name} {rest[0]})" if name else f" ({rest[0]})" if rest else ""


def _nodes(graph: Any) -> str:
    return f"Nodes: {', '.join(graph['nodes'])}"


def _direction(graph: Any) -> str:
    if graph["directed"]:
        return "Each edge leads from the first node to the second."
    return "The edges have no direction."


def _article(others: list[str]) -> str:
    return "an edge" if len(others) == 1 else "edges"


def _listing(items: list[str]) -> str:
    """The items as in a sentence: "A, B and C"."""
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))
