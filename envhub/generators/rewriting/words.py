"""The rules of a game in English sentences.

The sentences are made from the rules themselves, so they say the same whatever the rules are. Cells of a rule are
numbered; *forward* is the direction in which the rule is read, from a cell to the next. ::

    for sentence in rule_sentences(game): ...
    goal_sentences(game)          # ["Each spot has a crate on it."]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from envhub.generators.rewriting.syntax import ABSOLUTE, GAP, Cell, Game, Rule, Term

_HOW: Final = {
    ">": "moving forward",
    "<": "moving backward",
    "^": "moving to the left of forward",
    "v": "moving to the right of forward",
    "up": "moving up",
    "down": "moving down",
    "left": "moving left",
    "right": "moving right",
    "action": "acting",
    "moving": "moving or acting in any way",
    "stationary": "not moving",
    "horizontal": "moving left or right",
    "vertical": "moving up or down",
    "orthogonal": "moving in any direction",
    "parallel": "moving forward or backward",
    "perpendicular": "moving sideways",
}
_SAME: Final = frozenset({"moving", "horizontal", "vertical", "orthogonal", "parallel", "perpendicular"})
_READ: Final = {"up": "upwards", "down": "downwards", "left": "to the left", "right": "to the right"}
_COMMANDS: Final = {
    "again": "another turn without input follows if this turn changed anything",
    "cancel": "the whole turn is undone",
    "win": "you win",
}


def rule_sentences(game: Game) -> list[str]:
    """One sentence per rule, and one per loop."""
    found = []
    for number, rule in enumerate(game.rules, 1):
        joined = f" (together with rule {number - 1})" if rule.group != rule.line else ""
        found.append(f"Rule {number}{joined}, {_when(rule)}: where {_pattern(rule)}: {_effects(rule)}.")
    for start, end in game.loops:
        inside = [number for number, rule in enumerate(game.rules, 1) if start < rule.line < end]
        if inside:
            found.append(
                f"Rules {inside[0]} to {inside[-1]} are repeated in order until none of them changes anything."
            )
    return found


def goal_sentences(game: Game) -> list[str]:
    """What must hold to win."""
    found = []
    for win in game.wins:
        what, on = _name(game, win.what), None if win.on is None else _name(game, win.on)
        if win.kind == "all":
            found.append(f"Each {what} is in a cell with {_article(on or '')}.")
        elif win.kind == "some":
            found.append(
                f"At least one {what} is {'on the board' if on is None else f'in a cell with {_article(on)}'}."
            )
        else:
            found.append(f"No {what} is {'on the board' if on is None else f'in a cell with {_article(on)}'}.")
    return found


def group_sentences(game: Game) -> list[str]:
    """What the names mean that stand for several objects."""
    used = {term.name for rule in game.rules for row in (*rule.left, *rule.right) for cell in row for term in cell}
    used |= {name for win in game.wins for name in (win.what, win.on) if name} | {"player"}
    either = [f'"{name}" means any of: {", ".join(each)}.' for name, each in game.either.items() if name in used]
    both = [
        f'"{name}" means all of: {", ".join(each)} in one cell.' for name, each in game.both.items() if name in used
    ]
    return either + both


def layer_sentences(game: Game) -> list[str]:
    """Which objects cannot share a cell."""
    shown = [layer for layer in game.layers if "background" not in layer or len(layer) > 1]
    return [", ".join(layer) for layer in shown if len(layer) > 1]


def _name(game: Game, name: str) -> str:
    return game.same.get(name, name)


def _article(name: str) -> str:
    return f"{'an' if name[:1] in 'aeiou' else 'a'} {name}"


def _when(rule: Rule) -> str:
    if len(rule.directions) == len(ABSOLUTE):
        read = "read in all four directions"
    elif len(rule.directions) == 1 and not any(len(row) > 1 for row in rule.left):
        direction = rule.directions[0]
        by_rows = ", row by row" if direction in ("left", "right") else ""  # others go by columns
        read = f"read {_READ[direction]}" if _relative(rule) else f"in every cell{by_rows}"
    else:
        read = f"read {' and '.join(_READ[direction] for direction in rule.directions)}"
    return f"after the movements, {read}" if rule.late else read


def _relative(rule: Rule) -> bool:
    return any(
        term.how in ("<", ">", "^", "v", "parallel", "perpendicular")
        for row in (*rule.left, *rule.right)
        for cell in row
        for term in cell
    )


def _numbered(rule: Rule) -> Iterator[tuple[int, int, int, Cell, Cell | None]]:
    """Number, row, place, left and right side of each cell."""
    number = 0
    for at, row in enumerate(rule.left):
        for place, cell in enumerate(row):
            if cell != GAP:
                number += 1
                yield number, at, place, cell, rule.right[at][place] if rule.right else None


def _pattern(rule: Rule) -> str:
    parts = []
    for number, at, place, cell, _ in _numbered(rule):
        if place == 0:
            where = f"cell {number}" if at == 0 else f"anywhere on the board a cell {number}"
        elif rule.left[at][place - 1] == GAP:
            where = f"some cell {number} further on in the same line (at any distance)"
        else:
            where = f"the next cell {number}"
        parts.append(f"{where} {_holds(cell)}")
    return ", and ".join(parts)


def _holds(cell: Cell) -> str:
    has = [_thing(term) for term in cell if term.how != "no"]
    lacks = [f"no {term.name}" for term in cell if term.how == "no"]
    return f"has {' and '.join(has + lacks)}" if cell else "may have anything"


def _thing(term: Term) -> str:
    return f"{_article(term.name)} {_HOW[term.how]}".rstrip() if term.how else _article(term.name)


def _effects(rule: Rule) -> str:
    found = [
        effect
        for number, _, _, before, after in _numbered(rule)
        if after is not None
        for effect in _changes(number, before, after)
    ]
    found += [_COMMANDS[command] for command in rule.commands]
    if rule.message:
        found.append(f'the text "{rule.message}" is shown')
    return ", and ".join(found) if found else "nothing changes"


def _changes(number: int, before: Cell, after: Cell) -> Iterator[str]:
    had = {term.name: term.how for term in before if term.how != "no"}
    gets = {term.name: term.how for term in after if term.how != "no"}
    for name in had:
        if name not in gets:
            yield f"the {name} disappears from cell {number}"
    for term in after:
        how = term.how
        if how == "no":
            yield f"any {term.name} disappears from cell {number}"
        elif term.name not in had:
            moving = (
                f", {'moving in the same way' if how in _SAME else _HOW[how]}" if how and how != "stationary" else ""
            )
            yield f"{_article(term.name)} appears in cell {number}{moving}"
        elif how != had[term.name]:
            if not how or how == "stationary":
                yield f"the {term.name} in cell {number} stops moving"
            elif how in _SAME:
                yield f"the {term.name} in cell {number} starts moving in the same way"
            elif how == "action":
                yield f"the {term.name} in cell {number} starts acting"
            else:
                yield f"the {term.name} in cell {number} starts {_HOW[how]}"
