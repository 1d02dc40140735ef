"""Wordings: many ways to state one problem.

Some of them are reserved for evaluation. A prompt is composed, never pasted. An environment returns a
:class:`Statement` (a task, renderings of the data, rules), and a :class:`Wording` chooses one phrasing of each
sentence, one rendering and one frame that arranges them::

    ROWS = Phrase(
        "Each row contains each of the digits 1 to {size} exactly once.",
        "No row repeats a digit; every row uses the digits 1 to {size}.",
        "In every row, the digits 1 to {size} all occur, each of them once.",
        held_out="Row r is a permutation of 1 to {size}, for every r.",
    )

The last phrasing of every sentence, one rendering and one frame are held out: no training prompt contains them.
"""

from envhub.authoring.wording.frames import FRAMES, GAME_FRAMES, Parts
from envhub.authoring.wording.kept import KeptStatement
from envhub.authoring.wording.plurals import and_list, counted
from envhub.authoring.wording.statement import Rendering, Statement, in_picture
from envhub.authoring.wording.variants import Phrase, Variants
from envhub.authoring.wording.wording import HELD_OUT, PLAIN, WORDINGS, Wording, read_wording, wording_number

__all__ = [
    "FRAMES",
    "GAME_FRAMES",
    "HELD_OUT",
    "PLAIN",
    "WORDINGS",
    "KeptStatement",
    "Variants",
    "Parts",
    "Phrase",
    "Rendering",
    "Statement",
    "Wording",
    "and_list",
    "counted",
    "in_picture",
    "read_wording",
    "wording_number",
]
