"""math-verify, the common grader.

Our reference, and an opt-in stage for imported data. Its time limit uses signals, which need the main thread, and it
may run for seconds, so it runs only in the pool. It accepts some wrong answers (``1-1/e`` for ``1+1/e``), so it never
judges an answer of a declared kind. Needs the extra ``math-verify``.
"""

from __future__ import annotations

from importlib.util import find_spec

from envhub.core.errors import MissingExtra


def installed() -> bool:
    """Whether math-verify is installed."""
    return find_spec("math_verify") is not None


def same(gold: str, answer: str) -> bool:
    """Whether math-verify accepts an answer.

    Both texts are put in dollars, as its documentation requires.

    Raises:
        MissingExtra: math-verify is not installed.
    """
    try:
        from math_verify import parse, verify
    except ImportError as error:
        raise MissingExtra(
            f"math-verify is not installed. Run: pip install 'envhub[math-verify]' ({error})."
        ) from error
    return bool(verify(parse(_math(gold)), parse(_math(answer))))


def _math(text: str) -> str:
    return text if "$" in text or "\\boxed" in text else f"${text}$"
