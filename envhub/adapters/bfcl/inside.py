"""The program that carries out BFCL's stateful functions.

``python inside.py ROOT`` imports the package's own classes from ROOT, a folder or a wheel with ``bfcl_eval`` in it, without
the rest of the package. Requests:

* ``{"open": CLASSES, "config": {...}}``: new instances.
* ``{"call": NAME, "arguments": {...}}``: answers the text of the result, as the package writes it.
* ``{"judge": TURNS}``: compares the instances with new ones on which the right calls of these turns were carried out.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
from copy import deepcopy
from typing import Any

_FOLDER = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
_STATELESS = "MathAPI"
FILES = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}
"""The module of each class."""


class Instances:
    """An instance of each class, and the results so far."""

    def __init__(self, classes: list[str], config: dict[str, Any]) -> None:
        self.by_class: dict[str, Any] = {}
        self.results: list[str] = []
        self._methods: dict[str, Any] = {}
        for name in classes:
            made = getattr(importlib.import_module(f"{_FOLDER}.{FILES[name]}"), name)()
            if name != _STATELESS:
                made._load_scenario(deepcopy(config.get(name, {})), long_context=False)
            self.by_class[name] = made
            for method, bound in inspect.getmembers(made, predicate=inspect.ismethod):
                if not method.startswith("_"):
                    self._methods[method] = bound

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """The text of a result; an exception is a result as well."""
        try:
            text = _written(self._methods[name](**arguments))
        except Exception as error:
            text = f"Error during execution: {error}"
        self.results.append(text)
        return text


def _written(result: Any) -> str:
    if isinstance(result, dict):
        try:
            return json.dumps(result)
        except (TypeError, ValueError):
            return str(result)
    return str(result)


def _same(mine: Any, right: Any) -> bool:
    public = (name for name in vars(right) if not name.startswith("_"))
    return all(getattr(mine, name) == getattr(right, name) for name in public)


def _judged(mine: Instances, classes: list[str], config: dict[str, Any], turns: list[Any]) -> dict[str, Any]:
    """Whether states are the same and the right results were seen."""
    right = Instances(classes, config)
    expected: list[str] = []
    for turn in turns:
        expected = [right.call(name, arguments) for name, arguments in turn]
    left = list(mine.results)
    seen = True
    for result in expected:
        if result in left:
            left.remove(result)
        else:
            seen = False
    return {"state": all(_same(mine.by_class[name], right.by_class[name]) for name in classes), "seen": seen}


def main() -> None:
    """Answer requests until the input ends."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "shared"))
    serving = importlib.import_module("serving")
    sys.path.insert(0, sys.argv[1])
    opened: dict[str, Any] = {}

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        if "open" in asked:
            opened.update(classes=asked["open"], config=asked["config"], mine=Instances(asked["open"], asked["config"]))
            return {}
        if "judge" in asked:
            return _judged(opened["mine"], opened["classes"], opened["config"], asked["judge"])
        return {"text": opened["mine"].call(asked["call"], asked["arguments"])}

    serving.serve(answer)


if __name__ == "__main__":
    main()
