"""Wrong programs for a part.

Hidden arguments must distinguish them from the correct one. There are three sources. *Slips* apply to all parts that
take a kind of value: the program is right except for the empty list, the longest one, the letter z, equal numbers.
*Mistakes* belong to a part (:mod:`envhub.generators.programs.mistakes`). *Changes* are all local changes of its source
(:mod:`envhub.generators.programs.mutate`).
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.programs import kinds, walk_kinds
from envhub.generators.programs.kind import Args, Kind
from envhub.generators.programs.kinds import GRID, INT, INTS, ITEMS, SPANS, TEXT, WORDS
from envhub.generators.programs.mistakes import MISTAKES
from envhub.generators.programs.mutate import Site, changer, compiled_in_place, places, run
from envhub.generators.programs.part import Params, Part
from envhub.generators.programs.specialise import specialised
from envhub.generators.programs.walk_kinds import GRAPH, MOVES

_CHANGES: Final = 8
_BOUNDS: Final = ("compare", "count")
_MODES: Final = ("how", "what", "start")

Differs = Callable[[Args, Any], bool]


class Wrong(NamedTuple):
    """A wrong program for one step.

    Attributes:
        differs: Whether its result for a step's arguments differs from the right one.
        plausible: Whether a person might write it; others have one local change.
    """

    differs: Differs
    plausible: bool


class _Fails(Exception):
    """The program has no result for these arguments."""


def wrong_programs(rng: Stream, part: Part, params: Params) -> Iterator[Wrong]:
    """Wrong programs for a part with these parameters.

    Some may still be right. Order: all slips and mistakes, then all changes of comparisons and numbers, then some
    others.
    """
    folded = {name: value for name, value in params.items() if type(value) is bool or _is_mode(name, value)}
    kept = {name: value for name, value in params.items() if name not in folded}

    def other(function: Callable[..., Any]) -> Differs:
        return lambda args, right: unlike(run(function, args, kept), right)

    programs = _programs(part.run, tuple(kept), tuple(sorted(folded.items())))
    for slip in SLIPS[part.takes]:
        yield Wrong(_slipping(slip, part, params), True)
    for function in programs.mistakes:
        yield Wrong(other(function), True)
    for site in (*programs.bounds, *rng.sample(programs.others, min(_CHANGES, len(programs.others)))):
        yield Wrong(other(programs.change(site)), False)


def unlike(found: Any, right: Any) -> bool:
    """Whether two plain values differ, types included."""
    return bool(found != right) or repr(found) != repr(right)  # True is not 1


def _slipping(slip: Slip, part: Part, params: Params) -> Differs:
    def differs(args: Args, right: Any) -> bool:
        try:
            taken = slip(args)
            return taken != args and unlike(part.run(*taken, **params), right)
        except (_Fails, IndexError):
            return True

    return differs


def _is_mode(name: str, value: Any) -> bool:
    return name in _MODES and type(value) is str


class _Programs(NamedTuple):
    """Mistakes of a part, then changes of comparisons and numbers, then others.

    Parameters left open.
    """

    mistakes: tuple[Callable[..., Any], ...]
    bounds: tuple[Site, ...]
    others: tuple[Site, ...]
    change: Callable[[Site], Callable[..., Any]]


@cache
def _programs(function: Callable[..., Any], kept: tuple[str, ...], folded: tuple[tuple[str, Any], ...]) -> _Programs:
    name, source = function.__name__, inspect.getsource(function)
    tree = _opened(source, name, kept, dict(folded))
    known = {ast.dump(tree)}
    mistakes = []
    for mistake in MISTAKES[name]:
        text = mistake if isinstance(mistake, str) else source.replace(*mistake)
        other = _opened(text, name, kept, dict(folded))
        if ast.dump(other) not in known:  # otherwise it is in code that this part does not run
            known.add(ast.dump(other))
            mistakes.append(compiled_in_place(other, name))
    sites = places(tree)
    bounds = tuple(site for site in sites if site[1] in _BOUNDS)
    others = tuple(site for site in sites if site[1] not in _BOUNDS)
    return _Programs(tuple(mistakes), bounds, others, changer(tree, name))


def _opened(source: str, name: str, kept: Sequence[str], folded: Mapping[str, Any]) -> ast.Module:
    definition = ast.parse(source.strip()).body[0]
    assert isinstance(definition, ast.FunctionDef)
    return ast.Module([specialised(definition, folded, name, kept)], [])


# -- slips -------------------------------------------------------------------------------------------------------------

Slip = Callable[[Args], Args]


def _fails_if(test: Callable[..., bool]) -> Slip:
    def slip(args: Args) -> Args:
        if test(*args):
            raise _Fails
        return args

    return slip


def _takes_for(change: Callable[[Any], Any]) -> Slip:
    """The program overlooks something and treats its argument as another one."""
    return lambda args: (change(args[0]), *args[1:])


def _of_length(*lengths: int) -> Slip:
    return _fails_if(lambda value: len(value) in lengths)


def _reads_as(char: str, other: str) -> Slip:
    return _takes_for(lambda text: text.replace(char, other))


def _reads_words_as(char: str, other: str) -> Slip:
    return _takes_for(lambda words: [word.replace(char, other) for word in words])


def _cells(change: Callable[[int], int]) -> Slip:
    return _takes_for(lambda grid: [[change(cell) for cell in row] for row in grid])


def _first_of(at: int) -> Slip:
    """Of pairs with the same start, or end, only the first counts."""
    return _takes_for(lambda spans: list({span[at]: span for span in reversed(spans)}.values())[::-1])


_LISTS: Final[tuple[Slip, ...]] = (
    _of_length(0),
    _of_length(1),
    _takes_for(lambda items: items[:-1]),
    _takes_for(lambda items: items[1:]),
    _takes_for(lambda items: items[::-1]),
    _takes_for(sorted),
    _takes_for(lambda items: [item for at, item in enumerate(items) if item not in items[:at]]),
    _takes_for(lambda items: [item for at, item in enumerate(items) if at == 0 or item != items[at - 1]]),
)
_CHARS: Final = tuple(_reads_as(char, other) for char, other in ("ab", "ef", "uv", "zy", "AB", "UV", "ZY", "01", "98"))

SLIPS: Final[Mapping[Kind, tuple[Slip, ...]]] = {
    INTS: (
        *_LISTS,
        _takes_for(lambda xs: xs[: kinds.MOST_INTS - 1]),
        _takes_for(lambda xs: [abs(x) for x in xs]),
        _takes_for(lambda xs: [x for x in xs if x]),
        _takes_for(lambda xs: [max(x, 0) for x in xs]),
        _takes_for(lambda xs: [kinds.HIGH - 1 if x == kinds.HIGH else x for x in xs]),
        _takes_for(lambda xs: [kinds.LOW + 1 if x == kinds.LOW else x for x in xs]),
    ),
    INT: (
        _fails_if(lambda number: number == 0),
        _fails_if(lambda number: number == 1),
        _takes_for(abs),
        _takes_for(lambda number: min(number, kinds.FAR - 1)),
        _takes_for(lambda number: max(number, 1 - kinds.FAR)),
        _takes_for(lambda number: number % kinds.FAR),
    ),
    TEXT: (
        _of_length(0),
        _of_length(1),
        *_CHARS,
        _takes_for(lambda text: text[: kinds.MOST_CHARS - 1]),
        _takes_for(str.strip),
        _takes_for(str.lower),
        _takes_for(str.upper),
        _takes_for(lambda text: " ".join(text.split())),
        _takes_for(lambda text: text[:-1]),
        _takes_for(lambda text: text[::-1]),
    ),
    WORDS: (
        *_LISTS,
        _reads_words_as("z", "y"),
        _reads_words_as("a", "b"),
        _takes_for(lambda words: words[: kinds.MOST_WORDS - 1]),
        _takes_for(lambda words: [word[: kinds.MOST_LETTERS - 1] for word in words]),
        _takes_for(lambda words: [word for word in words if len(word) > 1]),
    ),
    SPANS: (
        *_LISTS,
        _takes_for(lambda spans: spans[: kinds.MOST_SPANS - 1]),
        _takes_for(lambda spans: [span for span in spans if span[0] < span[1]]),
        _takes_for(lambda spans: [span for span in spans if span[0] > 0]),
        _takes_for(lambda spans: [[start, min(end, kinds.LAST_END - 1)] for start, end in spans]),
        _first_of(0),
        _first_of(1),
    ),
    GRID: (
        _fails_if(lambda grid: len(grid) == 1),
        _fails_if(lambda grid: len(grid[0]) == 1),
        _fails_if(lambda grid: len(grid) == len(grid[0]) == 1),
        _fails_if(lambda grid: len(grid) < len(grid[0])),
        _fails_if(lambda grid: len(grid) > len(grid[0])),
        _takes_for(lambda grid: grid[: kinds.MOST_SIDE - 1]),
        _takes_for(lambda grid: [row[: kinds.MOST_SIDE - 1] for row in grid]),
        _takes_for(lambda grid: grid[::-1]),
        _cells(lambda cell: min(cell, 8)),
        _cells(lambda cell: max(cell, 1)),
    ),
    GRAPH: (
        _fails_if(lambda count, edges, start: not edges),
        _fails_if(lambda count, edges, start: count == 1),
        _fails_if(lambda count, edges, start: count == walk_kinds.MOST_NODES),
        lambda args: (args[0], args[1][:-1], args[2]),
        lambda args: (args[0], args[1][: walk_kinds.MOST_EDGES - 1], args[2]),
        lambda args: (args[0], [[b, a] for a, b in args[1]], args[2]),
        lambda args: (args[0], [sorted(edge) for edge in args[1]], args[2]),
        lambda args: (args[0], args[1], 0),
        lambda args: (args[0], [edge for edge in args[1] if args[0] - 1 not in edge], args[2]),
    ),
    MOVES: (
        _of_length(0),
        _of_length(1),
        _takes_for(lambda moves: moves[: walk_kinds.MOST_MOVES - 1]),
        _takes_for(lambda moves: moves[:-1]),
        _takes_for(lambda moves: ["F5" if move == "F6" else move for move in moves]),
        _takes_for(lambda moves: [move for move in moves if move != "F1"]),
        _takes_for(lambda moves: [{"L": "R", "R": "L"}.get(move, move) for move in moves]),
        _takes_for(lambda moves: [move for at, move in enumerate(moves) if at == 0 or move != moves[at - 1]]),
    ),
    ITEMS: (
        _of_length(0),
        _takes_for(lambda text: ",".join(text.split(",")[: kinds.MOST_ITEMS - 1])),
        _takes_for(lambda text: text.replace("-", "")),
        _takes_for(lambda text: text.replace(" ", "x")),
        _takes_for(lambda text: ",".join(text.split(",")[:-1])),
        _takes_for(lambda text: text.replace("..", "")),
        _fails_if(lambda text: ",," in text),
        _fails_if(lambda text: "x" in text),
    ),
}
