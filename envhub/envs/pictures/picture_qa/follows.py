"""Kinds of question about moves of games and rules of puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.pictures.picture_qa.kind import Kind, listed
from envhub.envs.pictures.picture_qa.source import BLANK, Played, Puzzle, Source, View, cell_name
from envhub.families.pieces import EMPTY

_TRIES: Final = 12


class GameKind(Kind):
    """A kind of question that needs the moves of a game."""

    engine = True

    def fits(self, source: Source) -> bool:
        """Only games have moves."""
        return isinstance(source, Played)


class Legal(GameKind):
    """Which of some moves are legal."""

    task = Phrase(
        "Which of these moves are legal now: {moves}? List all legal ones among them, in the order of this list.",
        "Some of the moves {moves} are legal for the side to move. List exactly these, and keep their order.",
        "Select the legal moves from this list: {moves}. Keep the order of the list.",
        held_out="From the candidates {moves}, state all that are legal in this position, in the given order.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """At least one legal and one other move."""
        assert isinstance(source, Played)
        legal, options = source.legal(state), source.candidates(state)
        wrong = [move for move in options if move not in legal]
        if len(options) < 6 or not wrong or not legal:
            return None
        yes = rng.sample(legal, min(len(legal), rng.between(1, 2 + depth)))
        no = rng.sample(wrong, min(len(wrong), rng.between(1, 2 + depth)))
        if len(yes) + len(no) < 4:
            return None
        moves = [*yes, *no]
        rng.shuffle(moves)
        return state, {"moves": moves}

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By the engine."""
        assert isinstance(source, Played)
        legal = source.legal(state)
        return [move for move in ask["moves"] if move in legal]

    def example(self, ask: JSON) -> list[str]:
        """Placeholders for moves."""
        return ["move", "move"]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The moves."""
        return {"moves": listed(ask["moves"])}


class After(GameKind):
    """What some cells contain after moves."""

    task = Phrase(
        "These moves are made, one after the other: {moves}. What do the cells {cells} contain then, in this order? "
        "Write contents as: {words}.",
        "After the moves {moves}, made in this order, what is in {cells}? Give the contents in this order, written "
        "as: {words}.",
        "Make the moves {moves} in turn. Then name the contents of {cells}, in this order. Contents are written as: "
        "{words}.",
        held_out="Apply the move sequence {moves} and state the resulting contents of {cells}, in order, written as: "
        "{words}.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Moves, and cells of which some change."""
        assert isinstance(source, Played)
        now, moves = state, list[str]()
        for _ in range(depth + (rng.below(2) if depth > 1 else 0)):
            legal = source.legal(now)
            if not legal:
                return None
            moves.append(rng.choice(legal))
            now = source.play(now, moves[-1])
        before, after = source.view(state), source.view(now)
        changed = [cell for cell in after.cells() if before.at(cell) != after.at(cell)]
        if len(changed) < 2:
            return None
        near = [cell for cell in after.cells() if cell not in changed and after.at(cell) != EMPTY]
        cells = rng.sample(changed, min(3, len(changed))) + rng.sample(near, min(2, len(near)))
        rng.shuffle(cells)
        return state, {"moves": moves, "cells": [list(cell) for cell in cells]}

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By the engine."""
        view = source.view(moved(source, state, ask["moves"]))
        return [view.word(view.at(tuple(cell))) for cell in ask["cells"]]

    def example(self, ask: JSON) -> list[str]:
        """Placeholders for words."""
        return ["word"] * len(ask["cells"])

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The moves, the cells, and the words."""
        words = sorted(set(view.words.values())) or ["numbers"]
        return {
            "moves": listed(ask["moves"]),
            "cells": listed(map(cell_name, map(tuple, ask["cells"]))),
            "words": listed([*words, BLANK]),
        }


class Options(GameKind):
    """All legal moves, and their number, after moves."""

    task = Phrase(
        "These moves are made, one after the other: {moves}. List all moves that are legal then, in alphabetical "
        "order.",
        "After the moves {moves}, made in this order, which moves are legal? List every one, sorted alphabetically.",
        "Make the moves {moves} in turn. Then give all legal moves in alphabetical order.",
        held_out="Apply the move sequence {moves} and enumerate the legal moves of the resulting position in "
        "alphabetical order.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Moves after which there is a choice.

        But not too large a one.
        """
        assert isinstance(source, Played)
        now, moves = state, list[str]()
        for _ in range(max(1, depth - 1)):
            legal = source.legal(now)
            if not legal:
                return None
            moves.append(rng.choice(legal))
            now = source.play(now, moves[-1])
        count, total = len(source.legal(now)), len(source.candidates(now))
        return (state, {"moves": moves}) if 2 <= count <= 6 + 2 * depth and count < total else None

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By the engine."""
        assert isinstance(source, Played)
        return sorted(source.legal(moved(source, state, ask["moves"])))

    def example(self, ask: JSON) -> list[str]:
        """Placeholders for moves."""
        return ["move", "move"]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The moves."""
        return {"moves": listed(ask["moves"])}


class Best(GameKind):
    """The only best move.

    The engine proves that it is the only one.
    """

    def fits(self, source: Source) -> bool:
        """Games that say what is best."""
        return isinstance(source, Played) and source.goal is not None

    def task_of(self, source: Source) -> Phrase:
        """What best means in this game."""
        assert isinstance(source, Played)
        assert source.goal is not None
        return source.goal

    def position(self, rng: Stream, source: Source, level: int) -> JSON | None:
        """A position that often has a best move."""
        assert isinstance(source, Played)
        return source.critical(rng, level)

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """A position with one best move among several."""
        assert isinstance(source, Played)
        return (state, {}) if len(source.legal(state)) > 1 and source.best(state) else None

    def example(self, ask: JSON) -> list[str]:
        """A placeholder for a move, and a number."""
        return ["move", "99"]

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By the engine."""
        assert isinstance(source, Played)
        return list(source.best(state) or ())


class PuzzleKind(Kind):
    """A kind of question that needs the rules of a puzzle."""

    engine = True

    def fits(self, source: Source) -> bool:
        """Only puzzles have them."""
        return isinstance(source, Puzzle)

    def position(self, rng: Stream, source: Source, level: int) -> JSON | None:
        """A completely filled board."""
        assert isinstance(source, Puzzle)
        return source.filled(rng, level)


class Wrong(PuzzleKind):
    """The only cell whose change makes a board keep the rules."""

    task = Phrase(
        "This board was filled according to the rules, but one cell is wrong. Only by changing this one cell can all "
        "rules be kept. Which cell is it, "
        "and what belongs in it? Write contents as: {words}.",
        "Exactly one cell of this board must be changed so that the rules hold. Name the cell and its right content, "
        "written as: {words}.",
        "All rules would hold if one single cell had another content. Give this cell and what it must contain. "
        "Contents are written as: {words}.",
        held_out="A single correction, unique, makes the board satisfy all rules. State the cell and its correct "
        "content, written as: {words}.",
    )

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """A board with one change, which nothing else repairs."""
        assert isinstance(source, Puzzle)
        count = len(source.view(state).cells())
        for _ in range(_TRIES):
            cell = rng.below(count)
            others = [v for v in source.values(state, cell) if v != source.content(state, cell)]
            if others:
                made = source.entered(state, cell, rng.choice(others))
                found = _repairs(source, made)
                return (made, {}) if len(found) == 1 else None
        return None

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By trying all changes."""
        assert isinstance(source, Puzzle)
        [(cell, value)] = _repairs(source, state)
        view = source.view(source.entered(state, cell, value))
        place = divmod(cell, len(view.rows[0]))
        return [cell_name(place), view.word(view.at(place))]

    def example(self, ask: JSON) -> list[str]:
        """A cell of a larger board, and a placeholder."""
        return ["r20c9", "word"]

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The words."""
        if view.words:
            return {"words": listed([*sorted(view.words.values()), BLANK])}
        return {"words": "numbers"}


class Missing(PuzzleKind):
    """The contents of some cleared cells."""

    task = Phrase(
        "The empty cells can be filled in only one way so that all rules are kept. Which numbers belong in {cells}, "
        "in this order?",
        "Exactly one way to fill the empty cells keeps all rules. Give the numbers of {cells}, in this order.",
        "Fill the empty cells according to the rules; there is one way to do it. Then give the contents of {cells}, "
        "in this order.",
        held_out="The completion of the board under the rules is unique. State its numbers in {cells}, in order.",
    )

    def fits(self, source: Source) -> bool:
        """Puzzles with numbers in all cells."""
        return isinstance(source, Puzzle) and source.numbers

    def ask(self, rng: Stream, source: Source, state: JSON, depth: int) -> tuple[JSON, JSON] | None:
        """Cells that are cleared while the rest determines them."""
        assert isinstance(source, Puzzle)
        count = len(source.view(state).cells())
        open_ = list[int]()
        for cell in rng.sample(range(count), min(count, 4 * depth + 4)):
            made = source.entered(state, cell, None)
            found = source.solutions(made)
            if found is not None and len(found) == 1:
                state = made
                open_.append(cell)
            if len(open_) == 2 + 2 * depth:
                break
        if len(open_) < 2:
            return None
        return state, {"cells": sorted(open_[-min(len(open_), 2 + depth // 2) :])}

    def answer(self, source: Source, state: JSON, ask: JSON) -> list[str]:
        """By the solver."""
        assert isinstance(source, Puzzle)
        [solution] = source.solutions(state) or []
        return [str(solution[cell]) for cell in ask["cells"]]

    def example(self, ask: JSON) -> list[str]:
        """Numbers that are too large."""
        return ["99"] * len(ask["cells"])

    def values(self, source: Source, view: View, ask: JSON) -> Mapping[str, Any]:
        """The cells."""
        return {"cells": listed(cell_name(divmod(cell, len(view.rows[0]))) for cell in ask["cells"])}


def _repairs(source: Puzzle, state: JSON) -> list[tuple[int, JSON]]:
    """All changes of one cell after which the board keeps the rules."""
    found, keeps = [], source.checker(state)
    values = [source.content(state, cell) for cell in range(len(source.view(state).cells()))]
    for cell, now in enumerate(values):
        for value in source.values(state, cell):
            if value != now and keeps([*values[:cell], value, *values[cell + 1 :]]):
                found.append((cell, value))
    return found


def moved(source: Source, state: JSON, moves: list[str]) -> JSON:
    """The position after moves."""
    assert isinstance(source, Played)
    for move in moves:
        state = source.play(state, move)
    return state
