"""The small core library: the kernel computes with numbers by name, so each definition must be what the kernel takes it for."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from importlib import resources

import pytest

from envhub.verifiers.proofs.proof import Statement
from tests.support.kernels import lean_kernel, toolchain

COMPUTED: dict[str, Callable[[int, int], int | bool]] = {
    "add": operator.add,
    "sub": lambda a, b: max(0, a - b),
    "mul": operator.mul,
    "div": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else a,
    "gcd": math.gcd,
    "beq": operator.eq,
    "ble": operator.le,
    "land": operator.and_,
    "lor": operator.or_,
    "xor": operator.xor,
    "shiftLeft": operator.lshift,
    "shiftRight": operator.rshift,
    "pow": operator.pow,
    "log2": lambda a, _: max(0, a.bit_length() - 1),
}
PAIRS = ((0, 0), (0, 3), (3, 0), (1, 1), (5, 3), (3, 5), (6, 4), (7, 2), (4, 4))


def definitions() -> str:
    """Those of the core library under names that the kernel does not know."""
    text = (resources.files("envhub.sandbox.lean") / "core" / "Init" / "Nat.lean").read_text("utf-8")
    parts = [
        part for part in re.split(r"\n\n|\n(?=@\[extern)", text) if re.search(r"def Nat\.(?!lt\b|ctorIdx|decEq)", part)
    ]
    names = set(re.findall(r"def Nat\.(\w+)", "\n".join(parts)))
    assert names >= COMPUTED.keys()
    kept = [re.sub(r"@\[[^]]*\] *|protected |--.*\n", "", part) for part in parts]
    kept = [re.sub(r"(?s)(\n|^)instance.*", "", part) for part in kept]
    return re.sub(r"\bNat\.(" + "|".join(sorted(names)) + r")\b", r"Mine.\1", "\n".join(kept))


@pytest.mark.parametrize("name", COMPUTED)
def test_what_the_kernel_computes_is_what_is_defined(name: str) -> None:
    if toolchain().kind != "fixture":
        pytest.skip("Lean's own library is in use")
    facts = []
    for a, b in PAIRS:
        value = COMPUTED[name](a, b)
        if value > 64:  # our definition counts to it one by one
            continue
        said = str(value).lower() if isinstance(value, bool) else str(value)
        words = f"{a}" if name == "log2" else f"{a} {b}"
        facts += [f"Mine.{name} {words} = {said}", f"Nat.{name} {words} = {said}"]
    statement = Statement("t", " ∧ ".join(facts), preamble=definitions())
    proof = ", ".join("rfl" for _ in facts)
    report = lean_kernel().check(statement, f"theorem t : {statement.type} := ⟨{proof}⟩")
    assert report.accepted, report
