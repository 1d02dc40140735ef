"""Coefficients that follow a measurement: the worked examples, what they own, and a loop that reaches its target."""

from __future__ import annotations

import pytest

from envhub_trainer.algorithms import algorithm
from envhub_trainer.algorithms.controllers import (
    AdaptiveKl,
    EntropyTarget,
    coefficients,
    controlled,
    with_coefficients,
)


def test_the_divergence_is_steered_by_ziegler_s_rule() -> None:
    controller = AdaptiveKl(target=0.01)
    for kl, error in ((0.03, 0.2), (0.011, 0.1), (0.0, -0.2), (0.01, 0.0)):  # 1909.08593, section 2.2
        assert controller.moved(0.04, {"kl_ref": kl}) == pytest.approx(0.04 * (1 + 0.1 * error))


def test_the_entropy_s_coefficient_rises_below_the_target_and_fades_above_it() -> None:
    controller = EntropyTarget(target=0.2)
    assert controller.moved(0.01, {"entropy": 0.15}) == pytest.approx(0.015)
    assert controller.moved(0.01, {"entropy": 0.3}) == pytest.approx(0.005)
    assert controller.moved(0.003, {"entropy": 0.3}) == 0.0


@pytest.mark.parametrize(("name", "settings"), [("grpo", {"kl": 0.1}), ("ppo", {"beta": 0.1})])
def test_the_coefficient_is_that_of_the_loss_or_of_the_reward(name: str, settings: dict[str, float]) -> None:
    row = algorithm(name, kl_target=0.01, entropy_target=0.5, **settings)
    assert coefficients(row) == [0.1, 0.0]
    after = controlled(row, {"kl_ref": 1.0, "entropy": 0.1})
    assert coefficients(after) == pytest.approx([0.102, 0.005])
    assert with_coefficients(row, coefficients(after)) == after
    assert after.needs_ref
    assert algorithm(name, **settings).controllers == ()


def test_a_divergence_that_falls_with_the_coefficient_reaches_its_target() -> None:
    row = algorithm("grpo", kl=0.04, kl_target=0.02)
    for _ in range(400):
        row = controlled(row, {"kl_ref": 0.002 / coefficients(row)[0]})
    assert coefficients(row)[0] == pytest.approx(0.1, rel=0.01)
