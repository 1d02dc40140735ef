"""Equations: products come before sums and differences."""

from __future__ import annotations

import pytest

from envhub.generators.cells.equation import Equation, calculated, terms


@pytest.mark.parametrize(
    ("numbers", "operators", "result"),
    [
        ((2, 3, 4, 5), "+*-", 9),
        ((9, 2, 3, 4), "-*-", -1),
        ((9, 2, 3, 4), "*-*", 6),
        ((2, 3, 4), "**", 24),
        ((1, 2, 3), "--", -4),
        ((5, 0, 7), "*+", 7),
        ((5, 7, 0), "+*", 5),
    ],
)
def test_products_come_first(numbers: tuple[int, ...], operators: str, result: int) -> None:
    assert calculated(numbers, terms(range(len(numbers)), operators)) == result
    assert Equation(range(len(numbers)), operators, result).holds(numbers)
    assert not Equation(range(len(numbers)), operators, result + 1).holds(numbers)


def test_digits_that_cannot_give_the_result_are_removed() -> None:
    domains = [0b1111111110] * 3
    assert set(Equation((0, 1, 2), "-*", -80).prune(domains) or ()) == {0, 1, 2}
    assert domains == [1 << 1, 1 << 9, 1 << 9]
