"""BFCL's rules for calls: possible answers, and what counts as equal.

A possible answer names a function and, for each parameter, the accepted values; the empty text among them means that the
parameter may be left out. These are the rules of ``bfcl-eval`` 2026.3.23, which its tests compare with this module:

* each call must be one of the possible answers, each used once; their order matters nowhere;
* required parameters must be there, and no other parameters than those of the function;
* the type of a value must be the declared one, where an integer may stand for a float, or that of an accepted value (the name
  of a variable, as text);
* texts are compared without case, spaces and ``, . / - _ * ^``, also in lists and objects;
* lists of objects must have the same order.

::

    wrong(functions, answers, [("area", {"base": 10})], "Python")     # None, or what is wrong
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from envhub.adapters.bfcl.literals import READERS
from envhub.core.types import JSON

PYTHON: Final[Mapping[str, type]] = {
    "string": str,
    "integer": int,
    "float": float,
    "boolean": bool,
    "array": list,
    "tuple": list,
    "dict": dict,
    "any": str,
}
Made = tuple[str, Mapping[str, Any]]
"""A call: its function and its arguments."""
_LEFT_OUT: Final = ""
_IGNORED: Final = re.compile(r"[ ,./\-_*^]")
_WITH_ITEMS: Final = ("array", "tuple", "Array", "ArrayList")


def wrong(functions: Sequence[JSON], answers: Sequence[JSON], calls: Sequence[Made], language: str) -> str | None:
    """What is wrong with the calls, or None; never the right values.

    Args:
        functions: The descriptions of the functions.
        answers: The possible answers, one for each call.
        calls: The calls.
        language: ``Python``, ``Java`` or ``JavaScript``.
    """
    if len(calls) != len(answers):
        return f"Expected {len(answers)} call{'s' * (len(answers) > 1)}, got {len(calls)}."
    left = list(range(len(calls)))
    problem = None
    for answer in answers:
        ((name, accepted),) = answer.items()
        function = next(each for each in functions if each["name"] == name)
        for at in left:
            problem = _problem(function, accepted, calls[at], language)
            if problem is None:
                left.remove(at)
                break
        else:
            return problem if len(answers) == 1 else "At least one of the calls is wrong."
    return None


def _problem(function: JSON, accepted: Mapping[str, list[Any]], call: Made, language: str) -> str | None:
    name, arguments = call
    if name != function["name"]:
        return "Another function must be called."
    properties = function["parameters"]["properties"]
    missing = [each for each in function["parameters"].get("required", ()) if each not in arguments]
    if missing:
        return f"The required parameter `{missing[0]}` is missing."
    for parameter, value in arguments.items():
        if parameter not in properties or parameter not in accepted:
            return f"The parameter `{parameter[:60]}` must not be given."
        try:
            fits = _accepts(accepted[parameter], value, properties[parameter], language)
        except (OverflowError, RecursionError):  # an integer beyond every float; objects nested without end
            fits = False
        if not fits:
            return f"The value of `{parameter}` is wrong."
    for parameter, options in accepted.items():
        if parameter not in arguments and _LEFT_OUT not in options:
            return f"The parameter `{parameter}` must be given."
    return None


def _accepts(options: list[Any], value: Any, described: JSON, language: str) -> bool:
    """Whether a value of a parameter is one of the accepted ones."""
    kind, inner = str(described.get("type")), (described.get("items") or {}).get("type")
    types = PYTHON if language == "Python" else READERS[language][0]
    if kind not in types:
        return False
    expected, within = types[kind], None
    if kind in _WITH_ITEMS and (language == "Python" or inner is not None):
        if inner not in types:
            return False
        within = types[str(inner)]
    if language != "Python":
        if not isinstance(value, str):
            return False
        value = READERS[language][1](value, kind, inner)
    elif kind == "float" and type(value) is int:
        value = float(value)
    typed = _typed(options, value, expected, within)
    if typed is None:
        return False
    if typed is expected:
        if expected is dict:
            return _one_object(options, value)
        if expected is list and within is dict:
            return any(_objects(option, value) for option in options)
        if expected is str:
            return standard(value) in [standard(option) for option in options if isinstance(option, str)]
        if expected is list:
            return _standard_items(value) in [_standard_items(each) for each in options if isinstance(each, list | str)]
    return value in options


def _typed(options: list[Any], value: Any, expected: type, within: type | None) -> type | None:
    """The type to compare as; None if a value has another.

    Values are compared as the type of the first accepted value where that differs from the declared one.
    """
    shown = _shown(options)
    compared = expected if shown in (None, expected) else shown
    if type(value) is expected:
        if within is None:
            return compared
        fits = any(not isinstance(option, list) or _items_fit(option, value, within) for option in options)
        return compared if fits else None
    return object if shown is not None and type(value) is shown else None


def _items_fit(option: list[Any], value: Any, within: type) -> bool:
    shown = _shown(option)
    return all(type(item) is within or (shown is not None and type(item) is shown) for item in value)


def _shown(options: list[Any]) -> type | None:
    """The type of the first value, ignoring the empty text."""
    return next((type(option) for option in options if option != _LEFT_OUT), None)


def _one_object(options: list[Any], value: Any) -> bool:
    return any(isinstance(option, dict) and _same_object(option, value) for option in options)


def _objects(option: Any, value: list[Any]) -> bool:
    """Whether objects are the accepted ones, in order."""
    if not isinstance(option, list | str) or len(option) != len(value):
        return False
    return all(
        isinstance(one, dict) and isinstance(item, dict) and _same_object(one, item)
        for one, item in zip(option, value, strict=True)
    )


def _same_object(option: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    for key, item in value.items():
        accepted = option.get(key)
        if not isinstance(accepted, list):
            return False
        if _standard(item) not in [_standard(each) for each in accepted]:
            return False
    return all(key in value or (isinstance(each, list) and _LEFT_OUT in each) for key, each in option.items())


def standard(text: str) -> str:
    """A text without case, spaces and most punctuation."""
    return _IGNORED.sub("", text).lower().replace("'", '"')


def _standard(value: Any) -> Any:
    return standard(value) if isinstance(value, str) else value


def _standard_items(value: list[Any] | str) -> list[Any]:
    """The items of a list; none for the sign of leaving out."""
    return [_standard(item) for item in value] if isinstance(value, list) else list(value)


def answered(functions: Sequence[JSON], answers: Sequence[JSON], language: str) -> list[Made] | None:
    """Right calls without optional parameters; None otherwise."""
    calls: list[Made] = []
    for answer in answers:
        ((name, accepted),) = answer.items()
        function = next((each for each in functions if each["name"] == name), None)
        if function is None:
            return None
        properties = function["parameters"]["properties"]
        arguments = {}
        for parameter, options in accepted.items():
            if _LEFT_OUT not in options or parameter in function["parameters"].get("required", ()):
                arguments[parameter] = next(_right(options, properties.get(parameter, {}), language), _LEFT_OUT)
        calls.append((name, arguments))
    return calls if wrong(functions, answers, calls, language) is None else None


def _right(options: list[Any], described: JSON, language: str) -> Iterator[Any]:
    """The accepted values of a parameter that the rules accept."""
    for option in options:
        if option == _LEFT_OUT:
            continue
        value = _chosen(option)
        if language != "Python":
            inner = (described.get("items") or {}).get("type")
            value = READERS[language][2](value, str(described.get("type")), inner)
        if _accepts(options, value, described, language):
            yield value


def _chosen(option: Any) -> Any:
    """An accepted value, whose objects list accepted values of each key."""
    if isinstance(option, list):
        return [_chosen(each) if isinstance(each, dict) else each for each in option]
    if not isinstance(option, dict):
        return option
    first = {key: next(iter(each), _LEFT_OUT) if isinstance(each, list) else each for key, each in option.items()}
    return {key: value for key, value in first.items() if value != _LEFT_OUT}
