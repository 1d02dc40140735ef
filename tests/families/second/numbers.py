"""Values of arithmetic and number theory by SymPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import sympy

from envhub.core.types import JSON


def gcd_lcm(problem: JSON) -> Any:
    find = sympy.igcd if problem["asked"].startswith("greatest") else sympy.ilcm
    return int(find(*problem["numbers"]))


VALUES: Final[Mapping[str, Callable[[JSON], Any]]] = {"gcd-lcm-v0": gcd_lcm}
