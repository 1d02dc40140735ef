r"""Several values: set, tuple, list, matrix, and parts by name.

Set(of=Integer()).read("{1, 2}")                 # (1, 2)
Matrix(of=Integer()).read(r"\begin{pmatrix}1 & 2\end{pmatrix}")
Multi(parts=(Integer(), Integer()), names_=("w", "d")).read("d = 3, w = 16")      # (16, 3)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, ClassVar, Final

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.identity import Trial
from envhub.verifiers.math.kind import DIFFERENT, SAME, Comparison, Kind, bare, together
from envhub.verifiers.math.lexer import NotMath, Token, closing, prepare, source, split, tokens_of
from envhub.verifiers.math.scalars import Scalar
from envhub.verifiers.math.tree import Num, Tree, app

_MAX_ITEMS: Final = 200
_MAX_PAIRS: Final = 2500
_BRACES: Final = ("{", "\\{")
_ROUND: Final = ("(", "<")


def enclosed(tokens: Sequence[Token]) -> str:
    """The bracket around all tokens.

    Empty if none, ``()`` in mixed form as ``(]``.
    """
    if len(tokens) > 1 and tokens[0].kind == "open" and closing(tokens, 0) == len(tokens) - 1:
        left, right = tokens[0].text, tokens[-1].text
        return left if left == right else left + right
    return ""


def listed(tokens: Sequence[Token], *separators: str) -> list[Sequence[Token]]:
    """The runs between separators; ``, and`` counts as one.

    Raises:
        NotMath: A run is empty, or there are too many.
    """
    runs = split(tokens, *separators)
    if "and" in separators:
        ends = [*accumulate(len(run) + 1 for run in runs)]  # the position after each run's separator
        oxford = [i for i, run in enumerate(runs[:-1]) if not run and i and tokens[ends[i] - 1].text == "and"]
        if len(oxford) == 1:
            del runs[oxford[0]]
    if len(runs) > _MAX_ITEMS or any(not run for run in runs):
        raise NotMath("an item is missing" if len(runs) <= _MAX_ITEMS else "there are too many items")
    return runs


def knowing_all(kinds: Sequence[Kind], names: frozenset[str]) -> tuple[Kind, ...]:
    """The kinds, with the names of variables set."""
    return tuple(kind.knowing(names) for kind in kinds)


@dataclass(frozen=True)
class Set(Kind):
    """Values whose order and repetition do not matter.

    Attributes:
        of: The kind of its elements.
    """

    of: Kind
    name: ClassVar[str] = "set"
    noun: ClassVar[str] = "one set"
    example: ClassVar[str] = "{17, 5, -3}"

    def read(self, text: str) -> tuple[Any, ...]:
        """The elements."""
        text = prepare(bare(text))
        tokens: Sequence[Token] = tokens_of(text)
        if len(tokens) > 2 and tokens[0].kind == "word" and tokens[1].text == "in" and enclosed(tokens[2:]) in _BRACES:
            tokens = tokens[2:]
        if len(tokens) == 1 and (tokens[0].kind, tokens[0].text) == ("const", "empty"):
            return ()
        bracket = enclosed(tokens)
        if bracket in _BRACES:
            tokens = tokens[1:-1]
            if not tokens:
                return ()
            return self._elements(text, listed(tokens, ",", ";"))
        if bracket and len(split(tokens[1:-1], ",", ";")) > 1:
            raise NotMath("a set is written in braces")
        runs = listed(tokens, ",", ";", "and", "or")
        stripped = _without_name(runs)
        if stripped is None and any(t.text == "or" and t.kind == "link" for t in tokens):
            raise NotMath("'or' stands only between values of one unknown")
        return self._elements(text, stripped or runs)

    def _elements(self, text: str, runs: Sequence[Sequence[Token]]) -> tuple[Any, ...]:
        return tuple(value for run in runs for value in self.of.several(source(text, run)))

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether each set contains all elements of the other."""
        if all(isinstance(item, Num) for item in (*gold, *answer)):
            same = {item.value for item in gold} == {item.value for item in answer}
            return SAME if same else DIFFERENT
        if len(gold) * len(answer) > _MAX_PAIRS:
            return Comparison(False, "undecided", "undecided")
        table = [[self.of.same(mine, theirs, trial) for theirs in answer] for mine in gold]
        lines = [*table, *([row[i] for row in table] for i in range(len(answer)))]
        if bool(gold) != bool(answer):
            return DIFFERENT
        return together([_any(line) for line in lines])

    def names(self, value: Any) -> frozenset[str]:
        """The variables of the elements."""
        return frozenset().union(*(self.of.names(item) for item in value))

    def knowing(self, names: frozenset[str]) -> Set:
        """This kind, with the names of variables set."""
        return replace(self, of=self.of.knowing(names))


def _any(comparisons: list[Comparison]) -> Comparison:
    return next((c for c in comparisons if c.same), next((c for c in comparisons if c.stage == "undecided"), DIFFERENT))


def _without_name(runs: Sequence[Sequence[Token]]) -> list[Sequence[Token]] | None:
    """The values of ``x = 1, x = 2``, ``x = 1, 2`` or ``x_1 = 1, x_2 = 2``; else None."""
    values: list[Sequence[Token]] = []
    letters: list[str] = []
    for run in runs:
        sides = split(run, "=")
        if len(sides) == 1:
            values.append(run)
            continue
        name = [token for token in sides[0] if token.text not in ("{",)]
        plain = len(name) in (1, 3) and name[0].kind in ("word", "name")
        if len(sides) > 2 or not plain or (len(name) == 3 and (name[1].text, name[2].kind) != ("_", "num")):
            return None
        letters.append(name[0].text)
        values.append(sides[1])
    first = (
        len(letters) == 1 and len(split(runs[0], "=")) == 2 and not any(len(split(run, "=")) > 1 for run in runs[1:])
    )
    return values if letters and len(set(letters)) == 1 and (len(letters) == len(runs) or first) else None


@dataclass(frozen=True)
class Tuple(Kind):
    """Values in order.

    Attributes:
        of: The kind of all, or the kinds of each.
    """

    of: Kind | tuple[Kind, ...]
    name: ClassVar[str] = "tuple"
    noun: ClassVar[str] = "one tuple"
    example: ClassVar[str] = "(17, 5)"
    brackets: ClassVar[tuple[str, ...]] = _ROUND

    def read(self, text: str) -> tuple[Any, ...]:
        """The items."""
        text = prepare(bare(text))
        tokens: Sequence[Token] = tokens_of(text)
        bracket = enclosed(tokens)
        if bracket:
            inner = tokens[1:-1]
            several = len(split(inner, ",", ";")) > 1 or not isinstance(self.of, tuple)
            if bracket in self.brackets and several:
                tokens = inner
            elif bracket not in _ROUND:
                raise NotMath(f"a {self.name} is not written in such brackets")
        if not tokens:
            return ()
        runs = listed(tokens, ",", ";")
        if isinstance(self.of, tuple) and len(runs) != len(self.of):
            raise NotMath(f"{len(self.of)} items are expected")
        kinds = self.of if isinstance(self.of, tuple) else (self.of,) * len(runs)
        return tuple(kind.read(source(text, run)) for kind, run in zip(kinds, runs, strict=True))

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether all items match, in order."""
        if len(gold) != len(answer):
            return DIFFERENT
        kinds = self.of if isinstance(self.of, tuple) else (self.of,) * len(gold)
        return together([kind.same(a, b, trial) for kind, a, b in zip(kinds, gold, answer, strict=True)])

    def names(self, value: Any) -> frozenset[str]:
        """The variables of the items."""
        kinds = self.of if isinstance(self.of, tuple) else (self.of,) * len(value)
        return frozenset().union(*(kind.names(item) for kind, item in zip(kinds, value, strict=True)))

    def knowing(self, names: frozenset[str]) -> Tuple:
        """This kind, with the names of variables set."""
        of = knowing_all(self.of, names) if isinstance(self.of, tuple) else self.of.knowing(names)
        return replace(self, of=of)


@dataclass(frozen=True)
class List(Tuple):
    """Values in order, in square brackets."""

    name: ClassVar[str] = "list"
    noun: ClassVar[str] = "one list"
    example: ClassVar[str] = "[17, 5, 5]"
    brackets: ClassVar[tuple[str, ...]] = ("[", "(")


@dataclass(frozen=True)
class Matrix(Kind):
    """Rows of values.

    Attributes:
        of: The kind of the entries.
        vector: A single row or column is a vector, in any notation, including a tuple.
    """

    of: Kind
    vector: bool = False
    name: ClassVar[str] = "matrix"
    noun: ClassVar[str] = "one matrix"
    example: ClassVar[str] = "[[17, 5], [-3, 2]]"

    def read(self, text: str) -> tuple[tuple[Any, ...], ...]:
        """The rows."""
        text = prepare(bare(text))
        tokens: Sequence[Token] = tokens_of(text)
        scale: Tree | None = None
        start = next((i for i, token in enumerate(tokens) if token.kind == "begin"), -1)
        if start > 0 and not (start == 1 and enclosed(tokens) in ("(", "[") and tokens[-2].kind == "end"):
            if not isinstance(self.of, Scalar) or closing(tokens, start) != len(tokens) - 1:
                raise NotMath("a matrix is expected")
            before = tokens[:start]
            scale = parse(before[:-1] if before[-1].text == "*" else before)
            tokens = tokens[start:]
        elif start == 1:
            tokens = tokens[1:-1]
        rows = self._environment(text, tokens) if start >= 0 else self._brackets(text, tokens)
        if len({len(row) for row in rows}) != 1:
            raise NotMath("the rows are not equally long")
        if scale is not None:
            assert isinstance(self.of, Scalar)
            rows = [[self.of.of_tree(app("*", scale, _tree(entry))) for entry in row] for row in rows]
        if self.vector and len(rows) > 1 and len(rows[0]) == 1:
            rows = [[row[0] for row in rows]]
        return tuple(map(tuple, rows))

    def _environment(self, text: str, tokens: Sequence[Token]) -> list[list[Any]]:
        if closing(tokens, 0) != len(tokens) - 1 or tokens[0].text not in ("pmatrix", "bmatrix", "matrix", "array"):
            raise NotMath("a matrix is expected")
        rows = [run for run in split(tokens[1:-1], "\\\\") if run]
        return [[self.of.read(source(text, cell)) for cell in listed(row, "&")] for row in rows]

    def _brackets(self, text: str, tokens: Sequence[Token]) -> list[list[Any]]:
        bracket = enclosed(tokens)
        rows = listed(tokens[1:-1], ",", ";") if bracket in ("[", "(") else []
        if rows and all(enclosed(row) in ("[", "(") for row in rows) and bracket == "[":
            return [[self.of.read(source(text, cell)) for cell in listed(row[1:-1], ",")] for row in rows]
        if self.vector and rows:
            return [[self.of.read(source(text, cell)) for cell in rows]]
        raise NotMath("a matrix is expected, as [[1, 2], [3, 4]]")

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether all entries match."""
        if len(gold) != len(answer) or len(gold[0]) != len(answer[0]):
            return DIFFERENT
        cells = zip((c for row in gold for c in row), (c for row in answer for c in row), strict=True)
        return together([self.of.same(a, b, trial) for a, b in cells])

    def names(self, value: Any) -> frozenset[str]:
        """The variables of the entries."""
        return frozenset().union(*(self.of.names(cell) for row in value for cell in row))

    def knowing(self, names: frozenset[str]) -> Matrix:
        """This kind, with the names of variables set."""
        return replace(self, of=self.of.knowing(names))


def _tree(entry: Any) -> Tree:
    tree: Tree = entry[0] if isinstance(entry, tuple) else entry
    return tree


@dataclass(frozen=True)
class Multi(Kind):
    """Several parts, each of its own kind.

    Attributes:
        parts: The kinds of the parts.
        names_: Their names; named parts may come in any order.
    """

    parts: tuple[Kind, ...]
    names_: tuple[str, ...] = ()
    name: ClassVar[str] = "multi"
    noun: ClassVar[str] = "all parts of the answer, in order,"
    example: ClassVar[str] = "(17, 5)"

    def read(self, text: str) -> tuple[Any, ...]:
        """The parts, in the declared order."""
        text = prepare(bare(text))
        tokens: Sequence[Token] = tokens_of(text)
        if enclosed(tokens) in (*_ROUND, *_BRACES) and len(split(tokens[1:-1], ",", ";")) == len(self.parts) > 1:
            tokens = tokens[1:-1]
        runs = listed(tokens, ",", ";", "\n", "and")
        if len(runs) != len(self.parts):
            raise NotMath(f"{len(self.parts)} parts are expected")
        by_name = [self._named(run) for run in runs]
        if any(name is not None for name, _ in by_name):
            found = dict(by_name)
            if set(found) != set(self.names_):
                raise NotMath(f"the parts are named {', '.join(self.names_)}")
            runs = [found[name] for name in self.names_]
        return tuple(kind.read(source(text, run)) for kind, run in zip(self.parts, runs, strict=True))

    def _named(self, run: Sequence[Token]) -> tuple[str | None, Sequence[Token]]:
        for i, token in enumerate(run[:8]):
            if token.text in ("=", ":"):
                name = "".join(t.text for t in run[:i] if t.text != "{")
                if name in self.names_:
                    return name, run[i + 1 :]
        return None, run

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether all parts match."""
        return together([kind.same(a, b, trial) for kind, a, b in zip(self.parts, gold, answer, strict=True)])

    def names(self, value: Any) -> frozenset[str]:
        """The variables of the parts."""
        return frozenset().union(*(kind.names(part) for kind, part in zip(self.parts, value, strict=True)))

    def knowing(self, names: frozenset[str]) -> Multi:
        """This kind, with the names of variables set."""
        return replace(self, parts=knowing_all(self.parts, names))
