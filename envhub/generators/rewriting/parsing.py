"""The text of a game, read into a :class:`~envhub.generators.rewriting.syntax.Game`.

The format is PuzzleScript's, with these limits, each of which is refused by line and word:

- the prelude may have ``run_rules_on_level_start``, ``require_player_movement``, ``noaction`` and words that only change
  sound and looks; not ``realtime_interval``, ``flickscreen`` or ``zoomscreen``, which hide part of the board;
- rules may not be ``rigid`` or ``random``, and objects not ``random`` or ``randomdir``;
- commands are ``again``, ``cancel``, ``win``, ``message`` and sounds (which are ignored); not ``restart`` or
  ``checkpoint``;
- levels have at most 900 cells, games at most 120 objects and 200 rules.

Messages between levels are skipped. ::

    game = parse(Path("boxes.txt").read_text())
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from envhub.core.errors import nearest
from envhub.generators.rewriting.rule_lines import read_rule
from envhub.generators.rewriting.syntax import MOVEMENTS, Condition, Game, PuzzleError, Rule

_SECTIONS: Final = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")
_SETTINGS: Final = frozenset({"run_rules_on_level_start", "require_player_movement", "noaction"})
_LOOKS: Final = frozenset(
    (
        *("title", "author", "homepage", "background_color", "text_color", "color_palette", "again_interval"),
        *("key_repeat_interval", "noundo", "norestart", "norepeat_action", "throttle_movement", "scanline", "youtube"),
        *("debug", "verbose_logging"),
    )
)
_RESERVED: Final = MOVEMENTS | frozenset(
    (
        *_SECTIONS,
        *("and", "or", "on", "late", "rigid", "random", "randomdir", "again", "cancel", "win", "message", "restart"),
        *("checkpoint", "all", "some", "any"),
    )
)
_NAME: Final = re.compile(r"[^\s=\[\]|,()]+")
_SPRITE: Final = re.compile(r"[.0-9]+")
_MOST_OBJECTS: Final = 120
_MOST_RULES: Final = 200
_MOST_CELLS: Final = 900
_MOST_CHARS: Final = 200_000


def parse(text: str) -> Game:
    """Read a game.

    Raises:
        PuzzleError: The text is not a game of the supported subset.
    """
    if len(text) > _MOST_CHARS:
        raise PuzzleError(1, f"a game has at most {_MOST_CHARS} characters, got {len(text)}.")
    reader = _Reader()
    for number, line in _lines(text):
        reader.take(number, line)
    return reader.game()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines without comments, which may be nested and span lines."""
    depth, opened = 0, 0
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        plain = line.strip().lower()
        if depth == 0 and plain.startswith("message"):
            yield number, line  # the brackets of a message are its own
            continue
        kept = []
        for sign in line:
            if sign == "(":
                opened = opened if depth else number
                depth += 1
            elif sign == ")" and depth:
                depth -= 1
            elif not depth:
                kept.append(sign)
        yield number, "".join(kept)
    if depth:
        raise PuzzleError(opened, "the comment that begins here has no closing bracket ')'.")


class _Reader:
    """The sections read so far."""

    def __init__(self) -> None:
        self.section = ""
        self.seen: list[str] = []
        self.title = ""
        self.settings: set[str] = set()
        self.objects: dict[str, int] = {}
        self.signs: dict[str, tuple[str, ...]] = {}
        self.either: dict[str, tuple[str, ...]] = {}
        self.both: dict[str, tuple[str, ...]] = {}
        self.same: dict[str, str] = {}
        self.layers: list[tuple[str, ...]] = []
        self.lines: list[tuple[int, str]] = []
        self.wins: list[tuple[int, Condition]] = []
        self.levels: list[tuple[int, list[str]]] = []
        self.state = ""
        self.rows = 0
        self.layer_lines: dict[str, int] = {}

    def take(self, number: int, line: str) -> None:
        """Read a line."""
        plain = line.strip()
        lower = plain.lower()
        if plain and set(plain) == {"="}:
            return
        if lower in _SECTIONS:
            self._begin(number, lower)
        elif self.section == "levels":
            self._level(number, plain)
        elif self.section == "objects":
            self._object(number, lower)
        elif plain:
            getattr(self, f"_{self.section or 'prelude'}")(number, plain if self.section in ("", "rules") else lower)

    def _begin(self, number: int, name: str) -> None:
        if name in self.seen:
            raise PuzzleError(number, f"the section {name.upper()} appears twice.")
        if self.seen and _SECTIONS.index(name) < _SECTIONS.index(self.seen[-1]):
            raise PuzzleError(number, f"the section {name.upper()} must stand before {self.seen[-1].upper()}.")
        self.section, self.state = name, ""
        self.seen.append(name)

    def _prelude(self, number: int, line: str) -> None:
        word, _, rest = line.partition(" ")
        word = word.lower()
        if word in _SETTINGS:
            self.settings.add(word)
        elif word == "title":
            self.title = rest.strip()
        elif word not in _LOOKS:
            raise PuzzleError(
                number, f"unknown or unsupported setting {word!r}.{nearest(word, [*_SETTINGS, *_LOOKS, *_SECTIONS])}"
            )

    def _object(self, number: int, line: str) -> None:
        if not line:
            self.state = "" if self.state != "colours" else "colours"
            return
        if self.state == "sprite" and self.rows < 5 and _SPRITE.fullmatch(line):
            if len(line) != 5:
                raise PuzzleError(number, f"a row of a sprite must have 5 signs, got {line!r}.")
            self.rows += 1
        elif self.state == "colours":
            self.state, self.rows = "sprite", 0  # colours change nothing
        else:
            name, *more = line.split()
            if len(more) > 1:
                raise PuzzleError(number, f"an object is a name and at most one glyph, got {line!r}.")
            self._new_name(number, name)
            self.objects[name] = number
            for sign in more:
                self._new_sign(number, sign, (name,))
            self.state = "colours"
            if len(self.objects) > _MOST_OBJECTS:
                raise PuzzleError(number, f"a game has at most {_MOST_OBJECTS} objects.")

    def _new_name(self, number: int, name: str) -> None:
        if name in _RESERVED:
            raise PuzzleError(number, f"the name {name!r} is a word of the language.")
        if not _NAME.fullmatch(name):
            raise PuzzleError(number, f"the name {name!r} has a sign that names may not have.")
        if name in self.objects or name in self.either or name in self.both or name in self.same:
            raise PuzzleError(number, f"the name {name!r} is defined twice.")

    def _new_sign(self, number: int, sign: str, objects: tuple[str, ...]) -> None:
        if len(sign) != 1:
            raise PuzzleError(number, f"a glyph must be one sign, got {sign!r}.")
        if sign in self.signs:
            raise PuzzleError(number, f"the glyph {sign!r} is defined twice.")
        self.signs[sign] = objects

    def _legend(self, number: int, line: str) -> None:
        words = f"{line[0]}{line[1:].replace('=', ' = ', 1)}".split()
        joins = set(words[3::2])
        if len(words) < 3 or len(words) % 2 == 0 or words[1] != "=" or len(joins) > 1 or not joins <= {"and", "or"}:
            raise PuzzleError(number, f"a line of the legend is 'a = b', 'a = b and c' or 'a = b or c', got {line!r}.")
        name, join = words[0], joins.pop() if joins else ""
        objects: list[str] = []
        for word in words[2::2]:
            if (word in self.either and join == "and") or (word in self.both and join == "or"):
                raise PuzzleError(
                    number, f"{word!r} cannot be joined with {join!r}; it is defined with the other word."
                )
            objects += [each for each in self._resolved(number, word) if each not in objects]
        if join == "or" or (not join and words[2] in self.either):
            self._new_name(number, name)
            self.either[name] = tuple(objects)
        elif len(name) == 1:
            if name in self.objects:
                raise PuzzleError(number, f"the name {name!r} is defined twice.")
            self._new_sign(number, name, tuple(objects))
            (self.same if len(objects) == 1 else self.both)[name] = objects[0] if len(objects) == 1 else tuple(objects)  # type: ignore[assignment]
        elif len(objects) == 1:
            self._new_name(number, name)
            self.same[name] = objects[0]
        else:
            self._new_name(number, name)
            self.both[name] = tuple(objects)

    def _resolved(self, number: int, word: str) -> tuple[str, ...]:
        if word in self.objects:
            return (word,)
        if word in self.same:
            return (self.same[word],)
        found = self.either.get(word) or self.both.get(word)
        if found is None and word in self.signs:
            found = self.signs[word]
        if found is None:
            known = [*self.objects, *self.either, *self.both, *self.same]
            raise PuzzleError(number, f"unknown name {word!r}.{nearest(word, known)}")
        return found

    def _sounds(self, number: int, line: str) -> None:
        """Sounds change nothing."""

    def _collisionlayers(self, number: int, line: str) -> None:
        layer: list[str] = []
        for word in re.split(r"[\s,]+", line.strip(" ,")):
            for name in self._resolved(number, word):
                if name in self.layer_lines and name not in layer:
                    raise PuzzleError(number, f"{name!r} is already on the layer of line {self.layer_lines[name]}.")
                self.layer_lines[name] = number
                if name not in layer:
                    layer.append(name)
        self.layers.append(tuple(layer))

    def _rules(self, number: int, line: str) -> None:
        self.lines.append((number, line))
        if len(self.lines) > _MOST_RULES:
            raise PuzzleError(number, f"a game has at most {_MOST_RULES} lines of rules.")

    def _winconditions(self, number: int, line: str) -> None:
        words = line.split()
        kind = {"any": "some"}.get(words[0], words[0])
        if kind not in ("all", "some", "no") or len(words) not in (2, 4) or (len(words) == 4 and words[2] != "on"):
            raise PuzzleError(
                number, f"a win condition is 'all a on b', 'some a', 'no a on b' or the like, got {line!r}."
            )
        for name in words[1::2]:
            self._resolved(number, name)
        if kind == "all" and len(words) == 2:
            raise PuzzleError(number, "'all' needs 'on': 'all a on b'.")
        self.wins.append((number, Condition(kind, words[1], words[3] if len(words) == 4 else None)))

    def _level(self, number: int, line: str) -> None:
        if not line or line.lower().startswith("message"):
            self.state = ""
            return
        if self.state != "level":
            self.levels.append((number, []))
            self.state = "level"
        rows = self.levels[-1][1]
        for sign in line.lower():
            if sign not in self.signs:
                why = "is defined with 'or'" if sign in self.either else "is not defined"
                raise PuzzleError(number, f"the glyph {sign!r} of a level {why}.")
        if rows and len(rows[0]) != len(line):
            raise PuzzleError(number, f"all rows of a level must have {len(rows[0])} glyphs, got {len(line)}.")
        rows.append(line.lower())
        if len(rows) * len(line) > _MOST_CELLS:
            raise PuzzleError(number, f"a level has at most {_MOST_CELLS} cells.")

    def game(self) -> Game:
        """The game, when all lines are read."""
        last = self.lines[-1][0] if self.lines else 1
        for name, number in self.objects.items():
            if name not in self.layer_lines:
                raise PuzzleError(number, f"the object {name!r} is on no collision layer.")
        names = {*self.objects, *self.either, *self.both, *self.same}
        for needed in ("player", "background"):
            if needed not in names:
                raise PuzzleError(1, f"there must be an object or a name {needed!r}.")
        rules: list[Rule] = []
        loops: list[int] = []
        for number, line in self.lines:
            if line.lower() in ("startloop", "endloop"):
                if (len(loops) % 2 == 1) != (line.lower() == "endloop"):
                    raise PuzzleError(number, f"{line!r} has no counterpart; loops cannot be nested.")
                loops.append(number)
            else:
                rules.append(read_rule(number, line, names, rules[-1] if rules else None))
        if len(loops) % 2:
            raise PuzzleError(loops[-1], "'startloop' without 'endloop'.")
        pairs = tuple(zip(loops[::2], loops[1::2], strict=True))
        if not self.wins and not any("win" in rule.commands for rule in rules):
            raise PuzzleError(last, "the game has no win condition and no rule with the command 'win'.")
        levels = tuple((number, tuple(rows)) for number, rows in self.levels)
        game = Game(
            *(self.title, frozenset(self.settings), tuple(self.objects), self.signs, self.either, self.both),
            *(self.same, tuple(self.layers), tuple(rules), pairs, tuple(win for _, win in self.wins), levels),
        )
        self._check_backgrounds(game)
        return game

    def _check_backgrounds(self, game: Game) -> None:
        grounds = {game.layer(name) for name in game.members("background")}
        if len(grounds) > 1 or "background" in game.both:
            raise PuzzleError(1, "'background' must be one object, or objects of one layer joined with 'or'.")
        others = [name for name in game.layers[grounds.pop()] if name not in game.members("background")]
        if others:
            raise PuzzleError(1, f"{others[0]!r} must not be on the layer of 'background'.")
        for sign, objects in game.signs.items():
            used = [game.layer(name) for name in objects]
            if len(set(used)) < len(used):
                raise PuzzleError(1, f"the objects of the glyph {sign!r} share a collision layer.")
