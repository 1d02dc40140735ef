"""Answer type for paths: the nodes in order, and the claimed cost.

    Path().read("<answer>B -> D -> A, cost 17</answer>").value    # Claim(("B", "D", "A"), 17)

The verifier checks whether the nodes and edges exist and what they cost; this module knows no graph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from envhub.core.seeding import Stream
from envhub.verifiers.answers.claims import Claim
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Path(AnswerType):
    r"""Nodes in order, then the total cost: ``B -> D -> A, cost 17``.

    Its value is a :class:`Claim`, names in capitals. Nodes are separated by any arrow (``->``, ``=>``, ``→``, ``\to``),
    a comma or a space, one kind throughout. The cost may also be written ``cost: 17``, ``(total cost 17)`` or ``= 17``.
    A missing cost is unreadable.
    """

    max_nodes: int = 200
    noun: ClassVar[str] = "the nodes of the path in order, joined by arrows, followed by a comma and its total cost,"
    example: ClassVar[str] = "B -> D -> A, cost 17"

    _COST: ClassVar[re.Pattern[str]] = re.compile(
        r"\s?[,;:]?\s?(?:=|\(?(?:with )?(?:total )?cost\s?(?:[:=]|is|of)?)\s?([0-9]{1,12})\)?", re.IGNORECASE
    )
    _COST_FROM: ClassVar[re.Pattern[str]] = re.compile(
        r"\s?[,;:]?\s?(?:\(|\bwith\b|\btotal\b|\bcost\b|(?<!=)=(?![=>]))", re.IGNORECASE
    )
    _ARROW: ClassVar[re.Pattern[str]] = re.compile(
        r"-{1,3}>|={1,2}>|[\u2192\u27f6\u21d2\u2794]|\\(?:to|rightarrow|longrightarrow|Rightarrow)(?![A-Za-z])"
    )
    _NAME: ClassVar[re.Pattern[str]] = re.compile(r"[A-Z][A-Z0-9_]{0,15}")

    def parse(self, text: str) -> Claim:
        """The nodes and the cost in a span."""
        if len(text) > self.max_nodes * 24:
            raise Unreadable("it is too long.")
        text = " ".join(text.split())
        start = self._COST_FROM.search(text)
        cost = start and self._COST.fullmatch(text, start.start())
        if start is None or cost is None:
            raise Unreadable(f"end it with the total cost, as in {self.example!r}.")
        nodes = self._nodes(text[: start.start()])
        if len(nodes) > self.max_nodes:
            raise Unreadable(f"it has more than {self.max_nodes} nodes.")
        return Claim(nodes, int(cost[1]))

    def _nodes(self, text: str) -> tuple[str, ...]:
        text = self._ARROW.sub(">", text).strip()
        if text[:1] == "[" and text[-1:] == "]":
            text = text[1:-1]
        kinds = [kind for kind in (">", ",") if kind in text]
        if len(kinds) > 1:
            raise Unreadable("join the nodes by arrows only.")
        names = [name.strip().upper() for name in (text.split(kinds[0]) if kinds else text.split())]
        for name in names:
            if not self._NAME.fullmatch(name):
                raise Unreadable(f"{name[:40]!r} is no name of a node.")
        if not names:
            raise Unreadable("it names no nodes.")
        return tuple(names)

    def random(self, rng: Stream) -> str:
        """Two to six random letters and a cost."""
        return f"{' -> '.join(rng.sample(_LETTERS, rng.between(2, 6)))}, cost {rng.between(1, 100)}"
