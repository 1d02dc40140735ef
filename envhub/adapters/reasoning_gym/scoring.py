"""Access to reasoning-gym: datasets, levels, items, and confined scorers.

Worker processes of the pool run :func:`judge`. The dataset's own scorer sees the answer in a confined child process
(:mod:`envhub.adapters.shared.confinement`), because nine of the scorers *evaluate* the text. Confinement protects the
machine, not the score, which evaluated code could set or look up. So the text is screened: lists may contain only
literals, and expressions only numbers, operators, brackets and names of functions and variables.

Some scorers give full marks to wrong answers. If the stored text is the only right answer, the answer must also equal
it, ignoring spaces, quotes and case (:data:`STORED`). If that does not help, the dataset is refused (:func:`refusal`).
"""

from __future__ import annotations

import ast
import base64
import io
import math
import pickle
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from fractions import Fraction
from functools import cache, lru_cache
from importlib.metadata import version
from threading import Lock
from typing import Any, Final, NamedTuple

from envhub.adapters.shared.confinement import Refused, Unconfined, confined
from envhub.core.errors import MissingExtra
from envhub.core.types import JSON, Verdict

try:  # imported here, so that a worker has loaded it before any deadline starts
    from reasoning_gym import factory
except ImportError as error:
    raise MissingExtra(f"reasoning-gym is needed: pip install 'envhub[reasoning-gym]' ({error}).") from error

FULL: Final = 0.99
"""Minimum score of a right answer."""

STORED: Final = frozenset(
    {
        "codeio",
        "coin_flip",
        "complex_arithmetic",
        "decimal_arithmetic",
        "game_of_life",
        "game_of_life_halting",
        "gsm_symbolic",
        "knights_knaves",
        "letter_jumble",
        "number_format",
        "number_sorting",
        "spell_backward",
        "time_intervals",
    }
)
"""Datasets whose scorers give full marks to wrong answers; only the stored answer is right."""

_NO_ORACLE: Final = ("boxnet", "graph_color", "propositional_logic", "rubiks_cube", "rush_hour")
_BY_HASH: Final = (
    *("codeio", "intermediate_integration", "isomorphic_strings", "knight_swap", "list_functions"),
    *("polynomial_multiplication", "ransom_note", "word_ladder"),
)
_TOO_SLOW: Final = {"jugs": 2, "zebra_puzzles": 4, "n_queens": 4}  # items from this level on take a second or more
_FIRST: Final = {"sokoban": 1}  # its level 0 draws for half a minute
_SEED_BITS: Final = {"pool_matrix": 32}  # seeds NumPy, which accepts no more bits
_LITERALS: Final = frozenset({"binary_matrix", "n_queens", "spiral_matrix", "string_insertion"})
_EXPRESSIONS: Final = frozenset(
    {"countdown", "intermediate_integration", "polynomial_multiplication", "puzzle24", "simple_integration"}
)
_FUNCTIONS: Final = frozenset(
    (
        *("abs", "Abs", "exp", "ln", "log", "sqrt", "erf", "pi", "C", "E"),
        *("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "acot", "asec", "acsc"),
        *("sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh"),
    )
)
_LONGEST_EXPRESSION: Final = 2000
_EXPRESSION = re.compile(r"[\w\s.+\-*/^(),]*", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*|\.\s*(?=[A-Za-z_])")
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]{1,400}(?:\.[0-9]{1,400}|/[1-9][0-9]{0,400})?")
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")

_library = Lock()  # some datasets seed NumPy's global generator, and some print


class Item(NamedTuple):
    """An item with the dataset that created it and can score it."""

    dataset: Any
    entry: dict[str, Any]

    @property
    def answer(self) -> str:
        """The stored answer."""
        return str(self.entry["answer"])

    def score(self, answer: str) -> float:
        """Score from the dataset's own scorer, unconfined: only for trusted texts."""
        with _library, redirect_stdout(io.StringIO()):
            return float(self.dataset.score_answer(answer, self.entry))


def release() -> str:
    """The installed release of reasoning-gym."""
    return version("reasoning-gym")


def names() -> list[str]:
    """Names of all datasets."""
    return sorted(factory.DATASETS)


def refusal(name: str) -> str | None:
    """Why a dataset is not supported.

    None if its reward can be trusted.
    """
    if name == "composite":
        return "it is put together from others, each of which is an environment by itself"
    if name in _NO_ORACLE:
        return "it stores no answer, so nothing shows that its scorer accepts a right one"
    if name == "puzzle24":
        return "its scorer does not look whether the given numbers were used"
    if name in _BY_HASH and sys.flags.hash_randomization:
        return "its items depend on Python's hash seed; set PYTHONHASHSEED=0 for every process to have it"
    return None


@cache
def levels(name: str) -> tuple[int, ...]:
    """Usable curriculum levels, ascending; empty without a curriculum."""
    if name not in factory.CURRICULA:
        return ()
    attributes = factory.create_curriculum(name).attributes.values()
    top = min(max((len(found.levels) for found in attributes), default=0), _TOO_SLOW.get(name, sys.maxsize))
    return tuple(level for level in range(_FIRST.get(name, 0), top) if _is_valid(name, level))


def seed_bits(name: str) -> int:
    """Number of seed bits it accepts."""
    return _SEED_BITS.get(name, 63)


def item(name: str, level: int | None, seed: int) -> Item:
    """The only item of a dataset of size 1 with this seed."""
    with _library, redirect_stdout(io.StringIO()):
        dataset = _dataset(name, level, seed)
        return Item(dataset, dataset[0])


def packed(entry: dict[str, Any]) -> str:
    """An item as text.

    JSON would turn tuples into lists, which some scorers reject.

    Raises:
        TypeError: The item contains a value that cannot be serialised.
    """
    try:
        return base64.b64encode(pickle.dumps(entry, pickle.HIGHEST_PROTOCOL)).decode()
    except (pickle.PicklingError, AttributeError) as error:
        raise TypeError(f"an item cannot be packed: {error}") from None


def judge(payload: JSON) -> Verdict:
    """Verdict on an answer; run by a worker of the pool.

    Args:
        payload: ``dataset`` and ``level`` identify the dataset, ``item`` comes from :func:`packed` (the library's data,
            never the policy's), ``texts`` are forms of one answer.

    Raises:
        ChildProcessError: The scorer was killed by its limits.
    """
    name = payload["dataset"]
    found = Item(_scorer(name, payload["level"]), pickle.loads(base64.b64decode(payload["item"])))
    texts = [text for text in payload["texts"] if readable(name, text, found.entry)]
    partial = 0.0
    if texts:
        try:
            partial = confined(lambda: _best(name, found, texts))
        except Unconfined as problem:  # a machine failure, not caused by the answer
            return Verdict.failed("unconfined", str(problem))
        except Refused:  # a scorer that raises has not accepted the text
            partial = 0.0
    partial = min(1.0, max(0.0, partial)) if math.isfinite(partial) else 0.0
    solved = partial >= FULL and (name not in STORED or any(same(text, found.answer) for text in texts))
    return Verdict(1.0 if solved else 0.0, solved=solved, components={"partial": partial})


def readable(name: str, text: str, entry: dict[str, Any]) -> bool:
    """Whether a text may reach the scorer: expressions must be plain mathematics."""
    if name not in _EXPRESSIONS:
        return True
    if len(text) > _LONGEST_EXPRESSION or not _EXPRESSION.fullmatch(text):
        return False
    variable = entry["metadata"].get("variable")
    return all(
        word in _FUNCTIONS or word == variable or (len(word) == 1 and word.islower()) for word in _WORD.findall(text)
    )


def same(text: str, stored: str) -> bool:
    """Whether a text equals the stored answer.

    Numbers are compared by value, other texts by letters and signs in order.
    """
    one, other = (re.sub(r"[\s\"']+", "", side).casefold().rstrip(".") for side in (text, stored))
    one, other = (side.replace(",", "") if _GROUPED.fullmatch(side) else side for side in (one, other))
    if _PLAIN_NUMBER.fullmatch(one) and _PLAIN_NUMBER.fullmatch(other):
        return Fraction(one) == Fraction(other)
    return one == other


def _best(name: str, found: Item, texts: Sequence[str]) -> float:
    """In the confined child: best score among the forms of one answer."""
    if name in _LITERALS:  # its module's own ``eval``, in this child only
        vars(sys.modules[type(found.dataset).__module__])["eval"] = ast.literal_eval
    score: Callable[..., Any] = found.dataset.score_answer
    return max(float(score(text, found.entry)) for text in texts)


def _dataset(name: str, level: int | None, seed: int) -> Any:
    made = {"seed": seed, "size": 1}
    config = factory.DATASETS[name][1](**made) if level is None else _config(name, level, made)
    return factory.DATASETS[name][0](config=config)


@lru_cache(maxsize=16)
def _scorer(name: str, level: int | None) -> Any:
    """A dataset for scoring, configured but without items.

    It needs only its configuration; the item has the rest.
    """
    return _dataset(name, level, 0)


def _config(name: str, level: int, made: dict[str, int]) -> Any:
    curriculum = factory.create_curriculum(name)
    curriculum.set_global_level(level)
    return curriculum.generate_configuration(made)


def _is_valid(name: str, level: int) -> bool:
    """Whether its own validation passes; some curricula have invalid levels."""
    try:
        config = _config(name, level, {"seed": 0, "size": 1})
        if hasattr(config, "validate"):
            config.validate()
    except Exception:
        return False
    return True
