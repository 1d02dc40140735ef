"""tau2's own evaluator on conversations: run by the interpreter of a checkout, one JSON object a line.

``python their_evaluator.py CHECKOUT`` reads ``{"domain": ..., "task": {...}, "calls": [[by, name, arguments], ...]}``. The
answer ``{"reward": ...}`` is that of the environment's evaluator, on the basis of the task.
"""

import importlib
import json
import os
import sys
from types import ModuleType

checkout = sys.argv[1]
sys.path.insert(0, os.path.join(checkout, "src"))
package = ModuleType("tau2")
package.__path__ = [os.path.join(checkout, "src", "tau2")]
sys.modules["tau2"] = package
answers = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
messages = importlib.import_module("tau2.data_model.message")
Task = importlib.import_module("tau2.data_model.tasks").Task
Evaluator = importlib.import_module("tau2.evaluator.evaluator_env").EnvironmentEvaluator
for line in sys.stdin:
    asked = json.loads(line)
    task = Task.model_validate(asked["task"])
    new = importlib.import_module(f"tau2.domains.{asked['domain']}.environment").get_environment
    live = new()
    start = task.initial_state
    if start is not None:
        live.set_state(start.initialization_data, start.initialization_actions, start.message_history or [])
    history = list(start.message_history or []) if start is not None else []
    for number, (by, name, arguments) in enumerate(asked["calls"]):
        call = messages.ToolCall(id=str(number), name=name, arguments=arguments, requestor=by)
        kind = messages.UserMessage if by == "user" else messages.AssistantMessage
        history += [kind(role=by, content=None, tool_calls=[call]), live.get_response(call)]
    try:
        found = {"reward": Evaluator.calculate_reward(lambda solo_mode=False, new=new: new(), task, history).reward}
    except Exception as error:
        found = {"error": f"{type(error).__name__}: {error}"}
    answers.write(json.dumps(found) + "\n")
    answers.flush()
