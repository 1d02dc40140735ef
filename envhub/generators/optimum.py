"""Optimum: the result of an exact search."""

from __future__ import annotations

from typing import Any, NamedTuple


class Optimum(NamedTuple):
    """A proven best value, with a witness and the search's steps.

    Attributes:
        value: The best value.
        witness: An object of this value.
        steps: Number of steps of the search.
    """

    value: int
    witness: Any
    steps: int
