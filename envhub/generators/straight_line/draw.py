"""Draws programs.

Blocks of statements, each of which uses the results of earlier ones. Parts may be dead;
:mod:`envhub.generators.straight_line.alive` finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.straight_line.shape import LETTERS, Shape, domain
from envhub.generators.straight_line.writer import Var, Writer

_HOLDERS: Final = ("ints", "str", "strs", "dict", "imap")


def draw(rng: Stream, shape: Shape) -> JSON:
    """A program."""
    arities = tuple(rng.between(1, 2) for _ in range(shape.helpers))
    helpers = [_helper(rng, arity, shape) for arity in arities]
    writer = Writer(rng, shape.size, shape.kinds, arities)
    takes = [domain(rng, shape, number == 0) for number in range(shape.arguments)]
    for taken in takes:
        writer.new(taken["kind"], filled=taken["kind"] != "int")
    body = _Body(writer, shape)
    statements: list[JSON] = []
    for left in range(shape.blocks, 0, -1):
        statements += body.block(last=left == 1)
    statements.append(["return", body.result()])
    main = {"arguments": len(takes), "names": writer.names, "body": statements}
    return {"takes": takes, "helpers": helpers, "main": main}


def _helper(rng: Stream, arity: int, shape: Shape) -> JSON:
    """A function from one or two integers to an integer."""
    writer = Writer(rng, 1, min(shape.kinds, 2))
    for _ in range(arity):
        writer.new("int")
    first = writer.scope[0]
    body: list[JSON] = [
        ["if", writer.condition(0, first), [["return", writer.number(1)]], []],
        ["return", writer.number(2)],
    ]
    if shape.kinds >= 3 and rng.below(2):  # the digits of a number
        rest = writer.new("int", wanted=False)
        total = writer.new("int", wanted=False)
        base = writer.small(2, 7)
        digit = ["bin", "%", rest.tree, base]
        body = [
            ["set", rest.number, ["call", "abs", first.tree]],
            ["set", total.number, writer.small(0, 4)],
            ["while", ["cmp", ">", rest.tree, ["int", 0]],
             [["aug", total.number, rng.choice("+-"), ["bin", "*", digit, writer.small(2, 5)]],
              ["aug", rest.number, "//", base]]],
            ["return", ["bin", "+", total.tree, writer.scope[arity - 1].tree]],
        ]  # fmt: skip
    return {"arguments": arity, "names": writer.names, "body": body}


class _Body:
    """The blocks of the main function."""

    def __init__(self, writer: Writer, shape: Shape) -> None:
        self.w, self.shape, self.rng = writer, shape, writer.rng

    def block(self, last: bool) -> list[JSON]:
        """Statements that create or change something."""
        forms: list[Callable[[], list[JSON] | None]] = [self._loop, self._loop, self._map, self._scalar]
        if self.shape.blocks > 1 and not last:
            forms.append(self._branch)
        if self.shape.kinds >= 2:
            forms += [self._table, self._spell]
        if self.shape.kinds >= 3:
            forms += [self._digits, self._stack, self._pointers]
        for _ in range(8):
            made = self.rng.choice(forms)()
            if made:
                return made
        return self._loop() or self._scalar()

    # -- without loops of their own ----------------------------------------------------------------------------------

    def _scalar(self) -> list[JSON]:
        value = self.w.number(self.shape.size)
        return [["set", self.w.new("int").number, value]]

    def _map(self) -> list[JSON] | None:
        w, rng = self.w, self.rng
        var = w.find("ints", "strs", "str")
        if var is None:
            return None
        items, outer = w.items(var), len(w.scope)
        kind, pool = w.over(var)
        item = w.new(kind, pool, wanted=False)
        condition = w.condition(0, item) if rng.below(2) else None
        value = w.number(self.shape.size) if kind == "int" else self._measured(item)
        if item.tree not in _parts(value):
            value = ["bin", "+", value, item.tree if kind == "int" else w.other(value, 0)]
        w.close(outer)
        return [
            ["set", w.new("ints", filled=var.filled and condition is None).number,
             ["comp", "list", item.number, value, items, condition]]
        ]  # fmt: skip

    def _measured(self, item: Var) -> JSON:
        w = self.w
        if item.kind == "char":
            inner: JSON = ["bin", "-", ["call", "ord", item.tree], ["int", 97]]
        else:
            inner = ["call", "len", item.tree]
            if self.rng.below(2):
                inner = ["method", "count", item.tree, ["str", self.rng.choice(LETTERS)]]
        return ["bin", self.rng.choice("+-*"), inner, w.small(2, 9) if self.rng.below(2) else w.other(inner, 0)]

    def _spell(self) -> list[JSON] | None:
        """A text built from a text."""
        w, rng = self.w, self.rng
        var = w.find("str", cold=True)
        if var is None:
            return None
        items, outer = w.items(var), len(w.scope)
        item = w.new("char", wanted=False)
        condition = w.condition(0, item) if rng.below(2) else None
        value = w.character(item)
        w.close(outer)
        return [["set", w.new("str").number, ["comp", "join", item.number, value, items, condition]]]

    def _branch(self) -> list[JSON] | None:
        """An integer chosen by a condition."""
        w = self.w
        condition = w.condition(1)
        one, other = w.number(self.shape.size), w.number(self.shape.size)
        var = w.new("int")
        return [["if", condition, [["set", var.number, one]], [["set", var.number, other]]]]

    # -- loops -------------------------------------------------------------------------------------------------------

    def _loop(self) -> list[JSON] | None:
        """A loop that accumulates something."""
        w, rng = self.w, self.rng
        var = w.find("ints", "str", "strs", "dict", "imap")
        if var is None:
            return None
        head, targets, begun = self._head(var)
        states = [self._state() for _ in range(2 if self.shape.nesting > 1 and rng.below(2) else 1)]
        outer = len(w.scope)
        places = [w.new(kind, pool, wanted=False) for kind, pool in targets]
        for state in states:
            state.hot = True
        body = self._turn(states, places, self.shape.nesting)
        for state in states:
            state.hot = False
        w.close(outer)
        w.pending += [state for state in states if state not in w.pending]
        first: list[JSON] = [["set", state.number, self._start(state)] for state in states]
        return [*begun, *first, ["for", [place.number for place in places], head, body]]

    def _head(self, var: Var) -> tuple[JSON, list[tuple[str, str]], list[JSON]]:
        """A loop's iterable, variables and preceding statements."""
        w, rng = self.w, self.rng
        item = w.over(var)
        if var.kind == "dict":
            return ["call", "items", w.use(var)], [("char", "char"), ("int", "item")], []
        if var.kind == "imap":
            return ["call", "items", w.use(var)], [("int", "index"), ("int", "item")], []
        choice = rng.below(4) if self.shape.kinds >= 2 else rng.below(2)
        if choice == 1:
            return ["call", "enumerate", w.items(var)], [("int", "index"), item], []
        if choice == 2:
            return ["call", "zip", w.use(var), ["slice", var.tree, 1, None, None]], [item, item], []
        return w.items(var), [item], []

    def _state(self) -> Var:
        kinds = ["int", "int", "int", "ints"] if self.shape.kinds < 2 else ["int", "int", "ints", "str"]
        return self.w.new(self.rng.choice(kinds))

    def _start(self, state: Var) -> JSON:
        if state.kind == "int":
            return self.w.small(0, 5)
        return ["list"] if state.kind == "ints" else ["str", ""]

    def _turn(self, states: list[Var], places: list[Var], nesting: int) -> list[JSON]:
        """The body of a loop: changes every state, at least conditionally."""
        w, rng, body = self.w, self.rng, list[JSON]()
        focus = places[-1]
        if self.shape.size > 1 and rng.below(2):
            value = self._about(places)
            places = [*places, w.new("int", wanted=False)]
            body.append(["set", places[-1].number, value])
        if nesting > 1 and rng.below(4) == 0:
            body.append(["if", w.condition(0, focus), [["continue"]], []])
        for state in states:
            change = self._change(state, places)
            if nesting > 1 and self.shape.kinds >= 2 and rng.below(3) == 0:
                body += self._inner(state, places)
            elif rng.below(3):
                body.append(self._if(state, places, focus, change, nesting))
            else:
                body.append(change)
        return body

    def _if(self, state: Var, places: list[Var], focus: Var, change: JSON, nesting: int) -> JSON:
        orelse: list[JSON] = []
        if self.rng.below(2):
            orelse = [self._change(state, places)]
            if nesting > 2 or (nesting > 1 and self.rng.below(2)):
                orelse = [["if", self.w.condition(0, focus), orelse, [self._change(state, places)]]]
        return ["if", self.w.condition(nesting - 1, focus), [change], orelse]

    def _inner(self, state: Var, places: list[Var]) -> list[JSON]:
        """A nested loop."""
        w, outer = self.w, len(self.w.scope)
        var = next((v for v in [*places, *w.scope] if v.kind in ("str", "ints", "strs") and not v.hot), None)
        if var is None:
            count = ["call", "range", ["bin", "+", ["bin", "%", places[-1].tree, w.small(3, 4)], ["int", 1]]]
            inner = w.new("int", "index", wanted=False)
            loop = ["for", [inner.number], count, [self._change(state, [*places, inner])]]
        else:
            kind, pool = w.over(var)
            inner = w.new(kind, pool, wanted=False)
            change = self._change(state, [*places, inner])
            loop = [
                "for", [inner.number], w.use(var), [["if", w.condition(0, inner), [change], []]],
            ]  # fmt: skip
        w.close(outer)
        return [loop]

    def _about(self, places: list[Var]) -> JSON:
        """An integer about the loop's current item."""
        w, item = self.w, self.rng.choice(places)
        plain: JSON = item.tree if item.kind == "int" else self._measured(item)
        if self.rng.below(3) == 0:
            return plain
        other = w.number(self.shape.size - 1) if self.rng.below(2) else w.small(2, 9)
        return ["bin", self.rng.choice("+-*" if other[0] == "int" else "+-"), plain, other]

    def _change(self, state: Var, places: list[Var]) -> JSON:
        """A statement that changes a state by the current item."""
        w, rng = self.w, self.rng
        if state.kind == "ints":
            return ["append", state.number, self._about(places)]
        if state.kind == "str":
            item = next((place for place in places if place.kind == "char"), None)
            digit = ["call", "str", ["bin", "%", self._about(places), ["int", 10]]]
            added = w.character(item) if item is not None else digit
            if rng.below(3):
                return ["aug", state.number, "+", added]
            return ["set", state.number, ["bin", "+", added, state.tree]]
        form, value = rng.below(6), self._about(places)
        if form == 0:
            scaled = ["bin", "+", ["bin", "*", state.tree, w.small(2, 7)], value]
            return ["set", state.number, ["bin", "%", scaled, ["int", rng.choice((97, 101, 211, 499, 997))]]]
        if form == 1 and self.shape.kinds >= 2:
            return ["set", state.number, ["call", rng.choice(("max", "min")), state.tree, value]]
        return ["aug", state.number, rng.choice("+++-"), value]

    def _table(self) -> list[JSON] | None:
        """A table of counts or sums."""
        w, rng = self.w, self.rng
        var = w.find("ints", "str", "strs")
        if var is None:
            return None
        items, outer = w.items(var), len(w.scope)
        item = w.new(*w.over(var), wanted=False)
        kind, key = w.key(item)
        added = self._about([item]) if rng.below(2) else w.small(1, 3)
        w.close(outer)
        table = w.new(kind)
        put = ["put", table.number, key, ["bin", "+", ["method", "get", table.tree, key, ["int", 0]], added]]
        body: list[JSON] = [["if", w.condition(0, item), [put], []]] if rng.below(3) == 0 else [put]
        return [["set", table.number, ["dict"]], ["for", [item.number], items, body]]

    def _digits(self) -> list[JSON]:
        """The digits of a number in some base."""
        w, rng = self.w, self.rng
        value = w.number(self.shape.size)
        rest, base = w.new("int", wanted=False), w.small(2, 8)
        state = w.new(rng.choice(("int", "ints")))
        digit = w.new("int", "item", wanted=False)
        state.hot = True
        change = self._change(state, [digit])
        state.hot = False
        w.scope.remove(digit)
        w.scope.remove(rest)  # always 0 at the end
        return [
            ["set", rest.number, ["bin", "+", ["call", "abs", value], w.small(10, 60)]],
            ["set", state.number, self._start(state)],
            ["while", ["cmp", ">", rest.tree, ["int", 0]],
             [["set", digit.number, ["bin", "%", rest.tree, base]], ["aug", rest.number, "//", base], change]],
        ]  # fmt: skip

    def _stack(self) -> list[JSON] | None:
        """A stack whose items are popped by new ones."""
        w, rng = self.w, self.rng
        var = w.find("ints", cold=True)
        if var is None:
            return None
        items, outer = w.items(var), len(w.scope)
        item = w.new("int", "item", wanted=False)
        w.close(outer)
        stack = w.new("ints", filled=var.filled)
        top = ["index", stack.tree, ["int", -1]]
        pushed = item.tree if rng.below(2) else ["bin", "+", item.tree, w.small(1, 6)]
        drives = ["and", stack.tree, ["cmp", rng.choice(("<", ">")), top, item.tree]]
        body: list[JSON] = [["while", drives, [["pop", stack.number]]], ["append", stack.number, pushed]]
        return [["set", stack.number, ["list"]], ["for", [item.number], items, body]]

    def _pointers(self) -> list[JSON] | None:
        """Two positions in a list that move towards each other."""
        w, rng = self.w, self.rng
        var = w.find("ints", cold=True)
        if var is None:
            return None
        xs, outer = w.use(var), len(w.scope)
        low, high = w.new("int", "index", wanted=False), w.new("int", "index", wanted=False)
        state = w.new("int")
        left, right = ["index", xs, low.tree], ["index", xs, high.tree]
        gain = ["bin", rng.choice("+-"), ["bin", "*", left, w.small(2, 5)], right]
        w.scope = [*w.scope[:outer], state]
        step = ["if", ["cmp", rng.choice(("<", ">")), left, right], [["aug", low.number, "+", ["int", 1]]],
                [["aug", high.number, "-", ["int", 1]]]]  # fmt: skip
        return [
            ["set", low.number, ["int", 0]],
            ["set", high.number, ["bin", "-", ["call", "len", xs], ["int", 1]]],
            ["set", state.number, w.small(0, 5)],
            ["while", ["cmp", "<", low.tree, high.tree], [["aug", state.number, "+", gain], step]],
        ]

    # -- the end -----------------------------------------------------------------------------------------------------

    def result(self) -> JSON:
        """The return statement: uses all results that are still unused."""
        w = self.w
        rest = list(w.pending) or [w.scope[-1]]
        numbers = [var for var in rest if var.kind == "int"]
        parts = [self._shown(var) for var in rest if var.kind in _HOLDERS]
        if numbers:
            total = w.use(numbers[0])
            for var in numbers[1:]:
                total = ["bin", self.rng.choice("+-"), total, w.use(var)]
            if not parts and w.uncalled:
                number = w.uncalled.pop()
                total = ["help", number, total, *(w.small(1, 9) for _ in range(w.helpers[number] - 1))]
            parts.append(total)
        while len(parts) > 3:
            parts = [["tuple", *parts[:2]], *parts[2:]]
        return parts[0] if len(parts) == 1 else ["tuple", *parts]

    def _shown(self, var: Var) -> JSON:
        tree = self.w.use(var)
        if self.shape.kinds < 2:
            return tree
        choice = self.rng.below(6)
        if var.kind in ("dict", "imap"):
            return ["call", "items", tree] if choice < 2 else tree
        if var.kind in ("ints", "strs") and choice == 0:
            return ["call", self.rng.choice(("sorted", "descending", "distinct")), tree]
        return ["slice", tree, None, None, -1] if choice == 1 else tree


def _parts(e: JSON) -> list[JSON]:
    """An expression and its subexpressions."""
    return [e, *(inner for part in e if type(part) is list for inner in _parts(part))]
