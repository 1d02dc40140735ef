"""The sentences about games: rules, best moves, and notation of moves."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

_CELLS_SEEN: Final = Phrase(
    "r2c5 is the cell in row 2, counted from the top, and column 5, counted from the left. Small grey numbers and "
    "letters at the edges name rows "
    "and columns, and are no clues.",
    "Cells are named by row and column: r2c5 is in the second row from the top and the fifth column from the left. "
    "Grey characters at the edges "
    "of the board only name its rows and columns.",
    "Rows are counted from the top and columns from the left, both from 1. The cell in row 2 and column 5 is r2c5. "
    "The small grey characters along "
    "the board are names of rows and columns.",
    held_out="Write rRcC for the cell in the R-th row from the top and the C-th column from the left, as in r2c5. "
    "Grey characters outside the "
    "board are names of its rows and columns, not clues.",
)
CELLS: Final = Phrase(
    "r2c5 is the cell in row 2, counted from the top, and column 5, counted from the left.",
    "Cells are named by row and column: r2c5 is in the second row from the top and the fifth column from the left.",
    "Rows are counted from the top and columns from the left, both from 1. The cell in row 2 and column 5 is r2c5.",
    held_out="Write rRcC for the cell in the R-th row from the top and the C-th column from the left, as in r2c5.",
    seen=_CELLS_SEEN,
)
SQUARES_TOO: Final = Phrase(
    "This holds for the chess board as well: r2c5 is the square e7. Only moves use the names of squares.",
    "On the chess board, too, cells are named like this: r2c5 is the square e7. Names of squares are used for moves "
    "alone.",
    "The square e7 of the chess board is therefore r2c5. Moves are the only place where names of squares are used.",
    held_out="The same names apply to the chess board (r2c5 is e7); square names occur in moves only.",
)
PLACES: Final = Phrase(
    "The board shows {source}.",
    "The board is from {source}.",
    "What is shown is {source}.",
    held_out="The board depicts {source}.",
)
COLUMNS: Final = Phrase(
    "A move is the number of a column, from 1 at the left to 7.",
    "Write a move as the number of its column; column 1 is at the left.",
    "Moves are columns, numbered 1 to 7 from the left.",
    held_out="Denote each move by its column, 1 (left) to 7 (right).",
)
SQUARES: Final = Phrase(
    "A move is the cell in which the disc is placed.",
    "Write a move as the cell of the new disc.",
    "Moves are named by the cell that the new disc occupies.",
    held_out="Denote each move by the cell in which a disc is placed.",
)
UCI: Final = Phrase(
    "A move is written as the square it starts from and the square it goes to, such as g1f3. The letter of the new "
    "piece follows a "
    "promotion, such as a7a8q.",
    "Write moves in UCI notation: from-square, to-square, and the new piece for a promotion (g1f3, a7a8q).",
    "Moves use UCI notation, for example g1f3, or a7a8q for a promotion to a queen.",
    held_out="Use UCI move notation, as in g1f3 and, for promotions, a7a8q.",
)
WAYS: Final = Phrase(
    "A move is one of the words up, left, down and right.",
    "Write a move as up, left, down or right.",
    "Moves are the directions up, left, down and right.",
    held_out="Denote moves by the words up, left, down, right.",
)
COMPASS: Final = Phrase(
    "A move is one step north (up), east (right), south (down) or west (left).",
    "Write a move as north, east, south or west. North is up.",
    "Moves are single steps north, east, south or west, where north is the upper side.",
    held_out="Denote moves by north, east, south, west; north points up.",
)
CONNECT_FOUR: Final = (
    Phrase(
        "A disc falls to the lowest empty cell of its column.",
        "A disc that is dropped into a column comes to rest in the lowest empty cell.",
        "Discs are dropped into columns and fall as far down as possible.",
        held_out="A dropped disc occupies the lowest free cell of the chosen column.",
    ),
    Phrase(
        "X and O drop one disc in turn. X moved first, so X is to move if there are as many X as O.",
        "The players X and O take turns. X began: with equal numbers of discs it is the turn of X, otherwise of O.",
        "X made the first move, and the sides alternate. If both have equally many discs, X is to move.",
        held_out="Turns alternate, starting with X; X moves whenever the counts of X and O are equal.",
    ),
    Phrase(
        "Four equal discs in a row win, horizontally, vertically or diagonally. Then the game is over.",
        "The first side with four discs in a row, in any of the straight or diagonal directions, wins and ends the "
        "game.",
        "The game ends when four equal discs are in a horizontal, vertical or diagonal row. Their side wins.",
        held_out="Four aligned discs of one side (row, column or diagonal) win and end the game.",
    ),
)
CONNECT_FOUR_BEST: Final = Phrase(
    "Which column forces the quickest win for the side to move, and how many of its own moves does it need against "
    "the best defence? "
    "The last move, which completes the four, counts. Give the column and then the number.",
    "The side to move can force a win. Give the column that wins in the fewest of its own moves against the best "
    "defence, then this "
    "number of moves, the completing move included.",
    "Find the move that wins fastest for the side to move against every defence. Answer with its column and with the "
    "number of moves that "
    "this side makes, including the one that completes four in a row.",
    held_out="State the column of the quickest forced win for the side to move, followed by the number of own moves "
    "it takes.",
)
OTHELLO: Final = (
    Phrase(
        "A move places a disc on an empty cell. All discs of the other side that lie in a straight or diagonal line "
        "between the new disc and "
        "another disc of the mover, without a gap, are turned over.",
        "The mover places a disc on an empty cell. In each of the eight directions, an unbroken line of opposing "
        "discs that ends at a disc of "
        "the mover is turned over.",
        "After a disc is placed on an empty cell, every unbroken line of opposing discs between it and another disc "
        "of the mover is turned over, "
        "in all eight directions.",
        held_out="Placing a disc flips every contiguous line of opposing discs bounded by it and another own disc, "
        "in eight directions.",
    ),
    Phrase(
        "A move is legal only if it turns over at least one disc.",
        "Each move must turn over at least one disc.",
        "A disc may be placed only where it turns over one disc or more.",
        held_out="Moves that flip no disc are illegal.",
    ),
    Phrase(
        "If the next side has no legal move, the same side moves again.",
        "A side without a legal move passes, and the other side moves again.",
        "The sides take turns, but a side that cannot move is skipped.",
        held_out="Turns alternate; a side without legal moves passes.",
    ),
)
OTHELLO_BEST: Final = Phrase(
    "Which move of the side to move turns over the most discs, and how many does it turn over? Give the cell and "
    "then the number.",
    "Give the move that turns over more discs than any other move of the side to move, then the number of discs it "
    "turns over.",
    "One move turns over the most discs. Answer with its cell and with the number of turned discs.",
    held_out="State the move that maximises the number of flipped discs, followed by this number.",
)
CHESS: Final = (
    Phrase(
        "The rules of chess apply, without castling and without en passant in the position as it is shown.",
        "All rules of chess hold, except that nobody may castle and that no en passant capture is possible in the "
        "given position.",
        "Standard chess rules apply. There are no castling rights, and there is no en passant square in the given "
        "position.",
        held_out="Play follows the laws of chess; no castling rights and no en passant square exist at first.",
    ),
)
CHESS_BEST: Final = Phrase(
    "Exactly one move of the side to move gives checkmate. Give this move, and then the number of all legal moves in "
    "the position.",
    "The side to move can checkmate at once, with one move only. Answer with this move and with the number of legal "
    "moves it chooses from.",
    "Find the only move that checkmates. Give it, then how many legal moves the side to move has in total.",
    held_out="State the unique mating move, followed by the total number of legal moves of the position.",
)
TWENTY48: Final = (
    Phrase(
        "A move slides all tiles as far as possible in its direction. Two equal tiles that meet merge into one tile "
        "of twice the value.",
        "With a move, all tiles slide to one side until they are stopped. If two equal tiles meet, they become one "
        "with the double value.",
        "All tiles slide in the direction of the move. Equal tiles that run into each other merge, and their values "
        "add up.",
        held_out="A move slides every tile maximally in one direction; colliding equal tiles merge into their sum.",
    ),
    Phrase(
        "Each tile merges at most once per move. Tiles nearer to the edge they slide to merge first.",
        "A tile made by a merge does not merge again in the same move. Merges start at the edge towards which the "
        "tiles slide.",
        "In one move, no tile takes part in two merges, and the pair nearest to the target edge merges first.",
        held_out="Per move, each tile merges no more than once, with priority to tiles closer to the target edge.",
    ),
    Phrase(
        "No new tiles appear here. A move is legal only if it changes the board.",
        "Unlike in the full game, no tile is added after a move. Moves that change nothing are not legal.",
        "Moves add no new tile. A direction in which nothing moves or merges is not legal.",
        held_out="There is no new tile after a move, and a move must alter the board to be legal.",
    ),
)
SOKOBAN: Final = (
    Phrase(
        "The player moves one cell in a direction, and pushes a box that is in the way if the cell behind the box is "
        "free.",
        "Each move takes the player to the next cell. A box there is pushed one cell further if the cell behind it "
        "is free.",
        "A move is a step to the adjacent cell. If it contains a box and the cell beyond is free, the player pushes "
        "the box there.",
        held_out="The player steps to the adjacent cell and pushes a box in it, provided that the cell behind the "
        "box is free.",
    ),
    Phrase(
        "Walls and other boxes are not free. A blocked move is not legal.",
        "A move against a wall, or against a box that cannot be pushed, is not legal. Only one box can be pushed at "
        "a time.",
        "A cell with a wall or a box is not free. Moves that change nothing are not legal.",
        held_out="Neither walls nor boxes count as free cells, and blocked moves are illegal.",
    ),
)
MAZE: Final = (
    Phrase(
        "The player A moves to neighbouring cells and cannot pass through walls.",
        "The player, shown as A, steps from cell to cell where there is no wall.",
        "A is the player. A step leads to a neighbouring cell, unless a wall is between them.",
        held_out="The player (A) steps between cells that share a side without a wall.",
    ),
)
MAZE_BEST: Final = Phrase(
    "What is the first step of the shortest way from A to the exit E, and how many steps does this way have? Give "
    "the direction and then the "
    "number.",
    "Give the direction in which the shortest way from A to E begins, then its number of steps.",
    "Find the shortest way from the player A to the exit E. Answer with its first direction and with its length in "
    "steps.",
    held_out="State the initial direction of a shortest A-E walk, followed by its length in steps.",
)
