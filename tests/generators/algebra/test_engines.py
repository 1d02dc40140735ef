"""The engines of algebra, by exact properties of random small inputs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product as choices
from math import factorial, prod

from envhub.core.seeding import Stream
from envhub.generators.algebra import matrices, polynomials, power_series, surds
from envhub.generators.algebra.factoring import factors
from envhub.generators.algebra.inequalities import solution

RNG = Stream(b"engines", "algebra")


def splits(poly: list[int]) -> bool:
    """Whether a small monic polynomial has a monic factor with coefficients from -9 to 9, by trying all of them."""
    half = range(1, (len(poly) - 1) // 2 + 1)
    tried = ([*low, 1] for degree in half for low in choices(range(-9, 10), repeat=degree))
    return any(not polynomials.divided(poly, one)[1] for one in tried)


def test_factors_multiply_to_the_polynomial_and_do_not_split() -> None:
    for degree in (2, 3, 4, 5) * 3:
        parts = [[*polynomials.drawn(RNG, degree - 1, 3), 1] for degree in (2, degree - 1)]
        whole = polynomials.product(*parts)
        constant, found = factors(whole)
        assert polynomials.product([constant], *(one for one, times in found for _ in range(times))) == whole
        assert not any(splits(one) for one, _ in found if len(one) < 6)


def test_a_matrix_times_its_inverse_is_the_identity() -> None:
    for size in (2, 3, 4, 5):
        one = matrices.triangular_product(RNG, size, 4)
        inverse = matrices.inverse(one)
        assert inverse is not None
        assert matrices.product(one, inverse) == [[int(row == column) for column in range(size)] for row in range(size)]
        assert matrices.determinant(one) * matrices.determinant(inverse) == 1


def test_the_null_space_has_the_missing_dimensions() -> None:
    for rank in (1, 2, 3):
        one = matrices.of_rank(RNG, 4, 5, rank, 5)
        basis = matrices.null_space(one)
        assert len(basis) == matrices.rank(basis) == 5 - matrices.rank(one)
        assert not any(map(any, matrices.product(one, matrices.transposed(basis))))
    assert matrices.inverse([[1, 2], [2, 4]]) is None


def test_series_have_the_coefficients_of_taylor() -> None:
    for at, sine, cosine in zip(range(8), (0, 1, 0, -1) * 2, (1, 0, -1, 0) * 2, strict=True):
        assert power_series.exponential(3, 8)[at] == Fraction(3**at, factorial(at))
        assert power_series.sine(3, 8)[at] == Fraction(sine * 3**at, factorial(at))
        assert power_series.cosine(3, 8)[at] == Fraction(cosine * 3**at, factorial(at))
        falling = prod((Fraction(1, 2) - k for k in range(at)), start=Fraction(1))
        assert power_series.binomial(Fraction(1, 2), 3, 8)[at] == falling * 3**at / factorial(at)


def test_series_obey_the_laws_of_their_functions() -> None:
    one, degree = [Fraction(1), *[Fraction(0)] * 8], 8
    square = [power_series.product(series(2, degree), series(2, degree), degree) for series in _WAVES]
    assert [sum(pair) for pair in zip(*square, strict=True)] == one
    grown = power_series.composed(power_series.exponential(1, degree), power_series.logarithm(5, degree), degree)
    assert grown == [1, 5, *[0] * 7]


_WAVES = (power_series.sine, power_series.cosine)


def test_the_roots_of_a_quadratic_have_its_sum_and_product() -> None:
    for low, middle, high in ([-1, -1, 1], [2, -4, 1], [5, 2, 1], [-6, 1, 12], [9, 6, 1], [3, 0, -4]):
        found = surds.roots([low, middle, high])
        one, other = found * 2 if len(found) == 1 else found
        assert Fraction(one.a, one.c) + Fraction(other.a, other.c) == Fraction(-middle, high)
        assert one.d == other.d
        assert Fraction(one.b, one.c) == -Fraction(other.b, other.c) or not one.b
        product = Fraction(one.a * other.a + one.b * other.b * one.d, one.c * other.c)
        assert product == Fraction(low, high)


def test_an_inequality_has_open_and_closed_ends_and_points() -> None:
    ends = [surds.rational(one) for one in (-1, 2)]
    assert solution("<=", ends, [], lambda x: 1 if (x + 1) * (x - 2) > 0 else -1) == "[-1, 2]"
    assert solution(">", ends[:1], ends[1:], lambda x: 1 if (x + 1) * (x - 2) > 0 else -1) == "(-inf, -1) U (2, inf)"
    assert solution("<=", ends[:1], [], lambda x: 1) == "{-1}"
    assert solution(">=", ends[1:], ends[:1], lambda x: 1 if (x + 1) * (x - 2) > 0 else -1) == "(-inf, -1) U [2, inf)"
