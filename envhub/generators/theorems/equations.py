"""Equational reasoning: words over a few unary functions, and universally valid equations.

The claim equates two words with a known distance, counted in uses of an equation: all words up to a length are searched
in rounds. So no shorter chain of such words exists. From level 4 on equations hold only for elements with a property,
which functions preserve: congruence closure, which decides equations, does not see such ones. A false look-alike has
another word on the right, refuted by functions on two elements.
"""

from __future__ import annotations

from itertools import product

from envhub.core.seeding import Stream
from envhub.generators.theorems.sketch import Sketch
from envhub.generators.theorems.steps import Step, apply, exact, intro, rewrite, show
from envhub.generators.theorems.syntax import TYPE, Expr, Sort, call, closed, eq, every, imp, lemma, no, var

_LETTERS = "fgh"
_ELEMENT: Sort = ("A",)
_FUNCTION: Sort = ("A", "A")
_PROPERTY: Sort = ("A", "Prop")
_LONGEST, _ROOM = 9, 3000
_GUARDED = 4
_MAPS = ("00", "01", "10", "11")
"""Functions on two elements: their values at false and at true."""
Equations = list[tuple[str, str]]


def sketch(rng: Stream, level: int, *, holds: bool) -> Sketch | None:
    """A claim of about the requested length, or None."""
    letters = _LETTERS[: 2 + (level >= 3)]
    equations = _equations(rng, letters, 2 + (level >= 2) + (level >= 6))
    start = _word(rng, letters, rng.between(2, 4))
    far = max(1, 2 * level - 1 + rng.below(3))
    came = _distances(equations, start, far)
    ends = [word for word, (distance, _, _) in came.items() if distance == far and word]
    if not ends:
        return None
    end = rng.choice(ends)
    if not holds:
        return _refuted(rng, equations, start, end, letters, level)
    path = _path(came, end)
    used = sorted({at for at, _ in path})
    proof = _Proof({at: f"h{place + 1}" for place, at in enumerate(used)}, level >= _GUARDED)
    steps = proof.chain(equations, start, end, path)
    kept = [equations[at] for at in used]
    inside = [each for each in letters if each in start + end or any(each in left + right for left, right in kept)]
    preserved = [each for each in inside if each in proof.preserved]
    claim = _claim(kept, start, end, inside, preserved if proof.guarded else None)
    names = ["A", *inside, *["P"] * proof.guarded, *proof.names.values(), *(f"p{each}" for each in preserved), "x"]
    first = intro(*names, *["px"] * proof.guarded)
    return Sketch(claim, (first, *steps, Step("rfl")), len(steps) + 1)


def _word(rng: Stream, letters: str, length: int) -> str:
    return "".join(rng.choice(letters) for _ in range(length))


def _equations(rng: Stream, letters: str, count: int) -> Equations:
    found: Equations = []
    while len(found) < count:
        left, right = _word(rng, letters, rng.between(2, 3)), _word(rng, letters, rng.between(1, 3))
        if left != right and (left, right) not in found and (right, left) not in found:
            found.append((left, right))
    return found


Came = dict[str, tuple[int, str, tuple[int, int]]]
"""For a word: its distance, predecessor, and equation used (negative: right to left) with its place."""


def _distances(equations: Equations, start: str, far: int) -> Came:
    """Words at distance up to ``far`` with their paths.

    There are as many as fit.
    """
    came: Came = {start: (0, "", (0, 0))}
    edge = [start]
    for distance in range(1, far + 1):
        following = []
        for word in edge:
            for at, (left, right) in enumerate(equations, 1):
                for sign, old, new in ((at, left, right), (-at, right, left)):
                    place = word.find(old)
                    while place >= 0:
                        after = word[:place] + new + word[place + len(old) :]
                        if len(after) <= _LONGEST and after not in came:
                            came[after] = (distance, word, (sign, place))
                            following.append(after)
                        place = word.find(old, place + 1)
        edge = following
        if len(came) > _ROOM:
            break
    return came


def _path(came: Came, end: str) -> list[tuple[int, tuple[int, int]]]:
    """Equations that lead to a word, and their uses, in order."""
    path = []
    while came[end][0]:
        _, before, use = came[end]
        path.append((abs(use[0]) - 1, use))
        end = before
    return path[::-1]


def term(word: str, inner: Expr) -> Expr:
    """A word applied to a term."""
    for letter in reversed(word):
        inner = call(letter, inner)
    return inner


def _property(inner: Expr) -> Expr:
    return call("P", inner)


def _claim(equations: Equations, start: str, end: str, letters: list[str], preserved: list[str] | None) -> Expr:
    """The claim; ``preserved`` are the functions that preserve the property, if any."""
    y, x = var("y"), var("x")
    guarded = preserved is not None
    premises = [
        every("y", _ELEMENT, closed([], [_property(y)] * guarded, eq(term(left, y), term(right, y))))
        for left, right in equations
    ]
    premises += [every("y", _ELEMENT, imp(_property(y), _property(call(each, y)))) for each in preserved or ()]
    goal = every("x", _ELEMENT, closed([], [_property(x)] * guarded, eq(term(start, x), term(end, x))))
    names = [("A", TYPE), *((letter, _FUNCTION) for letter in letters), *[("P", _PROPERTY)] * guarded]
    return closed(names, premises, goal)


class _Proof:
    """Steps from a word to another, and the functions restricted.

    Those had to preserve the property.
    """

    def __init__(self, names: dict[int, str], guarded: bool) -> None:
        self.names = names
        self.guarded = guarded
        self.preserved: set[str] = set()

    def chain(self, equations: Equations, word: str, end: str, path: list[tuple[int, tuple[int, int]]]) -> list[Step]:
        """Each rewrites the left side of the goal only."""
        steps = []
        for at, (sign, place) in path:
            old, new = equations[at] if sign > 0 else equations[at][::-1]
            rest = word[place + len(old) :]
            use = call(self.names[at], term(rest, var("x")), *[self._kept(rest)] * self.guarded)
            if end.endswith(old + rest):  # it would also be rewritten on the right
                equation = use if sign > 0 else lemma("symm", use)
                if place:
                    context = Expr("lam", (term(word[:place], var("z")),), "z", _ELEMENT)
                    equation = lemma("congr", context, equation)
                steps.append(apply(lemma("trans", equation, Expr("hole"))))
            else:
                steps.append(rewrite(use, back=sign < 0))
            word = word[:place] + new + rest
        return steps

    def _kept(self, word: str) -> Expr:
        """The proposition that a word of ``x`` has the property."""
        if not self.guarded or not word:
            return var("px")
        self.preserved.add(word[0])
        return call(f"p{word[0]}", term(word[1:], var("x")), self._kept(word[1:]))


def _refuted(rng: Stream, equations: Equations, start: str, end: str, letters: str, level: int) -> Sketch | None:
    """A false claim with another right word, if refutable.

    Functions on two elements must distinguish the words.
    """
    choices = [dict(zip(letters, choice, strict=True)) for choice in product(_MAPS, repeat=len(letters))]
    models = [m for m in choices if all(_value(m, left) == _value(m, right) for left, right in equations)]
    for _ in range(6):
        at = rng.below(len(end))
        other = end[:at] + rng.choice([each for each in letters if each != end[at]]) + end[at + 1 :]
        against = [maps for maps in models if _value(maps, start) != _value(maps, other)]
        if against:
            return _shown(equations, start, other, letters, rng.choice(against), level)
    return None


def _value(maps: dict[str, str], word: str) -> str:
    """A word as a function on two elements."""
    values = "01"
    for letter in reversed(word):
        values = "".join(maps[letter][int(value)] for value in values)
    return values


def _shown(equations: Equations, start: str, end: str, letters: str, maps: dict[str, str], level: int) -> Sketch:
    guarded = level >= _GUARDED
    claim = _claim(equations, start, end, list(letters), list(letters) if guarded else None)
    at = next(at for at in (0, 1) if _value(maps, start)[at] != _value(maps, end)[at])
    everywhere = Expr("lam", (Expr("true"),), "b", ("Bool",))
    functions = [*(_function(maps[letter]) for letter in letters), *[everywhere] * guarded]
    holes = [Expr("hole")] * (len(equations) + len(letters) * guarded)
    held = [lemma("true")] * guarded
    given = call("k", Expr("bool_type"), *functions, *holes, _BOOLS[at], *held)
    steps = [intro("k"), apply(lemma("absurd", given, Expr("hole")))]
    for place in range(len(equations)):
        name = f"x{place + 1}"
        case = [*[intro(f"a{place + 1}")] * guarded, Step("rfl")]
        steps += [intro(name), Step("bools", (name,)), *case, *case]
    for letter in letters if guarded else ():
        steps += [intro(f"x{letter}", f"a{letter}"), exact(lemma("true"))]
    sides = (_BOOLS[int(_value(maps, word)[at])] for word in (start, end))
    return Sketch(claim, (*steps, show(no(eq(*sides))), Step("decide")), 2 * level)


_BOOLS = (Expr("no"), Expr("yes"))


def _function(values: str) -> Expr:
    low, high = (_BOOLS[int(value)] for value in values)
    body = low if low == high else Expr("if", (var("b"), high, low))
    return Expr("lam", (body,), "b", ("Bool",))
