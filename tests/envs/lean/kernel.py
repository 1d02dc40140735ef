"""What tests of proof environments share: a kernel that is there or said to be missing, and texts as policies write them."""

from __future__ import annotations

from typing import Any

import envhub
from envhub.gymnasium.env import Env
from envhub.verifiers.proofs.checker import Proofs
from envhub.verifiers.proofs.proof import Message, ProofReport, Statement


def block(text: str) -> str:
    """A text in a fence."""
    return f"```lean\n{text}\n```"


def begun(id: str, seed: int, **settings: Any) -> Env:
    """An environment, reset."""
    env = envhub.make(id, **settings)
    env.reset(seed=seed)
    return env


class Down:
    """A kernel that does not work, or that every submission takes down."""

    def __init__(self, outcome: Any) -> None:
        self.outcome = outcome

    def check(self, statement: Statement, submission: str) -> ProofReport:
        words = (Message("error", "It ended the checker."),)
        return ProofReport(self.outcome, words, fault="it does not work" if self.outcome == "error" else None)

    def goals(self, statement: Statement, submission: str, line: int) -> tuple[str, ...]:
        return ()


def down(outcome: str) -> dict[str, Proofs]:
    """Resources with such a kernel."""
    return {"kernel": Proofs(Down(outcome))}
