"""BFCL's questions with their possible answers, read from the user's copy.

The copy is the wheel of ``bfcl-eval``, the folder of the installed package, or its folder ``data``. Of these, only the files
of the categories in :data:`CATEGORIES` are read::

    bundle = bundle_at("bfcl_eval-2026.3.23-py3-none-any.whl", digest, chosen)
    questions(bundle, digest, "parallel")[0].conversation     # (("user", "Play songs from ..."),)

Questions whose possible answers BFCL's own rules reject are left out, and counted in a warning.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from envhub.adapters.bfcl.checking import Made, answered
from envhub.core.errors import InvalidParameters
from envhub.core.types import JSON, encodable
from envhub.generators.user_files.bundles import Bundle
from envhub.generators.user_files.files import MAX_CHARS, each_of, json_lines

_log = logging.getLogger(__name__)

CATEGORIES: Final = (
    "simple_python",
    "live_simple",
    "multiple",
    "live_multiple",
    "parallel",
    "parallel_multiple",
    "live_parallel",
    "live_parallel_multiple",
    "simple_java",
    "simple_javascript",
    "irrelevance",
    "live_irrelevance",
)
"""The categories that are played, in the files' names."""
IRRELEVANT: Final = frozenset({"irrelevance", "live_irrelevance"})
"""Those where no function fits and none may be called."""
LEVELS: Final = (
    ("simple_python",),
    ("simple_python", "live_simple"),
    ("simple_java", "simple_javascript"),
    ("multiple",),
    ("multiple", "live_multiple"),
    ("multiple", "live_multiple", "parallel_multiple", "live_irrelevance"),
    CATEGORIES,
    ("parallel",),
    ("live_parallel", "live_parallel_multiple", "parallel", "parallel_multiple"),
    ("parallel_multiple",),
)
"""The categories of each level, in the order of the number of calls and functions."""
_LANGUAGES: Final = {"simple_java": "Java", "simple_javascript": "JavaScript"}
_FILE: Final = re.compile(r"(?:.*/)?BFCL_v4_(\w+)\.json")
_NAME: Final = re.compile(r"[\w.-]{1,64}")
_MOST_CALLS: Final = 8
_ROLES: Final = ("system", "user", "assistant")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a category.

    Attributes:
        id: BFCL's name of it.
        conversation: Its messages, each with its role.
        functions: The descriptions of the functions, as in the file.
        answers: The possible answers; none where no function may be called.
        right: Right calls.
    """

    id: str
    conversation: tuple[tuple[str, str], ...]
    functions: tuple[JSON, ...]
    answers: tuple[JSON, ...]
    right: tuple[Made, ...]


def language(category: str) -> str:
    """The language of the functions of a category."""
    return _LANGUAGES.get(category, "Python")


def chosen(paths: Sequence[str]) -> Mapping[str, str]:
    """The files of the categories: ``NAME`` and ``answers/NAME``."""
    found: dict[str, str] = {}
    for path in paths:
        match = _FILE.fullmatch(path)
        if match and match[1] in CATEGORIES and "unused_datasets" not in path:
            answers = path.endswith(f"possible_answer/{path.rpartition('/')[2]}")
            found.setdefault(f"answers/{match[1]}" if answers else match[1], path)
    return found


def questions(bundle: Bundle, digest: str, category: str) -> Sequence[Question]:
    """The questions of a category.

    Raises:
        InvalidParameters: They are not in the bundle, or a row is of another form.
    """
    return _questions(bundle.place, tuple(sorted(bundle.files.items())), digest, category)


@lru_cache(maxsize=32)
def _questions(place: str, files: tuple[tuple[str, str], ...], digest: str, category: str) -> Sequence[Question]:
    bundle = Bundle(place, dict(files))
    answers: dict[str, Any] = {}
    if category not in IRRELEVANT:
        for row in _rows(bundle, f"answers/{category}"):
            answers[str(row.get("id"))] = row.get("ground_truth")
    where = bundle.files.get(category, category)
    rows = [row for row in _rows(bundle, category) if row.get("function") != []]  # without functions nothing is asked
    found = list(each_of(where, rows, lambda _, row: _question(row, answers, category)))
    kept = [each for each in found if each.right or category in IRRELEVANT]
    if len(kept) < len(found):
        names = ", ".join(sorted({each.id for each in found} - {each.id for each in kept}))
        _log.warning(
            "%s: %d questions whose possible answers are all rejected: %s", category, len(found) - len(kept), names
        )
    if not kept:
        raise InvalidParameters(f"There are no questions of {category} in {place!r}.")
    return kept


def _rows(bundle: Bundle, name: str) -> list[Mapping[str, Any]]:
    return json_lines(bundle.files.get(name, name), bundle.read(name))


def _question(row: Mapping[str, Any], answers: Mapping[str, Any], category: str) -> Question:
    id, turns, functions = row.get("id"), row.get("question"), row.get("function")
    if not isinstance(id, str) or not isinstance(turns, list) or len(turns) != 1:
        raise ValueError("expected an id, and a question of one turn.")
    conversation = tuple(_message(each) for each in turns[0])
    if not isinstance(functions, list) or not functions:
        raise ValueError("function: expected a list of descriptions.")
    for each in functions:
        _check_function(each)
    if len({call_name(each["name"]) for each in functions}) < len(functions):
        raise ValueError("function: two have the same name.")
    if sum(len(text) for _, text in conversation) + len(str(functions)) > MAX_CHARS:
        raise ValueError(f"the question has more than {MAX_CHARS} characters.")
    if category in IRRELEVANT:
        return Question(id, conversation, tuple(functions), (), ())
    expected = answers.get(id)
    if not isinstance(expected, list) or not 0 < len(expected) <= _MOST_CALLS:
        raise ValueError(f"{id} must have 1 to {_MOST_CALLS} possible answers.")
    if not all(_is_answer(each) for each in expected):
        raise ValueError(f"{id}: a possible answer must be one function with lists of accepted values.")
    right = answered(functions, expected, language(category))
    return Question(id, conversation, tuple(functions), tuple(expected), tuple(right or ()))


def _message(given: Any) -> tuple[str, str]:
    if not isinstance(given, dict) or given.get("role") not in _ROLES or not isinstance(given.get("content"), str):
        raise ValueError(f"question: expected messages with a role of {', '.join(_ROLES)} and content.")
    return given["role"], encodable(given["content"])


def _check_function(given: Any) -> None:
    parameters = given.get("parameters") if isinstance(given, dict) else None
    name = given.get("name") if isinstance(given, dict) else None
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ValueError(f"function: expected a name of letters, digits, dots and underscores, got {str(name)[:60]!r}.")
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    if not isinstance(properties, dict) or not all(isinstance(each, dict) for each in properties.values()):
        raise ValueError(f"function {name}: expected parameters with properties.")


def _is_answer(given: Any) -> bool:
    if not isinstance(given, dict) or len(given) != 1:
        return False
    (accepted,) = given.values()
    return isinstance(accepted, dict) and all(isinstance(each, list) for each in accepted.values())


def call_name(name: str) -> str:
    """The name of a function in calls: without dots."""
    return name.replace(".", "_")
