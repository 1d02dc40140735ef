"""Answers about graphs: a witness, and its value after a semicolon.

====================== ================================ ==================================================
:class:`EdgeSet`       ``A-B, C-D; 17``                 ``(("A", "B"), ("C", "D"))``
:class:`Route`         ``A -> B -> C; 9``               ``("A", "B", "C")``
:class:`NodeSet`       ``{A, C, F}; 3``                 ``("A", "C", "F")``
:class:`Groups`        ``{A, C}, {B}; 2``               ``(("A", "C"), ("B",))``
:class:`Labelling`     ``A:X, B:Y; 2``                  ``(("A", "X"), ("B", "Y"))``
:class:`Flow`          ``A -> B: 3, B -> C: 3; 3``      ``(("A", "B", 3), ("B", "C", 3))``
:class:`RouteOrSet`    ``A -> B -> C`` or ``{A, C}``    ``(0, ("A", "B", "C"))``, ``(1, ("A", "C"))``
====================== ================================ ==================================================

Brackets, quotes, arrows, dashes and the words before the value (``cost 9``) may be written as usual; a name has letters and
digits, and its case does not matter. Duplicates, loops and everything else are rejected. The verifier checks whether the
names are those of the graph; this module knows no graph::

    NodeSet(value="size").read("<answer>[c, A], size 2</answer>").value    # Claim(witness=("A", "C"), value=2)
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.verifiers.answers.claims import Claim
from envhub.verifiers.answers.types import AnswerType, Unreadable

_MAX_CHARS: Final = 16_000
_MAX_ITEMS: Final = 600
ROUTE: Final = 0
"""The kind of a witness of :class:`RouteOrSet` that is a route."""
SET: Final = 1
"""The kind of one that is a set of nodes."""

_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CLOSERS: Final = {"[": "]", "{": "}", "(": ")"}

_N: Final = r"([A-Za-z0-9]{1,24})"
_ARROW = re.compile(
    r"<?-{1,3}>|<?={1,2}>|[\u2192\u27f6\u21d2\u27f9\u2794\u2194]|\\(?:to|(?:long)?rightarrow|Rightarrow)(?![A-Za-z])"
)
_DASH = re.compile(r"-{2,3}|[\u2010\u2011\u2013\u2014\u2212]")
_QUOTES = re.compile(r"[\"'`\u2018\u2019\u201c\u201d]|\\(?=[{}])")
_CALLED: Final = (
    r"(?:with\s)?(?:an?\s|the\s)?(?:total\s|overall\s)?"
    r"(?:total|value|cost|weight|size|length|flow|distance|number|count|capacity|colou?rs|radius|height|area)"
)
_VALUE = re.compile(
    rf"(?:\s?[;|]\s?(?:{_CALLED}\s?(?:[:=]|is|of)?\s?)?|(?:\s?,)?\s\(?{_CALLED}\s?(?:[:=]|is|of)?\s?|\s?=\s?"
    r"|(?<=[\])}])\s?,?\s?)([0-9]{1,12})\)?$",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s?[,;]\s?")
_LINES = re.compile(r"(?<=[A-Za-z0-9)\]}])[^\S\n]{0,8}\n\s{0,8}(?=[A-Za-z0-9(\[{])")
_COMMA = re.compile(r"\s?,\s?")
_NODE = re.compile(_N)
_EDGE = re.compile(rf"[(\[{{]\s?{_N}\s?[,>-]\s?{_N}\s?[)\]}}]|{_N}\s?[>-]\s?{_N}")
_LABEL = re.compile(rf"{_N}\s?(?:[:=>]|is\b)\s?{_N}")
_AMOUNT = re.compile(rf"{_N}\s?[>-]\s?{_N}\s?[:=(]\s?([0-9]{{1,9}})\)?")
_GROUP = re.compile(r"[{(\[]\s?([A-Za-z0-9,\s]{1,4000}?)\s?[})\]]")


@dataclass(frozen=True)
class Witnessed(AnswerType):
    """A witness, with its value if asked for.

    Its value is a :class:`Claim`, names in capitals.

    Attributes:
        value: What the value is called in the prompt, such as "total weight"; empty if none is asked for.
        called: What the witness is called in the prompt; empty for the usual words.
    """

    value: str = ""
    called: str = ""

    usual: ClassVar[str]
    shown: ClassVar[str]

    @property
    def noun(self) -> str:  # type: ignore[override]
        """The parts of the answer, in words."""
        ending = f", then a semicolon and the {self.value}," if self.value else ","
        return (self.called or self.usual).rstrip(",") + ending

    @property
    def example(self) -> str:  # type: ignore[override]
        """An answer about a graph with the nodes A to D."""
        return f"{self.shown}; 17" if self.value else self.shown

    def parse(self, text: str) -> Claim:
        """The witness and the value in a span."""
        if len(text) > _MAX_CHARS:
            raise Unreadable("it is too long.")
        if "```" in text:  # a fence is removed as decoration, its label included
            raise Unreadable("write it without a code fence.")
        text = _DASH.sub("-", _ARROW.sub(">", _QUOTES.sub("", " ".join(_LINES.sub(", ", text).split()))))
        if not self.value:
            return Claim(self.witness(text), 0)
        found = _VALUE.search(text)
        if found is None:
            raise Unreadable(f"end it with a semicolon and the {self.value}, as in {self.example!r}.")
        return Claim(self.witness(text[: found.start()]), int(found[1]))

    @abstractmethod
    def witness(self, text: str) -> tuple[Any, ...]:
        """The witness in a text with plain arrows (``>``) and dashes.

        Raises:
            Unreadable: It is not a witness of this type.
        """

    @abstractmethod
    def spelled(self, witness: Sequence[Any]) -> str:
        """A witness as text."""

    @abstractmethod
    def drawn(self, names: Sequence[str], rng: Stream) -> Sequence[Any]:
        """A random witness with some of these names."""

    def write(self, witness: Sequence[Any], value: int) -> str:
        """A witness and its value as an answer."""
        return f"{self.spelled(witness)}; {value}" if self.value else self.spelled(witness)

    def random(self, rng: Stream) -> str:
        """Some letters and a small value."""
        return self.write(self.drawn(_LETTERS, rng), rng.between(1, 40))


@dataclass(frozen=True)
class EdgeSet(Witnessed):
    """Different edges in any order.

    Attributes:
        directed: Whether ``A-B`` and ``B-A`` are different edges.
    """

    directed: bool = False

    usual = "the edges, each written as in the example and separated by commas"

    @property
    def shown(self) -> str:  # type: ignore[override]
        """Two edges."""
        return "A -> B, C -> D" if self.directed else "A-B, C-D"

    def witness(self, text: str) -> tuple[Any, ...]:
        """The edges, sorted."""
        bare = text if _EDGE.fullmatch(text) else _unbracketed(text)
        edges = [(m[1] or m[3], m[2] or m[4]) for m in _items(_EDGE, _SEPARATOR, bare, "an edge such as A-B")]
        return _different(self._edge(one.upper(), other.upper()) for one, other in edges)

    def _edge(self, one: str, other: str) -> tuple[str, str]:
        if one == other:
            raise Unreadable(f"an edge joins two different nodes, got {one}-{other}.")
        return (one, other) if self.directed or one < other else (other, one)

    def spelled(self, witness: Sequence[Any]) -> str:
        """The edges, separated by commas."""
        return ", ".join((" -> " if self.directed else "-").join(edge) for edge in witness)

    def drawn(self, names: Sequence[str], rng: Stream) -> Sequence[Any]:
        """One to four disjoint edges."""
        some = _some(names, rng, 8)
        return list(zip(some[::2], some[1::2], strict=False))


@dataclass(frozen=True)
class Route(Witnessed):
    """Nodes in order, which may occur again.

    Attributes:
        arrows: Whether the prompt asks for arrows between the nodes, or for commas. Both are read.
    """

    arrows: bool = True

    @property
    def usual(self) -> str:  # type: ignore[override]
        """The nodes, and what separates them."""
        return f"the nodes in order, {'joined by arrows' if self.arrows else 'separated by commas'}"

    @property
    def shown(self) -> str:  # type: ignore[override]
        """Three nodes."""
        return self.spelled("BDA")

    def witness(self, text: str) -> tuple[Any, ...]:
        """The nodes in order."""
        bare = _unbracketed(text)
        sign = next((sign for sign in (">", ",", "-") if sign in bare), ",")
        between = re.compile(rf"\s?{sign}\s?")
        return tuple(m[1].upper() for m in _items(_NODE, between, bare, "the name of a node"))

    def spelled(self, witness: Sequence[Any]) -> str:
        """The nodes, joined."""
        return (" -> " if self.arrows else ", ").join(witness)

    def drawn(self, names: Sequence[str], rng: Stream) -> Sequence[Any]:
        """Two to six different nodes."""
        return _some(names, rng, 6)


@dataclass(frozen=True)
class NodeSet(Witnessed):
    """Different nodes in any order."""

    usual = "the nodes in braces, separated by commas"
    shown = "{B, D, A}"

    def witness(self, text: str) -> tuple[Any, ...]:
        """The nodes, sorted."""
        return _nodes(_unbracketed(text))

    def spelled(self, witness: Sequence[Any]) -> str:
        """The nodes in braces."""
        return f"{{{', '.join(witness)}}}"

    def drawn(self, names: Sequence[str], rng: Stream) -> Sequence[Any]:
        """Two to five nodes."""
        return _some(names, rng, 5)


@dataclass(frozen=True)
class Groups(Witnessed):
    """Sets of nodes without common nodes, in any order."""

    usual = "the groups, each in braces, separated by commas"
    shown = "{A, C}, {B, D}"

    def witness(self, text: str) -> tuple[Any, ...]:
        """The groups, each sorted, in order."""
        inner = _unbracketed(text) if text[1:2] in _CLOSERS else text
        groups = [_nodes(m[1]) for m in _items(_GROUP, _SEPARATOR, inner, "a group such as {A, B}")]
        _different(node for group in groups for node in group)
        return tuple(sorted(groups))

    def spelled(self, witness: Sequence[Any]) -> str:
        """Each group in braces."""
        return ", ".join(f"{{{', '.join(group)}}}" for group in witness)

    def drawn(self, names: Sequence[str], rng: Stream) -> Sequence[Any]:
        """Two groups."""
        some = _some(names, rng, 6)
        return [some[:1], some[1:]]


@dataclass(frozen=True)
class Labelling(Witnessed):
    """One label for each node, in any order."""

    usual = "each node with its label, separated by commas"
    shown = "A:X, B:Y, C:Z"

    def witness(self, text: str) -> tuple[Any, ...]:
        """Pairs of a node and its label, sorted."""
        pairs = [
            (m[1].upper(), m[2].upper()) for m in _items(_LABEL, _SEPARATOR, _unbracketed(text), "a pair such as A:X")
        ]
        _different(name for name, _ in pairs)
        return tuple(sorted(pairs))

    def spelled(self, witness: Sequence[Any]) -> str:
        """The pairs, separated by commas."""
        return ", ".join(f"{name}:{label}" for name, label in witness)

    def drawn(self, names: Sequence[str], rng: Stream) -> Sequence[Any]:
        """Up to five nodes, each with the label of another one."""
        return [(name, rng.choice(names)) for name in _some(names, rng, 5)]


@dataclass(frozen=True)
class Flow(Witnessed):
    """Whole amounts on different directed edges, in any order.

    Amounts of 0 are omitted.
    """

    usual = "the edges that carry flow, each with its amount, separated by commas"
    shown = "A -> B: 5, B -> D: 5"

    def witness(self, text: str) -> tuple[Any, ...]:
        """Ends and amount of each edge, sorted."""
        found = [
            (m[1].upper(), m[2].upper(), int(m[3]))
            for m in _items(_AMOUNT, _SEPARATOR, _unbracketed(text), "'A -> B: 5'")
        ]
        _different((one, other) for one, other, _ in found)
        return tuple(sorted(flow for flow in found if flow[2]))

    def spelled(self, witness: Sequence[Any]) -> str:
        """Each edge with its amount."""
        return ", ".join(f"{one} -> {other}: {amount}" for one, other, amount in witness)

    def drawn(self, names: Sequence[str], rng: Stream) -> Sequence[Any]:
        """Up to three edges."""
        some = _some(names, rng, 6)
        return [(one, other, rng.between(1, 9)) for one, other in zip(some[::2], some[1::2], strict=False)]


@dataclass(frozen=True)
class RouteOrSet(Witnessed):
    """A route with arrows, or a set of nodes.

    They certify two different answers.
    """

    usual = "the nodes of the path in order, joined by arrows, or a set of nodes in braces such as {B, D},"
    shown = "B -> D -> A"

    def witness(self, text: str) -> tuple[Any, ...]:
        """The kind of certificate, and the certificate."""
        return (ROUTE, Route().witness(text)) if ">" in text else (SET, NodeSet().witness(text))

    def spelled(self, witness: Sequence[Any]) -> str:
        """The certificate."""
        kind, nodes = witness
        return Route().spelled(nodes) if kind == ROUTE else NodeSet().spelled(nodes)

    def drawn(self, names: Sequence[str], rng: Stream) -> Sequence[Any]:
        """Either kind."""
        return (rng.below(2), _some(names, rng, 6))


def _some(names: Sequence[str], rng: Stream, most: int) -> list[str]:
    """From 2 to ``most`` different names."""
    return rng.sample(names, rng.between(2, min(most, len(names))))


def _unbracketed(text: str) -> str:
    """The text without brackets around the whole."""
    text = text.strip()
    closer = _CLOSERS.get(text[:1])
    whole = (
        closer is not None and text.endswith(closer) and (text.find(closer) == len(text) - 1 or text[1:2] in _CLOSERS)
    )
    return text[1:-1].strip() if whole else text


def _items(item: re.Pattern[str], between: re.Pattern[str], text: str, expected: str) -> list[re.Match[str]]:
    """The items that make up a text."""
    found: list[re.Match[str]] = []
    at = 0
    while len(found) < _MAX_ITEMS:
        match = item.match(text, at)
        if match is None:
            raise Unreadable(f"expected {expected}, got {text[at : at + 40]!r}.")
        found.append(match)
        if match.end() == len(text):
            return found
        gap = between.match(text, match.end())
        if gap is None:
            raise Unreadable(f"expected a separator, got {text[match.end() : match.end() + 40]!r}.")
        at = gap.end()
    raise Unreadable(f"it has more than {_MAX_ITEMS} parts.")


def _nodes(text: str) -> tuple[str, ...]:
    return _different(m[1].upper() for m in _items(_NODE, _COMMA, text.strip(), "the name of a node"))


def _different(items: Iterator[Any]) -> tuple[Any, ...]:
    """The items in ascending order."""
    found = sorted(items)
    for one, other in pairwise(found):
        if one == other:
            raise Unreadable(f"{one if isinstance(one, str) else '-'.join(map(str, one))} occurs twice.")
    return tuple(found)
