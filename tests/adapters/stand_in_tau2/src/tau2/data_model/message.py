"""Calls, as tau2 writes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class ToolCall:
    id: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    requestor: str = "assistant"


@dataclass
class ToolMessage:
    content: str
    error: bool
