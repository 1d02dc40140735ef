"""Games of our own, each with what its levels are made of.

A game is written as objects with glyphs, layers, rules and win conditions; :func:`Recipe.source` is its text in
PuzzleScript's format. Levels are drawn from ``things``: glyphs with their numbers in small, middle and large levels. ::

    GAMES["boxes"].source()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Shape = Literal["open", "path", "split"]
_SPOTS: Final = "All Spot on Crate"


@dataclass(frozen=True)
class Recipe:
    """A game and what its levels are made of.

    Attributes:
        name: Its name.
        layers: The objects of each layer above the background, as ``Name glyph`` pairs.
        rules: The lines of its rules.
        wins: Its win conditions.
        things: Glyphs with their numbers in small, middle and large levels.
        goals: Pairs of a goal and the object that must reach it; goals are on a layer of their own and in no rule.
        most: The greatest length of shortest solutions that is asked for.
        walls: Share of walls in percent.
        names: Further lines of the legend.
        action: Whether the player can use ``action``.
        shape: ``path`` draws a walk, all other cells being walls; ``split`` divides the board by a wall with a gap, beyond
            which the player must go.
        gap: For ``split``, the glyph of the gap.
    """

    name: str
    layers: tuple[str, ...]
    rules: tuple[str, ...]
    wins: tuple[str, ...]
    things: tuple[tuple[str, tuple[int, int, int]], ...]
    goals: tuple[tuple[str, str], ...] = ()
    most: int = 26
    walls: int = 20
    names: tuple[str, ...] = ()
    action: bool = False
    shape: Shape = "open"
    gap: str = ""

    def objects(self) -> list[tuple[str, str]]:
        """Names and glyphs of the objects.

        An object that appears in no level has an empty glyph.
        """
        found = []
        for layer in self.layers:
            for entry in layer.split(", "):
                name, _, glyph = entry.partition(" ")
                found.append((name, glyph))
        return found

    def source(self) -> str:
        """The game as a text, without levels."""
        objects = self.objects()
        glyphs = [f"{glyph} = {name}" for name, glyph in objects if glyph]
        layers = [", ".join(entry.partition(" ")[0] for entry in layer.split(", ")) for layer in self.layers]
        blocks = [f"{name}\n{_COLOURS[at % len(_COLOURS)]}" for at, (name, _) in enumerate(objects)]
        parts = {
            "OBJECTS": "\n\n".join(["Background\nwhite", *blocks]),
            "LEGEND": "\n".join([". = Background", *glyphs, *self.names]),
            "COLLISIONLAYERS": "\n".join(["Background", *layers]),
            "RULES": "\n".join(self.rules),
            "WINCONDITIONS": "\n".join(self.wins),
        }
        prelude = f"title {self.name}\n" + ("" if self.action else "noaction\n")
        return prelude + "".join(f"\n{head}\n\n{text}\n" for head, text in parts.items())


_COLOURS: Final = ("blue", "brown", "orange", "green", "red", "yellow", "purple", "grey", "pink", "lightblue")
_PUSH: Final = "[ > Player | Crate ] -> [ > Player | > Crate ]"
_BOX_LAYERS: Final = ("Spot o", "Player p, Wall #, Crate c")
_PAIRS: Final = (("p", (1, 1, 1)), ("c", (1, 2, 2)))

_LISTED: Final = (
    Recipe("boxes", _BOX_LAYERS, (_PUSH,), (_SPOTS,), _PAIRS, goals=(("Spot", "Crate"),), most=16, walls=25),
    Recipe(
        "tow",
        _BOX_LAYERS,
        ("[ < Player | Crate ] -> [ < Player | < Crate ]",),
        (_SPOTS,),
        _PAIRS,
        goals=(("Spot", "Crate"),),
        most=20,
        walls=25,
    ),
    Recipe(
        "glide",
        ("Exit e", "Player p, Wall #"),
        ("[ > Player | no Wall ] -> [ | > Player ]",),
        ("Some Player on Exit",),
        (("p", (1, 1, 1)),),
        walls=22,
        goals=(("Exit", "Player"),),
        most=7,
    ),
    Recipe(
        "slick",
        ("Spot o", "Player p, Wall #, Block b"),
        ("[ > Player | Block ] -> [ Player | > Block ]", "[ > Block | no Solid ] -> [ | > Block ]"),
        ("All Spot on Block",),
        (("p", (1, 1, 1)), ("b", (1, 1, 2))),
        walls=22,
        names=("Solid = Player or Wall or Block",),
        goals=(("Spot", "Block"),),
        most=10,
    ),
    Recipe(
        "magnet",
        ("Spot o", "Player p, Wall #, IronBar i"),
        (
            "[ > Player | IronBar ] -> [ > Player | > IronBar ]",
            "[ action Player | ... | IronBar ] -> [ action Player | ... | < IronBar ]",
        ),
        ("All Spot on IronBar",),
        (("p", (1, 1, 1)), ("i", (1, 1, 2))),
        walls=25,
        action=True,
        goals=(("Spot", "IronBar"),),
        most=10,
    ),
    Recipe(
        "trail",
        ("Plot s", "Player p, Wall #, Hedge"),
        ("[ > Player | Plot ] -> [ Hedge | Player ]",),
        ("No Plot",),
        (),
        shape="path",
        most=26,
    ),
    Recipe(
        "belts",
        ("Spot o", "EastBelt r, WestBelt l, NorthBelt u, SouthBelt d", "Player p, Wall #, Crate c"),
        (
            _PUSH,
            "[ stationary Crate EastBelt ] -> [ right Crate EastBelt ]",
            "[ stationary Crate WestBelt ] -> [ left Crate WestBelt ]",
            "[ stationary Crate NorthBelt ] -> [ up Crate NorthBelt ]",
            "[ stationary Crate SouthBelt ] -> [ down Crate SouthBelt ]",
        ),
        (_SPOTS,),
        (*_PAIRS, ("r", (1, 1, 1)), ("l", (1, 1, 1)), ("u", (1, 1, 1)), ("d", (1, 1, 1))),
        walls=20,
        goals=(("Spot", "Crate"),),
        most=10,
    ),
    Recipe(
        "portals",
        ("Spot o", "RedIn i, RedOut j, BlueIn u, BlueOut w", "Player p, Wall #, Crate c"),
        (
            _PUSH,
            "late [ Mover RedIn ] [ RedOut no Mover ] -> [ RedIn ] [ Mover RedOut ]",
            "late [ Mover BlueIn ] [ BlueOut no Mover ] -> [ BlueIn ] [ Mover BlueOut ]",
        ),
        (_SPOTS,),
        (*_PAIRS, ("i", (1, 1, 1)), ("j", (1, 1, 1)), ("u", (0, 1, 1)), ("w", (0, 1, 1))),
        walls=28,
        names=("Mover = Player or Crate",),
        goals=(("Spot", "Crate"),),
        most=20,
    ),
    Recipe(
        "gates",
        ("Exit e", "Button t, OpenGate", "Player p, Wall #, Crate c, Gate g"),
        (
            _PUSH,
            "late [ Gate ] -> [ OpenGate ]",
            "late [ Button no Weight ] [ OpenGate no Weight ] -> [ Button ] [ Gate ]",
        ),
        ("Some Player on Exit",),
        (("p", (1, 1, 1)), ("c", (1, 1, 2)), ("t", (1, 1, 2))),
        walls=12,
        names=("Weight = Player or Crate",),
        shape="split",
        gap="g",
        goals=(("Exit", "Player"),),
        most=14,
    ),
    Recipe(
        "twins",
        ("Sun o", "Moon m", "Ann a, Ben b, Wall #, Crate c"),
        ("[ > Ann | Crate ] -> [ > Ann | > Crate ]",),
        ("All Ann on Sun", "All Ben on Moon"),
        (("a", (1, 1, 1)), ("b", (1, 1, 1)), ("c", (1, 1, 2))),
        walls=25,
        names=("Player = Ann or Ben",),
        goals=(("Sun", "Ann"), ("Moon", "Ben")),
        most=12,
    ),
    Recipe(
        "mirror",
        ("Sun o", "Moon m", "Player p, Shade h, Wall #"),
        ("[ > Player ] [ stationary Shade ] -> [ > Player ] [ < Shade ]",),
        ("All Player on Sun", "All Shade on Moon"),
        (("p", (1, 1, 1)), ("h", (1, 1, 1))),
        walls=25,
        goals=(("Sun", "Player"), ("Moon", "Shade")),
        most=10,
    ),
    Recipe(
        "wake",
        ("Pad o", "Player p, Statue s, Wall #"),
        ("[ > Player | Statue ] -> [ > Player | Player ]",),
        ("All Pad on Player",),
        (("p", (1, 1, 1)), ("s", (1, 1, 1))),
        walls=28,
        goals=(("Pad", "Player"),),
        most=18,
    ),
    Recipe(
        "fall",
        ("Basket o", "Player p, Wall #, Clod d, Boulder b"),
        (
            "[ > Player | Clod ] -> [ > Player | ]",
            "horizontal [ > Player | Boulder ] -> [ > Player | > Boulder ]",
            "late down [ Boulder | no Solid ] -> [ | Boulder ]",
        ),
        ("All Basket on Boulder",),
        (("p", (1, 1, 1)), ("b", (1, 1, 1)), ("d", (3, 4, 5))),
        walls=25,
        names=("Solid = Player or Wall or Clod or Boulder",),
        goals=(("Basket", "Boulder"),),
        most=5,
    ),
    Recipe(
        "vanish",
        ("Player p, Wall #, Ruby r, Jade j",),
        (
            "[ > Player | Gem ] -> [ > Player | > Gem ]",
            "late [ Ruby | Ruby ] -> [ | ]",
            "late [ Jade | Jade ] -> [ | ]",
        ),
        ("No Gem",),
        (("p", (1, 1, 1)), ("r", (2, 2, 2)), ("j", (0, 0, 2))),
        walls=25,
        names=("Gem = Ruby or Jade",),
        most=9,
    ),
    Recipe(
        "lamps",
        ("DarkLamp d, LitLamp l, NewLamp", "Player p, Wall #"),
        (
            "[ > Player | DarkLamp ] -> [ > Player | NewLamp ]",
            "[ > Player | LitLamp ] -> [ > Player | DarkLamp ]",
            "[ NewLamp ] -> [ LitLamp ]",
        ),
        ("No DarkLamp",),
        (("p", (1, 1, 1)), ("d", (3, 4, 5)), ("l", (1, 1, 1))),
        walls=20,
        most=14,
    ),
    Recipe(
        "flood",
        ("Exit e", "Puddle w, NewPuddle", "Player p, Wall #, Crate c"),
        (
            _PUSH,
            "late [ Puddle | no Puddle no Solid ] -> [ Puddle | NewPuddle ]",
            "late [ NewPuddle ] -> [ Puddle ]",
            "late [ Player Puddle ] -> [ Puddle ]",
        ),
        ("Some Player on Exit",),
        (("p", (1, 1, 1)), ("w", (1, 1, 1)), ("c", (2, 2, 3))),
        walls=28,
        names=("Solid = Wall or Crate",),
        goals=(("Exit", "Player"),),
        most=7,
    ),
    Recipe(
        "swap",
        ("Spot o", "Player p, Wall #, Crystal k"),
        ("[ > Player | Crystal ] -> [ Crystal | Player ]",),
        ("All Spot on Crystal",),
        (("p", (1, 1, 1)), ("k", (1, 2, 2))),
        walls=25,
        goals=(("Spot", "Crystal"),),
        most=12,
    ),
    Recipe(
        "pits",
        ("Exit e", "Pit t", "Player p, Wall #, Crate c"),
        (_PUSH, "[ > Player | Pit ] -> [ Player | Pit ]", "late [ Crate Pit ] -> [ ]"),
        ("Some Player on Exit",),
        (("p", (1, 1, 1)), ("c", (1, 2, 2))),
        walls=12,
        shape="split",
        gap="t",
        goals=(("Exit", "Player"),),
        most=16,
    ),
    Recipe(
        "slime",
        ("Spot o", "Player p, Wall #, Slime s"),
        (
            "[ moving Player | stationary Slime ] -> [ moving Player | moving Slime ]",
            "[ moving Slime | stationary Slime ] -> [ moving Slime | moving Slime ]",
        ),
        ("All Spot on Slime",),
        (("p", (1, 1, 1)), ("s", (1, 2, 2))),
        walls=25,
        goals=(("Spot", "Slime"),),
        most=14,
    ),
    Recipe(
        "grow",
        ("Spot o", "Player p, Wall #, Bush b, Shoot"),
        ("[ > Player ] [ Bush | no Solid ] -> [ > Player ] [ Bush | Shoot ]", "[ Shoot ] -> [ Bush ]"),
        ("All Spot on Bush",),
        (("p", (1, 1, 1)), ("b", (1, 1, 1))),
        walls=25,
        names=("Solid = Player or Wall or Bush or Shoot",),
        goals=(("Spot", "Bush"),),
        most=4,
    ),
)
GAMES: Final = {recipe.name: recipe for recipe in _LISTED}
"""The games by name."""
