"""Environments and tools with the names and the behaviour of tau2's, as far as the adapter uses them."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

from tau2.data_model.message import ToolCall, ToolMessage

DATA = Path(__file__).parents[3] / "data" / "tau2" / "domains"
_TYPES = {str: "string", int: "integer", bool: "boolean"}


def is_tool(method: Any) -> Any:
    method.is_tool = True
    return method


class Tool:
    def __init__(self, method: Any) -> None:
        hints = inspect.get_annotations(method, eval_str=True)
        properties = {name: {"type": _TYPES[hints[name]]} for name in inspect.signature(method).parameters}
        parameters = {"type": "object", "properties": properties, "required": list(properties)}
        described = {"name": method.__name__, "description": inspect.getdoc(method), "parameters": parameters}
        self.openai_schema = {"type": "function", "function": described}


class Kit:
    """Tools over a database."""

    def __init__(self, db: dict[str, Any]) -> None:
        self.db = db

    def tools(self) -> dict[str, Any]:
        members = {name: getattr(self, name) for name in dir(type(self)) if not name.startswith("_")}
        return {name: member for name, member in members.items() if getattr(member, "is_tool", False)}


class Environment:
    def __init__(self, policy: str, tools: Kit, user_tools: Kit | None = None) -> None:
        self.policy, self.tools, self.user_tools = policy, tools, user_tools

    def get_policy(self) -> str:
        return self.policy

    def get_tools(self) -> list[Tool]:
        return [Tool(method) for method in self.tools.tools().values()]

    def get_user_tools(self) -> list[Tool]:
        return [Tool(method) for method in self.user_tools.tools().values()] if self.user_tools else []

    def sync_tools(self) -> None:
        """Nothing to keep in step."""

    def _kit(self, side: str) -> Any:
        return self.user_tools if side == "user" else self.tools

    def set_state(self, data: Any, actions: Any, messages: Any) -> None:
        if data is not None and data.agent_data:
            self.tools.db.update(data.agent_data)
        for action in actions or []:
            getattr(self._kit(action.env_type), action.func_name)(**action.arguments)

    def make_tool_call(self, tool_name: str, requestor: str = "assistant", **arguments: Any) -> Any:
        tools = self._kit(requestor).tools()
        if tool_name not in tools:
            raise ValueError(f"Tool '{tool_name}' not found.")
        return tools[tool_name](**arguments)

    def get_response(self, call: ToolCall) -> ToolMessage:
        try:
            found = self.make_tool_call(call.name, call.requestor, **call.arguments)
        except Exception as error:
            return ToolMessage(f"Error: {error}", True)
        return ToolMessage(found if isinstance(found, str) else json.dumps(found), False)

    def get_db_hash(self) -> str:
        return json.dumps(self.tools.db, sort_keys=True)

    def get_user_db_hash(self) -> str | None:
        return json.dumps(self.user_tools.db, sort_keys=True) if self.user_tools else None

    def run_env_assertion(self, assertion: Any, raise_assertion_error: bool = True) -> bool:
        found = getattr(self._kit(assertion.env_type), assertion.func_name)(**assertion.arguments)
        return bool(found == assertion.assert_value)
