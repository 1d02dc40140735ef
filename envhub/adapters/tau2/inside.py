"""The program in the checkout's interpreter: the tools of a domain.

``python inside.py CHECKOUT`` reads one JSON object a line and answers each with one line. It uses the standard library and
the checkout alone, and sets limits on its memory, on files and on the CPU time of a request. What the tools print is dropped.

* ``{"open": DOMAIN, "start": INITIAL_STATE}``: a new environment. Answers its policy and tools.
* ``{"call": NAME, "by": "assistant" | "user", "arguments": {...}}``: answers the text, and whether it is an error.
* ``{"judge": CRITERIA, "start": INITIAL_STATE}``: compares the environment with one in which the given actions were carried
  out.
"""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import Any


class Desk:
    """An environment of tau2 in a domain."""

    def __init__(self, domain: str, start: Any) -> None:
        self.domain = domain
        self.environment = self._new(start)

    def _new(self, start: Any) -> Any:
        environment = importlib.import_module(f"tau2.domains.{self.domain}.environment").get_environment()
        if start:
            states = importlib.import_module("tau2.data_model.tasks")
            given = states.InitialState.model_validate(start)
            environment.set_state(given.initialization_data, given.initialization_actions, given.message_history or [])
        else:
            environment.sync_tools()
        return environment

    def described(self) -> dict[str, Any]:
        """The policy, and the tools of both sides."""
        own = [tool.openai_schema["function"] for tool in self.environment.get_tools()]
        theirs = self.environment.user_tools
        users = [tool.openai_schema["function"] for tool in self.environment.get_user_tools()] if theirs else []
        return {"policy": self.environment.get_policy(), "tools": own, "user_tools": users}

    def call(self, name: str, by: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Carry out a call, like tau2: an exception is the answer."""
        messages = importlib.import_module("tau2.data_model.message")
        try:
            call = messages.ToolCall(id="1", name=name, arguments=arguments, requestor=by)
            answer = self.environment.get_response(call)
        except Exception as error:  # an answer that cannot be written, or arguments that cannot be read
            return {"text": f"Error: {type(error).__name__}", "error": True}
        return {"text": str(answer.content), "error": bool(answer.error)}

    def judge(self, criteria: dict[str, Any], start: Any) -> dict[str, Any]:
        """Whether the databases are right, and which assertions hold."""
        gold = self._new(start)
        for action in criteria["actions"]:
            by = action.get("requestor") or "assistant"
            try:
                gold.make_tool_call(tool_name=action["name"], requestor=by, **action["arguments"])
            except MemoryError:  # the limit of this process, not the action's doing
                raise
            except Exception:  # tau2 ignores a failed reference action, too
                continue
        mine = self.environment
        same = (gold.get_db_hash(), gold.get_user_db_hash()) == (mine.get_db_hash(), mine.get_user_db_hash())
        kind = importlib.import_module("tau2.data_model.tasks").EnvAssertion
        held = [_holds(mine, kind.model_validate(each)) for each in criteria["assertions"]]
        return {"db": same, "assertions": held}


def _holds(environment: Any, assertion: Any) -> bool:
    """Whether an assertion holds; one about what does not exist does not."""
    try:
        return bool(environment.run_env_assertion(assertion, raise_assertion_error=False))
    except MemoryError:  # a failure of the machine, not of the policy
        raise
    except Exception:  # such as a task that was never created
        return False


def _load(checkout: str) -> None:
    """Make the package importable without its ``__init__``.

    That imports clients of models.
    """
    home = os.path.join(checkout, "src")
    sys.path.insert(0, home)
    package = ModuleType("tau2")
    package.__path__ = [os.path.join(home, "tau2")]
    sys.modules["tau2"] = package


def _answer(desk: Desk | None, asked: dict[str, Any]) -> tuple[Desk | None, dict[str, Any]]:
    if "open" in asked:
        desk = Desk(asked["open"], asked.get("start"))
        return desk, desk.described()
    if desk is None:
        raise ValueError("no domain is open")
    if "judge" in asked:
        return desk, desk.judge(asked["judge"], asked.get("start"))
    return desk, desk.call(asked["call"], asked["by"], asked["arguments"])


def main() -> None:
    """Answer requests until the input ends."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "shared"))
    serving = importlib.import_module("serving")
    _load(sys.argv[1])
    desk: Desk | None = None

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        nonlocal desk
        desk, found = _answer(desk, asked)
        return found

    serving.serve(answer)


if __name__ == "__main__":
    main()
