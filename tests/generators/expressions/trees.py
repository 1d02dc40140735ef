"""What the tests of expressions share: their law and trees to try it on."""

from hypothesis import HealthCheck, settings, strategies as st

from envhub.generators.expressions.trees import Negation, Number, Operation

law = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
numbers = st.builds(Number, st.integers(0, 60))
trees = st.recursive(
    numbers,
    lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner) | st.builds(Negation, inner),
    max_leaves=8,
)
unsigned_trees = st.recursive(
    numbers, lambda inner: st.builds(Operation, st.sampled_from("+-*/"), inner, inner), max_leaves=8
)


def n(value: int) -> Number:
    return Number(value)
