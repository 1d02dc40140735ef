"""BFCL's questions with several turns, from the user's copy.

Unlike the questions of one turn, they need the package's code: the wheel, or a folder that contains ``bfcl_eval``. The right
calls of each turn are text in the file; they are parsed, never evaluated::

    conversations(bundle, digest, "multi_turn_base")[0].turns[0]     # (("cd", {"folder": "document"}), ...)
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from envhub.adapters.bfcl.checking import Made
from envhub.adapters.bfcl.inside import FILES
from envhub.core.types import JSON
from envhub.generators.user_files.bundles import Bundle
from envhub.generators.user_files.files import each_of, json_lines

CATEGORIES: Final = ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param")
"""The categories that are played, in the files' names."""
_DATA: Final = re.compile(r"(?:.*/)?BFCL_v4_(\w+)\.json")
_DOCUMENT: Final = re.compile(r"(?:.*/)?multi_turn_func_doc/(\w+)\.json")
_CODE: Final = re.compile(r"(.*/)?bfcl_eval/eval_checker/multi_turn_eval/func_source_code/(\w+)\.py")


@dataclass(frozen=True, slots=True)
class Conversation:
    """A question with several turns.

    Attributes:
        id: BFCL's name of it.
        said: The user's message of each turn; empty where functions are added instead.
        classes: The classes whose methods are the functions.
        config: The initial state of each class.
        functions: The descriptions of the functions.
        added: Names of functions that a turn adds, by its number as text.
        turns: The right calls of each turn; none where nothing can be done.
    """

    id: str
    said: tuple[str, ...]
    classes: tuple[str, ...]
    config: JSON
    functions: tuple[JSON, ...]
    added: Mapping[str, list[str]]
    turns: tuple[tuple[Made, ...], ...]


def chosen(paths: Sequence[str]) -> Mapping[str, str]:
    """The files of the categories, the descriptions and the code."""
    found: dict[str, str] = {}
    for path in paths:
        if (data := _DATA.fullmatch(path)) and data[1] in CATEGORIES and "unused" not in path:
            answers = path.endswith(f"possible_answer/{path.rpartition('/')[2]}")
            found.setdefault(f"answers/{data[1]}" if answers else data[1], path)
        elif document := _DOCUMENT.fullmatch(path):
            found[f"functions/{document[1]}"] = path
        elif code := _CODE.fullmatch(path):
            found[f"code/{code[2]}"] = path
    return found if "code/long_context" in found else {}


def root(bundle: Bundle) -> str:
    """What the package's code is imported from."""
    code = _CODE.fullmatch(bundle.files["code/long_context"])
    inside = (code[1] if code else "") or ""
    return os.path.abspath(os.path.join(bundle.place, inside) if inside else bundle.place)


def named(bundle: Bundle, problem: JSON) -> Conversation:
    """The question of a problem."""
    found = conversations(bundle, problem["digest"], problem["category"])
    return next(each for each in found if each.id == problem["id"])


def conversations(bundle: Bundle, digest: str, category: str) -> Sequence[Conversation]:
    """The questions of a category.

    Raises:
        InvalidParameters: They are not in the bundle, or a row is of another form.
    """
    return _conversations(bundle.place, tuple(sorted(bundle.files.items())), digest, category)


@lru_cache(maxsize=8)
def _conversations(
    place: str, files: tuple[tuple[str, str], ...], digest: str, category: str
) -> Sequence[Conversation]:
    bundle = Bundle(place, dict(files))
    answers = {str(row.get("id")): row.get("ground_truth") for row in _rows(bundle, f"answers/{category}")}
    documents = {name: _rows(bundle, f"functions/{file}") for name, file in FILES.items()}
    rows = _rows(bundle, category)
    return tuple(each_of(bundle.files[category], rows, lambda _, row: _conversation(row, answers, documents)))


def _rows(bundle: Bundle, name: str) -> list[Mapping[str, Any]]:
    return json_lines(bundle.files.get(name, name), bundle.read(name))


def _conversation(
    row: Mapping[str, Any], answers: Mapping[str, Any], documents: Mapping[str, Sequence[JSON]]
) -> Conversation:
    id, classes = str(row.get("id")), tuple(row.get("involved_classes") or ())
    if not classes or any(name not in documents for name in classes):
        raise ValueError(f"involved_classes: expected some of {', '.join(documents)}.")
    left_out = {*(row.get("excluded_function") or ())}
    functions = [each for name in classes for each in documents[name] if each["name"] not in left_out]
    by_name = {each["name"]: each for each in functions}
    said = tuple("\n\n".join(str(message["content"]) for message in turn) for turn in row["question"])
    given = answers.get(id)
    if not isinstance(given, list) or len(given) != len(said):
        raise ValueError(f"{id} must have the right calls of each of its {len(said)} turns.")
    added = row.get("missed_function") or {}
    _check_turns(said, added, by_name)
    all_documents = {each["name"]: each for name in classes for each in documents[name]}
    turns = tuple(tuple(_call(text, all_documents) for text in turn) for turn in given)
    return Conversation(
        id,
        said,
        classes,
        row.get("initial_config") or {},
        tuple(by_name.values()),
        added,
        turns,
    )


def _check_turns(said: Sequence[str], added: Any, functions: Mapping[str, JSON]) -> None:
    """Check that each turn says something or adds functions.

    Raises:
        ValueError: A turn does neither, or what it adds does not exist.
    """
    later = [str(turn) for turn in range(1, len(said))]
    if not isinstance(added, dict) or not all(isinstance(names, list) for names in added.values()):
        raise ValueError("missed_function: expected lists of functions by the number of a turn.")
    for turn, names in added.items():
        if turn not in later or not names or any(name not in functions for name in names):
            raise ValueError(f"missed_function: turn {turn} must be a later one and add functions of the question.")
    if not all(text.strip() or str(turn) in added for turn, text in enumerate(said)):
        raise ValueError("question: each turn must have a message, or functions in missed_function.")


def _call(text: str, documents: Mapping[str, JSON]) -> Made:
    """A right call; its positional arguments get their names."""
    try:
        tree = ast.parse(text, mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
            raise ValueError("it is no call")
        named = {str(each.arg): ast.literal_eval(each.value) for each in tree.keywords}
        placed = [ast.literal_eval(each) for each in tree.args]
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"the right call {text[:80]!r} cannot be read: {error}") from None
    names = list(documents[tree.func.id]["parameters"]["properties"]) if tree.func.id in documents else []
    if len(placed) > len(names):
        raise ValueError(f"the right call {text[:80]!r} has more arguments than its function.")
    return tree.func.id, {**dict(zip(names, placed, strict=False)), **named}
