"""The prompts of the puzzle games."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON
from envhub.envs.games.rewrite_puzzle import tasks
from envhub.generators.rewriting.views import Cells, bars_text, grid_text, list_text, picture, signs_of
from envhub.generators.rewriting.words import goal_sentences, group_sentences, layer_sentences, rule_sentences
from envhub.scenes import Scene

_PLAY: Final = Phrase(
    "You are the player of a puzzle game on a grid. Win it within {moves}.",
    "Play this puzzle game on a grid. You have {moves} to win it.",
    "You play a puzzle game whose rules are given. Win the game in at most {moves}.",
    held_out="A puzzle game on a grid is defined by its rules. Reach its winning condition using no more than {moves}.",
)
_PLAN: Final = Phrase(
    "You are the player of a puzzle game on a grid. Find a list of at most {moves} that wins it.",
    "Solve this puzzle game on a grid: give all your moves at once, at most {moves}.",
    "Plan the whole solution of a puzzle game whose rules are given. It may have at most {moves}.",
    held_out="A puzzle game on a grid is defined by its rules. Write down a winning sequence of no more than {moves}.",
)
_TURN: Final = Phrase(
    "A move gives every player object a movement: up, left, down or right, or, for the move action, acting. Then "
    "the rules are applied in their order, each one again and again until it changes nothing. Then all movements "
    "are carried out.",
    "With each move, first every player object starts moving in that direction (or acting, for the move action). "
    "After that, the rules are applied one after the other, each of them repeatedly until it has no effect. "
    "Finally all movements take place.",
    "This happens in a move: every player object starts to move in the direction you give, or to act if you give "
    "action; the rules are applied in order, and each is repeated until nothing changes; the movements are "
    "carried out.",
    held_out="Order of events in a move: (1) all player objects receive the given movement, or the state of "
    "acting; (2) rule by rule, each rule is applied until it no longer changes anything; (3) objects move.",
)
_LATE: Final = Phrase(
    'Rules marked "after the movements" (late) are applied when the movements have been carried out.',
    'A rule with the mark "after the movements" (late) waits until all movements of the move have been carried out.',
    'The rules that say "after the movements" (late) come last, when all objects have moved.',
    held_out='The mark "after the movements" (late) defers a rule to the end of the move, past all movements.',
)
_READING: Final = Phrase(
    "The cells of a rule are neighbours on a straight line, and forward points from cell 1 to cell 2. The rule "
    "applies wherever its cells fit, in each direction that it names; an object that appears replaces any object "
    "of the same layer in its cell.",
    "A rule looks at cells next to each other in a line. Forward means from the first cell towards the second. "
    "It is applied at all places that fit and in every direction named, and what appears takes the place of "
    "objects of its layer.",
    "Cells with consecutive numbers lie side by side in a line; forward is the direction of growing numbers. "
    "Each rule acts at every place where it fits, in all directions that it names. An object that appears "
    "replaces one of the same layer.",
    held_out="Rule cells are consecutive cells of a line, numbered in the direction called forward. All fitting "
    "places are rewritten, for each direction listed, and an appearing object displaces whatever shares its "
    "layer.",
)
_NOTATION: Final = Phrase(
    "The rules are written in PuzzleScript: [ a | b ] -> [ c | d ] rewrites neighbouring cells in all four "
    "directions unless some are named first; > < ^ v are movements forward, backward, and to the left and right "
    "of forward; ... stands for any number of cells; an object that is not on the right disappears.",
    "You get the game in PuzzleScript's notation. A rule [ a | b ] -> [ c | d ] replaces what is in adjacent "
    "cells, in all four directions if none is given. The signs > < ^ v mean moving forward, backward, left of "
    "forward and right of forward, and ... any distance. What is missing on the right side disappears.",
    "The notation is PuzzleScript's. Left of -> stand cells in a row that must match, right of it what they "
    "become; without a direction word, all four directions are tried. > is a movement forward, < backward, ^ to "
    "the left of it, v to the right of it, and ... skips any number of cells. Objects named only on the left "
    "disappear.",
    held_out="Syntax (PuzzleScript): patterns of adjacent cells [ a | b ] are replaced by those after ->, for "
    "each of the four orientations or those listed. Relative movements: > forward, < backward, ^ and v leftward "
    "and rightward of forward; ... matches any gap. Objects absent on the right-hand side are removed.",
)
_BLOCKED: Final = Phrase(
    "Objects of the same layer cannot be in the same cell. A movement off the board, or into a cell with an "
    "object of the same layer that stays there, does not happen.",
    "No cell can hold two objects of one layer. An object stays where it is if its movement leads off the board "
    "or to an object of its layer that does not move away.",
    "Two objects of one layer never share a cell: a movement fails at the edge of the board, and in front of an "
    "object of the same layer that does not leave its cell.",
    held_out="A cell contains at most one object per layer; movements that would violate this, or leave the "
    "board, are void, unless the obstructing object itself moves on.",
)
_ORDER: Final = Phrase(
    "Movements are tried cell by cell, column by column from the left and downwards in each column, over and "
    "over until no more of them is possible. So if two objects could enter the same cell, the one that is tried "
    "first does.",
    "To carry out the movements, the columns are gone through from left to right, each from top to bottom, again "
    "and again, and every object moves as soon as it can. The first of two objects that want the same free cell "
    "gets it.",
    "Objects move one after the other: those in the leftmost column first, within a column from top to bottom, "
    "and this is repeated until nothing can move. When two objects aim at one cell, the earlier one takes it.",
    held_out="The movement phase scans the columns left to right and top to bottom, repeatedly, until no pending "
    "movement succeeds; among competitors for a free cell, the first scanned prevails.",
)
_PLACES: Final = Phrase(
    "A rule takes its directions in the order up, down, left, right. In one direction it changes all places that "
    "fit: column by column for up and down, row by row for left and right, each from the upper left. Rules "
    "without neighbouring cells go column by column. A place that no longer fits when its turn comes is left out.",
    "Directions are tried in this order: up, down, left, right. For each, the fitting places are changed one "
    "after the other from the upper left, by columns (up, down, and rules without neighbouring cells) or by rows "
    "(left, right), and those that have ceased to fit are skipped.",
    "Within a rule, up comes first, then down, left and right. The places where it fits are found, and changed "
    "in the order of columns (up and down, and rules without neighbouring cells) or rows (left and right), "
    "beginning at the upper left, if they still fit.",
    held_out="Application order of a rule: directions up, down, left, right; per direction, the matching places "
    "by columns (vertical, and rules without neighbouring cells) or by rows (horizontal) from the upper left, "
    "each checked again before it is rewritten.",
)
_MOVES: Final = Phrase(
    "A message has one to {most} moves, which are carried out in order until you win. Besides up, left, down, "
    "right and action, you may use undo, which takes back the last move that changed something, and restart, "
    "which returns to the first board.",
    "Send one to {most} moves per message; they are played in order and stop when you win. The moves are up, "
    "left, down, right, action, undo (takes back the last move that had an effect) and restart (the board is as "
    "at the start).",
    "In each message you give between one and {most} moves. They are made one by one until the game is won. undo "
    "reverts the last move that changed the board, and restart the whole game; the others are up, left, down, "
    "right and action.",
    held_out="One message carries a sequence of 1 to {most} moves out of up, left, down, right, action, undo and "
    "restart, executed in order until a win. undo cancels the latest effective move; restart brings back the "
    "initial board.",
)
_COUNT: Final = Phrase(
    "Every move counts, including undo, restart and moves that change nothing. A message that cannot be read "
    "costs one move. You fail when no moves are left.",
    "All moves are counted, also undo, restart and those without effect; an unreadable message counts as one "
    "move. If none is left before you win, you have failed.",
    "Each move uses up one of your moves, whether it is undo, restart, or has no effect. So does a message that "
    "is not a list of moves. Without moves left, you fail.",
    held_out="Undo, restart and ineffective moves are charged like any other, and an illegible message is "
    "charged as one. Exhausting the moves is failure.",
)
_LIST: Final = Phrase(
    "Your moves are played in order from the board shown, and the game ends when it is won. Moves beyond the "
    "allowed number are not played. A move that changes nothing counts as well.",
    "The list is played from the given board until you win; it counts each move, even one without effect, and "
    "ignores all that exceed the allowed number.",
    "We play your list from the start. Only the allowed number of moves is played, each one counts even if "
    "nothing changes, and a win ends the game.",
    held_out="Evaluation: the sequence is executed from the initial board up to the permitted number of moves, "
    "ineffective ones included, and succeeds upon the first winning state.",
)
_ACTION: Final = Phrase(
    "The move action exists in this game.",
    "In this game you can use the move action.",
    "This game has the move action.",
    held_out="The move action is available here.",
)
_NO_ACTION: Final = Phrase(
    "The move action does nothing in this game.",
    "In this game the move action has no effect.",
    "This game does not use the move action; it changes nothing.",
    held_out="The move action is without effect here.",
)


def statement(problem: JSON, stepwise: bool) -> Statement:
    """A game before it is worded."""
    game = tasks.game_of(problem)
    reading = _READING if problem["rules"] == "words" else _NOTATION
    rules = [_TURN, reading, _PLACES, _BLOCKED, _ORDER]
    if any(rule.late for rule in game.rules):
        rules.insert(1, _LATE)
    rules.append(_NO_ACTION if "noaction" in game.settings else _ACTION)
    return Statement(
        task=_PLAY if stepwise else _PLAN,
        data=_DATA,
        problem=problem,
        rules=(*rules, *((_MOVES, _COUNT) if stepwise else (_LIST,))),
        values={"moves": counted(problem["moves"], "move"), "most": 20},
        frames=GAME_FRAMES,
    )


def drawn(problem: JSON, cells: Cells) -> str:
    """A board in the text of a turn."""
    return grid_text(cells, signs_of(tasks.game_of(problem)))


def carried_out(count: int, idle: int) -> str:
    """What was done in a message."""
    said = f"{counted(count, 'move')} carried out"
    return f"{said}; {idle if count > 1 else 'it'} changed nothing." if idle else f"{said}."


def scene(problem: JSON, cells: Cells) -> Scene:
    """A board as a picture."""
    game = tasks.game_of(problem)
    signs = signs_of(game)
    layers = [layer for layer in game.layers if "background" not in layer]
    low = frozenset(name for layer in layers[:-1] for name in layer)
    return picture(cells, signs, low, frozenset(game.members("player")))


def _rules(problem: JSON) -> str:
    game = tasks.game_of(problem)
    if problem["rules"] == "source":
        return f"The game:\n\n```\n{problem['source'].rstrip()}\n```"
    parts = ["The rules of this game:", *(rule_sentences(game) or ["There are none besides movement."]), ""]
    parts += ["The game is won after a move if all of this holds:", *(f"- {each}" for each in goal_sentences(game)), ""]
    parts += group_sentences(game)
    parts += [f"Objects of one layer: {layer}." for layer in layer_sentences(game)]
    return "\n".join(parts).strip()


def _key(problem: JSON) -> str:
    signs = signs_of(tasks.game_of(problem))
    return f"Signs: {', '.join(f'{sign} {name}' for name, sign in signs.items())}."


def _shown(board: Callable[[Cells, dict[str, str]], str], lead: str) -> Rendering:
    def render(problem: JSON) -> str:
        drawing = board(tasks.first_cells(problem), signs_of(tasks.game_of(problem)))
        return f"{_rules(problem)}\n\n{_key(problem)} {lead}\n\n{drawing}"

    return render


def _as_json(cells: Cells, signs: dict[str, str]) -> str:
    return json.dumps([["".join(signs[name] for name in cell) for cell in line] for line in cells])


def _without_board(problem: JSON) -> str:
    return f"{_key(problem)}\n\n{_rules(problem)}"


_DATA: Final[Variants[Rendering]] = Variants(
    _shown(grid_text, "Each cell of the board is written as the signs of its objects, or . if it is empty:"),
    _shown(bars_text, "The board, with bars between cells (drawings of later boards have . for an empty cell):"),
    _shown(_as_json, "The rows of the board as JSON; each cell is a text with the signs of its objects:"),
    held_out=_shown(list_text, "Later boards are drawn with these signs, and . for an empty cell. The board:"),
    name="data",
    seen=in_picture(
        "The picture shows the board; each cell has the signs of its objects.",
        "The board is in the picture. A cell with several objects has several signs.",
        "See the picture for the board, where each object is drawn as its sign.",
        held_out="The attached figure depicts the board by the signs of the objects in each cell.",
        rest=_without_board,
    ),
)
