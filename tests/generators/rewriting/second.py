"""A second interpreter of puzzle games: slow, plain, and written without a look at bit boards.

A board is a mapping from cells to sets of names, and movements belong to a cell and a layer. Rules are read from the
parsed lines; names that stand for several objects or directions are bound by trying all of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import product
from typing import Any

from envhub.generators.rewriting.syntax import GAP, Game, Rule, Term

Cell = tuple[int, int]
Cells = dict[Cell, frozenset[str]]
DELTA = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
CLOCKWISE = ("up", "right", "down", "left")
MANY = {
    "moving": ("up", "down", "left", "right", "action"),
    "orthogonal": ("up", "down", "left", "right"),
    "horizontal": ("left", "right"),
    "vertical": ("up", "down"),
}


class Slow:
    """Plays a game on boards of one size."""

    def __init__(self, game: Game, width: int, height: int) -> None:
        self.game, self.width, self.height = game, width, height
        self.layer = {name: at for at, names in enumerate(game.layers) for name in names}
        self.actions = ["up", "left", "down", "right"] + ([] if "noaction" in game.settings else ["action"])

    def members(self, name: str) -> list[str]:
        if name in self.game.either:
            return list(self.game.either[name])
        if name in self.game.both:
            return list(self.game.both[name])
        return [self.game.same.get(name, name)]

    # -- a turn ------------------------------------------------------------------------------------------------------

    def turn(self, cells: Cells, action: str | None) -> tuple[Cells, bool]:
        before = cells
        for count in range(200):
            after, commands = self.tick(cells, action if count == 0 else None)
            if "cancel" in commands:
                return cells, False
            if count and after == cells and "win" not in commands:
                break
            changed, cells = after != cells, after
            if action is not None and ("win" in commands or self.won(cells)):
                return cells, True
            if "again" not in commands or not changed:
                break
        assert before is not None
        return cells, False

    def tick(self, cells: Cells, action: str | None) -> tuple[Cells, set[str]]:
        self.cells = dict(cells)
        self.moves: dict[tuple[Cell, int], str] = {}
        self.commands: set[str] = set()
        players = [at for at, names in cells.items() if names & set(self.members("player"))]
        if action is not None:
            for at in players:
                for name in self.cells[at] & set(self.members("player")):
                    self.moves[at, self.layer[name]] = action
        self.all_groups(late=False)
        self.carry_out()
        self.all_groups(late=True)
        must = action is not None and "require_player_movement" in self.game.settings and bool(players)
        if must and all(self.cells[at] & set(self.members("player")) for at in players):
            self.commands.add("cancel")
        return self.cells, self.commands

    def carry_out(self) -> None:
        going = True
        while going:
            going = False
            for x, y in product(range(self.width), range(self.height)):
                for layer in range(len(self.game.layers)):
                    how = self.moves.get(((x, y), layer))
                    if how not in DELTA:
                        continue
                    to = (x + DELTA[how][0], y + DELTA[how][1])
                    if to in self.cells and not any(self.layer[name] == layer for name in self.cells[to]):
                        moved = frozenset(name for name in self.cells[x, y] if self.layer[name] == layer)
                        self.cells[x, y] -= moved
                        self.cells[to] |= moved
                        del self.moves[(x, y), layer]
                        going = True
        self.moves = {}

    def won(self, cells: Cells) -> bool:
        return bool(self.game.wins) and all(self.holds(win, cells) for win in self.game.wins)

    def holds(self, win: Any, cells: Cells) -> bool:
        def there(name: str | None, names: frozenset[str]) -> bool:
            if name is None:
                return True
            tests = [each in names for each in self.members(name)]
            return all(tests) if name in self.game.both else any(tests)

        here = [there(win.on, names) for names in cells.values() if there(win.what, names)]
        return {"all": all(here), "some": any(here), "no": not any(here)}[win.kind]

    # -- rules -------------------------------------------------------------------------------------------------------

    def all_groups(self, late: bool) -> None:
        lines = sorted({rule.group for rule in self.game.rules if rule.late == late})
        at, changed, rounds = 0, False, 0
        while at < len(lines):
            changed |= self.group([rule for rule in self.game.rules if rule.group == lines[at]])
            for start, end in self.game.loops:
                inside = [number for number, line in enumerate(lines) if start <= line <= end]
                if changed and inside and at == inside[-1] and rounds < 200:
                    rounds, changed, at = rounds + 1, False, inside[0] - 1
                    break
            at += 1

    def group(self, rules: list[Rule]) -> bool:
        ever = False
        for _ in range(200):
            changes = [self.rule(rule, way) for rule in rules for way in rule.directions]
            if not any(changes):
                return ever
            ever = True
        return ever

    def rule(self, rule: Rule, way: str) -> bool:
        changed = False
        for binding in self.bindings(rule):
            found = self.places(rule, way, binding)
            for number, match in enumerate(found):
                if number and not all(
                    self.fits(rule.left[r][c], at, way, binding, (r, c)) for (r, c), at in match.items()
                ):
                    continue
                if rule.right:
                    was = (dict(self.cells), dict(self.moves))
                    for (r, c), at in match.items():
                        self.rewrite(rule, (r, c), at, way, binding)
                    changed |= was != (self.cells, self.moves)
            if found:
                self.commands.update(rule.commands)
        return changed

    def bindings(self, rule: Rule) -> Iterator[dict[Any, str]]:
        """Choices for each term of the left that stands for several things."""
        keys: list[Any] = []
        options: list[tuple[str, ...]] = []
        terms = [((r, c), term) for r, row in enumerate(rule.left) for c, cell in enumerate(row) for term in cell]
        for at, term in terms:
            if term.how in (*MANY, "parallel", "perpendicular"):
                keys.append(("how", at, term.how, term.name))
                options.append(MANY.get(term.how, ("first", "second")))
        for at, term in terms:
            if term.how != "no" and term.name in self.game.either:
                keys.append(("name", at, term.name))
                options.append(self.game.either[term.name])
        for chosen in product(*options):
            yield dict(zip(keys, chosen, strict=True))

    def how(self, term: Term, way: str, binding: dict[Any, str], at: tuple[int, int]) -> str:
        """The absolute movement of a term."""
        how = term.how
        if how in (*MANY, "parallel", "perpendicular"):
            chosen = {value for key, value in binding.items() if key == ("how", at, how, term.name)}
            chosen = chosen or {
                value for key, value in binding.items() if key[0] == "how" and key[2:] == (how, term.name)
            }
            chosen = chosen or {value for key, value in binding.items() if key[0] == "how" and key[2] == how}
            (how,) = chosen
            if how in ("first", "second"):
                how = {"parallel": "<>", "perpendicular": "^v"}[term.how][how == "second"]
        if how in ("<", ">", "^", "v"):
            return CLOCKWISE[(CLOCKWISE.index(way) + {">": 0, "v": 1, "<": 2, "^": 3}[how]) % 4]
        return how

    def name(self, name: str, binding: dict[Any, str], at: tuple[int, int]) -> str:
        if name in self.game.either:
            own = binding.get(("name", at, name))
            return own or next(value for key, value in binding.items() if key[0] == "name" and key[2] == name)
        return self.game.same.get(name, name)

    def plain(self, cell: Any, way: str, binding: dict[Any, str], at: tuple[int, int]) -> list[tuple[str, str]]:
        """Movement and object of each term; names defined with ``and`` are written out."""
        found = []
        for term in cell:
            if term.how == "no":
                found += [("no", each) for each in self.members(term.name)]
            elif term.name in self.game.both:
                found += [(self.how(term, way, binding, at), each) for each in self.game.both[term.name]]
            else:
                found.append((self.how(term, way, binding, at), self.name(term.name, binding, at)))
        return found

    def fits(self, cell: Any, at: Cell, way: str, binding: dict[Any, str], place: tuple[int, int]) -> bool:
        if at not in self.cells:
            return False
        for how, name in self.plain(cell, way, binding, place):
            there = name in self.cells[at]
            moving = self.moves.get((at, self.layer[name]), "")
            if how == "no":
                if there:
                    return False
            elif not there or (how == "stationary" and moving) or (how not in ("", "stationary") and moving != how):
                return False
        return True

    def places(self, rule: Rule, way: str, binding: dict[Any, str]) -> list[dict[tuple[int, int], Cell]]:
        """All matches: for each cell of the rule, a cell of the board."""
        gaps = any(GAP in row for row in rule.left)
        by_row = []
        for r, row in enumerate(rule.left):
            starts = list(product(range(self.width), range(self.height)))
            if way in ("left", "right"):
                starts.sort(key=lambda at: (at[1], at[0]))
            found = []
            for start in starts:
                for jump in range(max(self.width, self.height)) if GAP in row else (0,):
                    match, at = {}, start
                    for c, cell in enumerate(row):
                        if cell == GAP:
                            at = (at[0] + DELTA[way][0] * jump, at[1] + DELTA[way][1] * jump)
                            continue
                        match[r, c] = at
                        at = (at[0] + DELTA[way][0], at[1] + DELTA[way][1])
                    if all(self.fits(row[c], at, way, binding, (r, c)) for (_, c), at in match.items()):
                        found.append(match)
            if way in ("up", "left") and not gaps:  # rules read backwards are ordered by their last cell
                axis = (lambda at: (at[0], at[1])) if way == "up" else (lambda at: (at[1], at[0]))
                found.sort(key=lambda match, axis=axis: axis(list(match.values())[-1]))  # type: ignore[misc]
            by_row.append(found)
        combined: list[dict[tuple[int, int], Cell]] = [{}]
        for found in by_row:
            combined = [{**before, **match} for match in found for before in combined]
        if way in ("up", "left") and not gaps:  # and rewritten from there
            combined = [dict(sorted(match.items(), key=lambda item: (item[0][0], -item[0][1]))) for match in combined]
        return combined

    def rewrite(self, rule: Rule, place: tuple[int, int], at: Cell, way: str, binding: dict[Any, str]) -> None:
        left = self.plain(rule.left[place[0]][place[1]], way, binding, place)
        right = self.plain(rule.right[place[0]][place[1]], way, binding, place)
        had = {self.layer[name]: (how, name) for how, name in left if how != "no"}
        gets = {self.layer[name]: (how, name) for how, name in right if how != "no"}
        for layer, (_, name) in had.items():
            if layer not in gets:
                self.cells[at] -= {name}
                self.moves.pop((at, layer), None)
        for how, name in right:
            if how == "no":
                self.cells[at] -= {name}
        for layer, (how, name) in gets.items():
            self.cells[at] = frozenset(each for each in self.cells[at] if self.layer[each] != layer) | {name}
            if how == "stationary" or (not how and not rule.late and layer not in had):
                self.moves.pop((at, layer), None)
            elif how:
                self.moves[at, layer] = how
            elif layer in had and had[layer][0] not in ("", "stationary"):
                self.moves.pop((at, layer), None)


def shortest(slow: Slow, cells: Cells, most: int) -> int | None:
    """Length of the shortest solution, by breadth-first search; None if there is none within ``most`` moves."""

    def frozen(cells: Cells) -> tuple[Any, ...]:
        return tuple(sorted((at, tuple(sorted(names))) for at, names in cells.items()))

    queue, seen = deque([(0, cells)]), {frozen(cells)}
    while queue:
        moves, now = queue.popleft()
        if moves == most:
            return None
        for action in slow.actions:
            after, won = slow.turn(now, action)
            if won:
                return moves + 1
            if frozen(after) not in seen:
                seen.add(frozen(after))
                queue.append((moves + 1, after))
    return None
