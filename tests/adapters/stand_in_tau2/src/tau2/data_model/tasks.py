"""The parts of a task that an environment takes."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


class EnvFunctionCall(BaseModel):
    env_type: str
    func_name: str
    arguments: dict[str, Any] = {}


class EnvAssertion(EnvFunctionCall):
    assert_value: bool = True
    message: str | None = None


class InitializationData(BaseModel):
    agent_data: dict[str, Any] | None = None
    user_data: dict[str, Any] | None = None


class InitialState(BaseModel):
    initialization_data: InitializationData | None = None
    initialization_actions: list[EnvFunctionCall] | None = None
    message_history: list[Any] | None = None
