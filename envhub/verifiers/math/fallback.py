"""Functions that the pool runs on undecided answers.

SymPy, or math-verify if requested. Both libraries are imported at the top on purpose: a worker imports a function's
module before its clock starts, so a slow import never counts against an answer. Nothing else imports this module. If it
cannot be imported, no worker is healthy, and the verdict is an ``error``.
"""

from __future__ import annotations

from importlib.util import find_spec

from envhub.core.errors import MissingExtra
from envhub.core.types import JSON, Verdict
from envhub.verifiers.math import math_verify as grader
from envhub.verifiers.math.symbolic import compare
from envhub.verifiers.math.verdict import verdict_of

if find_spec("sympy") is not None:
    import sympy  # noqa: F401
if grader.installed():
    import math_verify  # noqa: F401


def symbolic(payload: JSON) -> Verdict:
    """The verdict on an answer, with SymPy as the last step."""
    return verdict_of(compare(payload["gold"], payload["answer"], payload["kind"], payload["options"]))


def by_math_verify(payload: JSON) -> Verdict:
    """The verdict of math-verify, marked with ``second``.

    An ``error`` if it is not installed.

    Args:
        payload: ``gold`` and ``answer``.
    """
    try:
        solved = grader.same(payload["gold"], payload["answer"])
    except MissingExtra as error:
        return Verdict.failed("second", str(error))
    feedback = "Correct." if solved else "That is not correct."
    return Verdict(float(solved), solved=solved, components={"second": 1.0}, feedback=feedback)
