"""Memory of narrowings: what laws of a kind do to given domains.

Pruning is a pure function of the domains of a law's cells, and searches meet the same domains again and again: in other
branches, with fewer clues, at other places of the board and in other puzzles. So all laws of a kind share their results::

    prune = remembering(Table((3, 4), rows))
    prune(domains)                 # as law.prune, but computed once for equal domains
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import itemgetter
from typing import Final

from envhub.generators.cells.law import Changed, Law

Prune = Callable[[list[int]], Changed | None]
_Narrowed = tuple[tuple[int, int], ...] | None
"""Places of narrowed cells with their new domains, in order; None if the law cannot hold."""

_ROOM: Final = 1 << 22
"""Maximum number of domains in the memory of a process, which then takes about 60 MB."""
_OVERHEAD: Final = 16
"""Size of an entry beside its domains."""
_UNKNOWN: Final = ((-1, -1),)

_results: dict[Hashable, dict[tuple[int, ...], _Narrowed]] = {}
_used = 0


def remembering(law: Law) -> Prune:
    """``law.prune``, which looks up earlier results of its kind."""
    cells, kind = law.cells, law.kind
    if kind is None or not 1 < len(cells) == len(set(cells)):
        return law.prune
    known, domains_of = _results.setdefault(kind, {}), itemgetter(*cells)

    def prune(domains: list[int]) -> Changed | None:
        masks = domains_of(domains)
        found = known.get(masks, _UNKNOWN)
        if found is _UNKNOWN:
            changed = law.prune(domains)
            _make_room(len(masks))
            known[masks] = None if changed is None else tuple([(cells.index(cell), domains[cell]) for cell in changed])
            return changed
        if found is None:
            return None
        changed = []
        for place, mask in found:
            cell = cells[place]
            domains[cell] = mask
            changed.append(cell)
        return changed

    return prune


def _make_room(size: int) -> None:
    """Count an entry; forget all entries if there are too many."""
    global _used
    _used += size + _OVERHEAD
    if _used > _ROOM:
        for known in _results.values():
            known.clear()
        _used = 0
