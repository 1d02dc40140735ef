"""math-verify, the grader that most trainers use: what ours is measured against, and an opt-in stage for imported data.

It keeps its own time by signals, which only work in a main thread, and may run for seconds; so it only ever runs in the
pool, under the name ``envhub.verifiers.math.math_verify:same``. It takes wrong answers for right (``1-1/e`` for
``1+1/e``), so it never judges an answer of a declared kind. Needs the extra ``math-verify``.
"""

from __future__ import annotations

from importlib.util import find_spec

from envhub.core.errors import MissingExtra


def installed() -> bool:
    """Whether math-verify is here."""
    return find_spec("math_verify") is not None


def same(gold: str, answer: str) -> bool:
    """Whether math-verify takes an answer for the gold answer; both are handed over in dollars, as its documentation asks.

    Raises:
        MissingExtra: It is not installed.
    """
    try:
        from math_verify import parse, verify
    except ImportError as error:
        raise MissingExtra(f"math-verify is not here: pip install 'envhub[math-verify]' ({error}).") from error
    return bool(verify(parse(_math(gold)), parse(_math(answer))))


def _math(text: str) -> str:
    return text if "$" in text or "\\boxed" in text else f"${text}$"
