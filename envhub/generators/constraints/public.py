"""Checkers for the instruction ids of the public benchmarks IFEval and IFBench.

Words, sentences and lines are those of :mod:`envhub.generators.constraints.units`. Every checker refuses the empty
text, relations and numbers are read from the row and never drawn, and an id that occurs twice is checked twice. What
cannot be decided by a rule is listed in ``LEFT_OUT``::

    checker("keywords:frequency")(Text("tea and tea"), {"keyword": "tea", "frequency": 2, "relation": "at least"})    # True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from envhub.core.errors import nearest
from envhub.generators.constraints.ifbench import IFBENCH
from envhub.generators.constraints.ifbench_formats import IFBENCH_FORMATS
from envhub.generators.constraints.ifeval import IFEVAL
from envhub.generators.constraints.public_lists import LEFT_OUT
from envhub.generators.constraints.public_terms import Checker, UnknownInstruction
from envhub.generators.constraints.units import Text

CHECKERS: Final[dict[str, Checker]] = {**IFEVAL, **IFBENCH, **IFBENCH_FORMATS}
"""Checkers by instruction id. None is called with a text that has no word."""


def checker(name: str) -> Checker:
    """The checker of an instruction id.

    Raises:
        UnknownInstruction: The id has no checker.
    """
    if name in LEFT_OUT:
        raise UnknownInstruction(f"{name!r} has no checker: {LEFT_OUT[name]}.")
    if name not in CHECKERS:
        raise UnknownInstruction(f"Unknown instruction id {name!r}.{nearest(name, CHECKERS)}")
    return CHECKERS[name]


def try_checker(name: str, settings: Mapping[str, Any]) -> None:
    """Raise if an instruction cannot be checked.

    A text of one word is checked, so that a wrong row is found before any grading.

    Raises:
        ValueError: The id has no checker, or the arguments do not fit it.
    """
    check = checker(name)
    try:
        check(Text("word"), settings)
    except KeyError as error:
        raise ValueError(f"{name!r} needs the argument {error}.") from None
    except (AttributeError, TypeError) as error:
        raise ValueError(f"The arguments of {name!r} are of another type: {error}.") from None


def settings_of(given: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """The arguments of one instruction without nulls, with whole numbers as integers."""
    found = json.loads(given) if isinstance(given, str) else given or {}
    whole = {name: int(v) if isinstance(v, float) and v.is_integer() else v for name, v in found.items()}
    return {name: value for name, value in whole.items() if value is not None}
