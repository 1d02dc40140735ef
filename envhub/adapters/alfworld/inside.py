"""The side of ALFWorld that runs in a process of its own.

Games are played by TextWorld's engine for PDDL and Fast Downward, a library in C++, and named as ALFWorld names things. Only
:mod:`envhub.adapters.shared.library_process` calls these functions. The goal is judged a second time by our own evaluator.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, Final

import alfworld.info
import textworld
from alfworld.agents.utils.misc import Demangler, add_task_to_grammar
from textworld.envs import PddlEnv
from textworld.envs.pddl import textgen

from envhub.adapters.alfworld import grammar
from envhub.adapters.alfworld.goals import Goal

_GREETING: Final = "-= Welcome to TextWorld, ALFRED! =-"
_playing: dict[str, Any] = {}


def _derive(symbol: Any, context: Any = None) -> list[Any]:
    try:
        found = grammar.evaluated(symbol.expression.strip(), (context or symbol.context)["variables"])
    except ValueError as error:  # which TextWorld would take for a command that is not possible
        raise RuntimeError(str(error)) from error
    return [textgen.TerminalSymbol(found)]


textgen.EvalSymbol.derive = _derive  # which would evaluate Python


class _Named(textworld.core.Wrapper):  # type: ignore[misc]
    """Names and numbers things as ALFWorld does, by their ids."""

    def load(self, *arguments: Any, **options: Any) -> None:
        """Load a game and name its things."""
        super().load(*arguments, **options)
        names = Demangler(game_infos=self._entity_infos, shuffle=False)
        for info in self._entity_infos.values():
            info.name = names.demangle_alfred_name(info.id).strip()


def completed(problem: str, trajectory: str) -> str | None:
    """The game of a problem and a trajectory, made as ALFWorld does.

    The wording of its goal is always the same. None if the trajectory does not say what ALFWorld needs.
    """
    random.seed(0)  # which wording of the goal is taken
    template = Path(alfworld.info.ALFRED_TWL2_PATH).read_text()
    try:
        rules = add_task_to_grammar(template, json.loads(trajectory))
    except (LookupError, TypeError, ValueError, AttributeError):
        return None
    domain = Path(alfworld.info.ALFRED_PDDL_PATH).read_text()
    return json.dumps({"pddl_domain": domain, "grammar": rules, "pddl_problem": problem}, sort_keys=True)


def opened(text: str, plan: bool = False) -> dict[str, Any]:
    """Begin a game, and end the one before.

    ``refused`` says why it cannot be played.

    Args:
        text: The content of a ``game.tw-pddl``.
        plan: Whether to find a plan.
    """
    closed()
    try:
        data = json.loads(text)
        parts = {name: str(data[name]) for name in ("pddl_domain", "grammar", "pddl_problem")}
        goal = Goal(parts["pddl_problem"])
    except (KeyError, TypeError, ValueError) as error:
        return {"refused": f"it is not a game of ALFWorld: {type(error).__name__}: {error}"}
    wrong = grammar.fault(parts["grammar"])
    if wrong is not None:
        return {"refused": wrong}
    env = _Named(PddlEnv(textworld.EnvInfos(admissible_commands=True, policy_commands=plan, won=True)))
    try:
        env.load(parts)
        state = env.reset()
    except (LookupError, RuntimeError) as error:  # the planner removed what the goal needs; or a hidden expression
        return {"refused": f"it cannot be started, or its goal cannot be reached: {type(error).__name__}: {error}"}
    _playing.update(env=env, goal=goal)
    view = state.feedback.replace(_GREETING, "").strip()
    start = {"view": view, "commands": list(state.admissible_commands), "won": bool(state["won"]) or _won(state)}
    return {**start, "plan": list(state["policy_commands"])} if plan else start


def solution(text: str) -> list[str] | None:
    """A plan that was carried out and won; None without one.

    It is the walkthrough of the game if that wins, else Fast Downward's plan.
    """
    walkthrough = json.loads(text).get("walkthrough")
    if isinstance(walkthrough, list) and all(isinstance(command, str) for command in walkthrough):
        opened(text)
        if _wins(walkthrough):
            return walkthrough
    plan = opened(text, plan=True)["plan"]
    opened(text)
    return plan if _wins(plan) else None


def step(command: str) -> dict[str, Any]:
    """Carry out a command.

    ``won`` is said by Fast Downward, and ``tracked`` by our own judge of the goal.
    """
    state, _, _ = _playing["env"].step(command)
    won = bool(state["won"])
    said = {"text": state.feedback.strip(), "score": int(won), "commands": list(state.admissible_commands)}
    return {**said, "won": won, "tracked": _won(state), "lost": False}


def closed() -> None:
    """End the game that is played."""
    _playing.clear()


def _wins(commands: list[str]) -> bool:
    for number, command in enumerate(commands, 1):
        said = step(command)
        if said["won"] and said["tracked"]:
            return number == len(commands)
    return False


def _won(state: Any) -> bool:
    facts = {(fact.name.lower(), *(term.name.lower() for term in fact.arguments)) for fact in state["_facts"]}
    found: bool = _playing["goal"].holds(facts)
    return found
