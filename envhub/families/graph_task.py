"""GraphTask: find a witness in a graph, and its value.

A witness is a tree, a path, a set of nodes, a mapping and so on.

A member names a shape and an exact search, and judges a witness::

    class SpanningTree(GraphTask):
        Params = levels(nodes=knob("number of nodes", ...), edges=knob("number of edges", ...), weight=...)
        answer = EdgeSet(value="total weight")
        weight = "weight"                        # the parameter with the greatest weight, if edges have weights
        data = drawn_graph("weight")
        shape = connected                        # pairs of numbers, which the family names and states
        search = spanning_tree                   # of a Graph
        def worth(self, problem, witness): ...

It may draw (``draw``) and search (``best``) in its own way instead.

A problem has the fields nodes, edges and directed. Every other field is the name of a node, a list of names, or a setting; all
of them may be used in phrases. The canonical form ignores names and the order of nodes and edges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar, Final

from envhub.authoring.wording import Phrase
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.families.witness import Witness
from envhub.generators.graphs.canonical import canonical
from envhub.generators.graphs.graph import Graph
from envhub.generators.graphs.names import names
from envhub.generators.graphs.shapes import Shape, connected
from envhub.generators.optimum import Optimum
from envhub.scenes import Scene, stacked
from envhub.scenes.network import network
from envhub.verifiers.answers.graphs import Route, RouteOrSet, Witnessed

ANY_BEST: Final = Phrase(
    "If several answers are equally good, any of them counts.",
    "If there is more than one best answer, give any of them.",
    "Ties do not matter: every best answer is accepted.",
    held_out="The optimum may not be unique. Each optimal answer is graded as correct.",
)
"""The rule of every member whose best witness need not be the only one."""

EXISTS: Final = Phrase(
    "A solution exists. If there are several, any of them counts.",
    "At least one solution exists; every solution is accepted.",
    "The task is solvable. Give any answer that satisfies the rules.",
    held_out="Existence is guaranteed; uniqueness is not. Each valid answer is graded as correct.",
)
"""The rule of every member with a planted witness and no value."""

DISTANCE: Final = Phrase(
    "The distance between two nodes is the smallest total length of a path between them.",
    "Distances are measured along edges: the distance of two nodes is the length of a shortest path.",
    "Two nodes are as far apart as the shortest path between them is long.",
    held_out="d(u, v) is the minimum total length over all paths from u to v.",
)
"""The rule that defines distances in a graph with lengths."""

_GRAPH: Final = ("nodes", "edges", "directed")
_TRIED: Final = 4
_MOST_DRAWN: Final = 60


class GraphTask(Witness):
    """A witness in a graph, with its value if asked for.

    Attributes:
        tie: The rule that says which of several right answers count; None where the member's own rules do.
        directed: Whether edges are one-way.
        weight: The parameter that holds the greatest weight of an edge; empty if edges have no weights.
        shape: Draws pairs of nodes, by the parameters nodes and edges.
        search: Finds the optimum of a graph.
        heuristics: Simple methods that find a witness, which may not be the best.
        titles: The fields that hold graphs, with their titles, if the problem is not itself the graph.
    """

    answer: Witnessed
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    tie: ClassVar[Phrase | None] = ANY_BEST
    directed: ClassVar[bool] = False
    weight: ClassVar[str] = ""
    shape: ClassVar[Shape] = connected
    search: ClassVar[Callable[[Graph], Optimum | None]]
    heuristics: ClassVar[tuple[Callable[[Graph], Any], ...]] = ()
    titles: ClassVar[tuple[tuple[str, str], ...]] = ()

    def check(self, p: Any) -> None:
        """Reject a number of edges that no connected graph has."""
        if hasattr(p, "edges") and not p.nodes - 1 <= p.edges <= p.nodes * (p.nodes - 1) // 2:
            raise InvalidParameters(
                f"`edges` must be from nodes - 1 to nodes * (nodes - 1) / 2, got {p.edges} edges for {p.nodes} nodes."
            )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A graph of the member's shape."""
        pairs = type(self).shape(rng, p.nodes, p.edges)
        edges = weighted(rng, pairs, getattr(p, self.weight)) if self.weight else pairs
        return self.stated(rng, p.nodes, edges, directed=self.directed)

    def best(self, problem: JSON) -> Optimum | None:
        """By the member's search."""
        return type(self).search(Graph.of(problem))

    def guard(self, problem: JSON, found: Optimum, p: Any) -> bool:
        """With the parameter ``trap``: no simple method finds the optimum."""
        return not getattr(p, "trap", False) or all(
            self.worth(problem, witness) != found.value for witness in self.greedy(problem)
        )

    def stated(
        self, rng: Stream, count: int, edges: Iterable[Sequence[int]], *, directed: bool = False, **roles: Any
    ) -> JSON:
        """A graph on ``0 .. count - 1`` under random names, its edges in random order.

        Args:
            rng: Source of randomness.
            count: Number of nodes.
            edges: Two nodes each, and a weight if the graph has weights.
            directed: Whether edges are one-way.
            roles: A node or a list of nodes for each further field of the problem.
        """
        known = names(rng, count)
        listed = [[known[one], known[other], *rest] for one, other, *rest in edges]
        if not directed:
            listed = [edge if rng.below(2) else [edge[1], edge[0], *edge[2:]] for edge in listed]
        rng.shuffle(listed)
        fields = {
            name: known[role] if isinstance(role, int) else [known[node] for node in role]
            for name, role in roles.items()
        }
        return {"nodes": sorted(known), "edges": listed, "directed": directed, **fields}

    def scene(self, inst: Instance, state: Any) -> Scene | None:
        """The graphs of the problem.

        None if one has too many edges to be read.
        """
        graphs = self._graphs(inst.problem)
        if not self.pictured or not self.drawable(inst.problem):
            return None
        return stacked(network(g["nodes"], g["edges"], directed=g["directed"], title=title) for g, title in graphs)

    def drawable(self, problem: JSON) -> bool:
        """Whether its graphs have few enough edges to be read."""
        return all(len(graph["edges"]) <= _MOST_DRAWN for graph, _ in self._graphs(problem))

    def _graphs(self, problem: JSON) -> list[tuple[JSON, str]]:
        """The graphs of a problem, each with its title."""
        return [(problem[field], title) for field, title in self.titles] or [(problem, "")]

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """The member's rules, and how ties count."""
        return self.rules if self.unique or self.tie is None else (*self.rules, self.tie)

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The number of nodes of a graph, and lists as text."""
        lists = {name: ", ".join(value) for name, value in problem.items() if name not in _GRAPH and _is_list(value)}
        return {**lists, "count": len(problem["nodes"])} if "nodes" in problem else lists

    def canonical(self, content: JSON) -> JSON:
        """The graph without names, the roles of nodes, the settings."""
        known = set(content["nodes"])
        marks: dict[str, int] = {}
        settings = []
        for number, (field, value) in enumerate(sorted(content.items()), 1):
            if field in _GRAPH:
                continue
            if _is_list(value) or value in known:
                marks |= dict.fromkeys([value] if isinstance(value, str) else value, number)
            else:
                settings.append(value)
        return [canonical(Graph.of(content), marks), settings]

    def labels(self, problem: JSON) -> Iterable[str]:
        """The words that a witness may contain."""
        return list(problem["nodes"])

    def fault(self, inst: Instance, witness: Any, claimed: int) -> str:
        """The first fault of an answer; names may be in capitals."""
        known = {label.upper(): label for label in self.labels(inst.problem)}
        try:
            spelled = _spelled(witness, known)
        except KeyError as error:
            return f"{error.args[0]} does not occur in the problem."
        return super().fault(inst, spelled, claimed)

    def write(self, value: int, witness: Any) -> str:
        """By the answer type."""
        return self.answer.write(witness, value)

    def others(self, problem: JSON, witness: Any) -> Iterator[Any]:
        """The witness reordered, and that of the reordered graph."""
        if not isinstance(self.answer, (Route, RouteOrSet)):
            yield witness[::-1]
        if "nodes" in problem:
            turned = self.best({**problem, "nodes": problem["nodes"][::-1], "edges": problem["edges"][::-1]})
            if turned is not None:
                yield turned.witness

    def slips(self, problem: JSON, value: int, witness: Any) -> Iterable[tuple[int, Any]]:
        """Greedy answers, and parts omitted, added or exchanged.

        Each has its true value, if it has one.
        """
        for other in (*self.greedy(problem), *_near(witness, list(self.labels(problem)))):
            found = self.worth(problem, other)
            yield (value if isinstance(found, str) else found), other

    def greedy(self, problem: JSON) -> Iterable[Any]:
        """Witnesses that simple methods find."""
        return [find(Graph.of(problem)) for find in self.heuristics]

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Wrong values, where one is asked for, and wrong witnesses."""
        plain = self.solve(inst)
        yield from (text for text in super().mistakes(inst) if text != plain)

    def random_action(self, inst: Instance, state: Any, rng: Stream) -> str:
        """Some nodes of the graph and a small value."""
        return self.answer.wrap(
            self.answer.write(self.answer.drawn(list(self.labels(inst.problem)), rng), rng.between(1, 40))
        )


def weighted(rng: Stream, pairs: Iterable[tuple[int, int]], most: int) -> list[tuple[int, int, int]]:
    """The pairs, each with a random weight from 1 to ``most``."""
    return [(one, other, rng.between(1, most)) for one, other in pairs]


def unknown_edge(graph: Graph, edges: Iterable[tuple[str, str]]) -> str:
    """The first missing edge as feedback; empty if all exist."""
    return next((f"There is no edge {one}-{other}." for one, other in edges if other not in graph.near[one]), "")


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _spelled(witness: Any, known: Mapping[str, str]) -> Any:
    """The witness with its words as the problem spells them."""
    if isinstance(witness, str):
        return known[witness.upper()]
    return witness if isinstance(witness, int) else tuple(_spelled(part, known) for part in witness)


def _near(witness: Any, labels: list[str]) -> Iterator[Any]:
    """Witnesses with one part less, one node more, or two nodes exchanged."""
    if len(witness) > 1:
        yield from (witness[:at] + witness[at + 1 :] for at in range(min(_TRIED, len(witness))))
    if all(isinstance(part, str) for part in witness):
        yield from ((*witness, label) for label in [one for one in labels if one not in witness][:_TRIED])
    for one, other in list(combinations(labels[:_TRIED], 2)) + list(combinations(labels[-_TRIED:], 2)):
        yield _spelled(witness, {**{label.upper(): label for label in labels}, one.upper(): other, other.upper(): one})
