"""KeptStatement: a statement that is worded for many tasks.

Where state is hidden, most tasks have the same problem, so its sentences are filled in once. After :data:`MANY` wordings
the choices of all training wordings are tabulated, and the text between the parts of a frame is kept. A further wording is
then a lookup for each sentence and one join::

    kept = KeptStatement(statement)
    kept.worded(wording) == statement.worded(wording)      # always
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

from envhub.authoring.wording.frames import Frame, Parts
from envhub.authoring.wording.statement import Rendering, Statement
from envhub.authoring.wording.variants import Phrase
from envhub.authoring.wording.wording import Wording, choices

MANY: Final = 200
"""Number of wordings after which tabulating them saves time."""
_MARK = re.compile("\0([0-9]+)\0")


class _Layout(NamedTuple):
    """A frame as text with gaps.

    Attributes:
        pieces: The text around the parts, and an empty piece at every odd place, for a part.
        order: Puts the parts (task, rules, note, data) into the order of their gaps.
    """

    pieces: list[str]
    order: Callable[[Sequence[str]], Any]


class _Plan(NamedTuple):
    """What the training wordings choose between.

    Attributes:
        sentences: Task, rules and note: the place of each wording's phrasing, and the phrasings.
        data: The same for the renderings of the data.
        frames: The same for the frames; None for a frame that is applied to the parts.
    """

    sentences: tuple[tuple[Sequence[int], tuple[str, ...]], ...]
    data: tuple[Sequence[int], tuple[Rendering, ...]]
    frames: tuple[Sequence[int], tuple[_Layout | None, ...]]


class KeptStatement:
    """A statement that keeps what wordings have in common.

    Args:
        statement: The statement. It belongs to this object from now on.
    """

    __slots__ = ("_count", "_plan", "statement")

    def __init__(self, statement: Statement) -> None:
        statement.made = {}
        self.statement = statement
        self._count = 0
        self._plan: _Plan | None = None

    def worded(self, wording: Wording) -> str:
        """The whole text in one wording."""
        number = wording.number
        if self._plan is None or isinstance(number, str):
            self._count += 1
            if self._count == MANY:
                self._plan = _planned(self.statement)
            return self.statement.worded(wording)
        sentences, (shown, renderings), (framed, layouts) = self._plan
        layout, data = layouts[framed[number]], self.statement.shown(renderings[shown[number]])
        if layout is None or not data:
            return self.statement.worded(wording)
        texts = [phrasings[places[number]] for places, phrasings in sentences]
        texts.append(data)
        pieces = layout.pieces.copy()
        pieces[1::2] = layout.order(texts)
        return "".join(pieces)


def _planned(statement: Statement) -> _Plan:
    phrases = [statement.task, *statement.rules, *filter(None, [statement.note])]
    sentences = tuple([_sentences(statement, statement.phrase(phrase)) for phrase in phrases])
    whole = all(all(texts) for _, texts in sentences)  # a frame may leave out what is empty
    layouts = [
        _layout(frame, len(statement.rules), statement.note) if whole else None for frame in statement.frames.options
    ]
    return _Plan(
        sentences,
        (choices(statement.renderings), statement.renderings.options),
        (choices(statement.frames), tuple(layouts)),
    )


def _sentences(statement: Statement, phrase: Phrase) -> tuple[Sequence[int], tuple[str, ...]]:
    return choices(phrase), tuple([statement.filled(phrase, text) for text in phrase.options])


def _layout(frame: Frame, rules: int, note: Phrase | None) -> _Layout | None:
    """A frame as text with gaps.

    None for a frame of another module, which may look at the text of its parts.
    """
    if frame.__module__ != Parts.__module__:
        return None
    marks = [f"\0{at}\0" for at in range(rules + 2 + (note is not None))]
    task, *others, data = marks
    text = frame(Parts(task, data, tuple(others[:rules]), "" if note is None else others[rules]))
    pieces = _MARK.split(text)
    order = list(map(int, pieces[1::2]))
    pieces[1::2] = [""] * len(order)
    return _Layout(pieces, itemgetter(*order))
