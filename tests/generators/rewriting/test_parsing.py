"""The reader of puzzle games: what is supported is read, and everything else is refused with its line and word."""

from __future__ import annotations

import pytest

from envhub.generators.rewriting.compiling import compile_game
from envhub.generators.rewriting.games import GAMES
from envhub.generators.rewriting.parsing import _RESERVED, parse
from envhub.generators.rewriting.syntax import PuzzleError, Term
from envhub.generators.rewriting.twists import _CONSONANTS, _ENDS, _VOWELS
from envhub.generators.rewriting.words import goal_sentences, group_sentences, rule_sentences

GAME = """
title Boxes (a comment)
author nobody
=======
OBJECTS
=======
Background
green

Target
#ff00ff
.....
.000.
.0.0.
.000.
.....

Player P
black
Wall #
brown
Crate *
orange
=======
LEGEND
=======
. = Background
o=Target
@ = Crate and Target
Solid = Wall or Crate
Box = Crate
SOUNDS
crate move 36772507
COLLISIONLAYERS
Background
Target
Player, Wall, Crate
RULES
[ > Player | Box ] -> [ > Player | > Box ] sfx0
late [ Player Target ] -> message Well done
WINCONDITIONS
All Target on Crate
LEVELS
message Push!

#####
#p*o#
#####

#@.p#
"""


def test_a_game_is_read() -> None:
    game = parse(GAME)
    assert (game.title, game.objects) == ("Boxes", ("background", "target", "player", "wall", "crate"))
    assert game.signs["@"] == ("crate", "target")
    assert (game.either, game.same["box"]) == ({"solid": ("wall", "crate")}, "crate")
    push, cheer = game.rules
    assert push.left == (((Term(">", "player"),), (Term("", "box"),)),)
    assert push.directions == ("up", "down", "left", "right")
    assert (cheer.late, cheer.message, cheer.right) == (True, "Well done", ())
    assert [rows for _, rows in game.levels] == [("#####", "#p*o#", "#####"), ("#@.p#",)]


REFUSED = {
    "author nobody": ("realtime_interval 1", "setting 'realtime_interval'"),
    "o=Target": ("o=Tarket", "unknown name 'tarket'. Did you mean 'target'"),
    "Solid = Wall or Crate": ("Solid = Wall or Crate and Target", "a line of the legend"),
    "Box = Crate": ("Crate = Wall", "'crate' is defined twice"),
    "Player, Wall, Crate": ("Player, Wall", "'crate' is on no collision layer"),
    "late [ Player": ("rigid [ Player", "'rigid' cannot begin a rule"),
    "[ > Player | Box ]": ("[ > Player | Bax ]", "unsupported word 'bax'. Did you mean 'box'"),
    "> Box ] sfx0": ("randomdir Box ]", "unsupported word 'randomdir'"),
    "sfx0": ("checkpoint", "command 'checkpoint'"),
    "[ > Player | > Box ]": ("[ > Player ]", "the same numbers of cells"),
    "late [ Player Target ]": ("late [ > Player Target ]", "no movements, got '>'"),
    "All Target on Crate": ("Every Target on Crate", "a win condition is"),
    "#p*o#": ("#p*x#", "glyph 'x' of a level is not defined"),
    "#@.p#": ("#@.p#\n#", "must have 5 glyphs, got 1"),
    "crate move 36772507": ("crate move (", "no closing bracket"),
    "-> [ > Player | > Box ]": ("[ > Player | > Box ]", "exactly one '->', got 0"),
    "| Box ]": ("| ... ]", "must stand between two cells"),
    "Background\nTarget\nPlayer": ("Background, Target\nPlayer", "must not be on the layer of 'background'"),
    "SOUNDS": ("OBJECTS", "appears twice"),
}


@pytest.mark.parametrize("place", REFUSED)
def test_what_is_not_supported_is_refused_with_its_line(place: str) -> None:
    wrong, said = REFUSED[place]
    assert place in GAME
    with pytest.raises(PuzzleError, match=r"^Line \d+: ") as caught:
        parse(GAME.replace(place, wrong, 1))
    assert said in str(caught.value)


def test_the_line_of_an_error_is_right() -> None:
    text = GAME.replace("| Box ]", "| Bax ]")
    with pytest.raises(PuzzleError) as caught:
        parse(text)
    assert "Bax" in text.split("\n")[caught.value.line - 1]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("[ moving Player | Crate ] -> [ Player | orthogonal Crate ]", "the movement 'orthogonal' of 'crate'"),
        ("[ Player ] -> [ Player Solid ]", "'solid' on the right is defined with 'or'"),
        ("[ Player ] -> [ Player Wall ]", "share a layer and cannot be in one cell"),
        ("[ Player Crate ] -> [ Player ]", "can never match"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rule: str, said: str) -> None:
    text = GAME.replace("late [ Player Target ] -> message Well done", rule)
    with pytest.raises(PuzzleError, match=said):
        compile_game(parse(text))


def test_no_invented_name_is_a_word_of_the_language() -> None:
    every = {a + b + c + d for a in _CONSONANTS for b in _VOWELS for c in _CONSONANTS for d in _ENDS}
    assert not every & _RESERVED
    assert {"late", "some"} <= _RESERVED


def test_rules_are_stated_in_words() -> None:
    game = parse(GAME)
    assert rule_sentences(game) == [
        "Rule 1, read in all four directions: where cell 1 has a player moving forward, and the next cell 2 has a box: the "
        "box in cell 2 starts moving forward.",
        "Rule 2, after the movements, in every cell: where cell 1 has a player and a target: the text "
        '"Well done" is shown.',
    ]
    assert goal_sentences(game) == ["Each target is in a cell with a crate."]


def test_a_rule_of_single_cells_says_when_it_goes_by_rows() -> None:
    """The prompt says that rules without neighbouring cells go by columns."""
    for prefix, said in (("right", "in every cell, row by row:"), ("down", "in every cell:"), ("", "in every cell:")):
        text = GAME.replace("late [ Player Target ] -> message Well done", f"{prefix} [ Crate ] -> [ Wall ]")
        assert f"Rule 2, {said}" in rule_sentences(parse(text))[1]


def test_no_two_of_our_games_are_stated_alike() -> None:
    stated = set()
    for recipe in GAMES.values():
        game = parse(recipe.source())
        sentences = (*rule_sentences(game), *goal_sentences(game), *group_sentences(game))
        assert len(rule_sentences(game)) == len(game.rules) == len(recipe.rules)
        stated.add(sentences)
        known = {name for rule in game.rules for row in (*rule.left, *rule.right) for cell in row for _, name in cell}
        assert not {goal.lower() for goal, _ in recipe.goals} & known, "goals are in no rule"
    assert len(stated) == len(GAMES) == 20
