"""A witness with the value that an answer claims for it.

For example a tour and its length, or integers and their total.

::

    Claim(("B", "D", "A"), 17)
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Claim(NamedTuple):
    """A witness, and its claimed value.

    Attributes:
        witness: The parts of the witness, in canonical order.
        value: The claimed value; 0 if the answer has none.
    """

    witness: tuple[Any, ...]
    value: int
