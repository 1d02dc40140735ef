"""A second executor of plans: it reads the text of PDDL that prompts show, and keeps the facts in a set.

It shares no code with the parser or the engine.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

Fact = tuple[str, ...]


def tree(text: str) -> Any:
    """A list in parentheses as nested lists."""
    python = re.sub(r"[^()\s]+", lambda word: f"'{word[0]}',", text).replace("(", "[").replace(")", "],")
    return ast.literal_eval(python.rstrip().removesuffix(","))


def typed(words: list[str]) -> dict[str, str]:
    found, waiting, rest = {}, [], list(words)
    while rest:
        word = rest.pop(0)
        if word == "-":
            kind = rest.pop(0)
            found.update(dict.fromkeys(waiting, kind))
            waiting = []
        else:
            waiting.append(word)
    return found


def literals(form: list[Any]) -> tuple[set[Fact], set[Fact]]:
    parts = form[1:]
    return {tuple(part) for part in parts if part[0] != "not"}, {tuple(part[1]) for part in parts if part[0] == "not"}


@dataclass
class Scene:
    """A domain and a problem, as their text says."""

    parents: dict[str, str]
    actions: dict[str, Any]
    objects: dict[str, str]
    facts: set[Fact]
    goal: set[Fact]

    @classmethod
    def read(cls, prompt: str) -> Scene:
        """The problem of a prompt that shows PDDL."""
        text = prompt.split("```pddl\n")[1].split("\n```")[0]
        domain, problem = (tree(part) for part in text.split("\n\n"))
        parents = typed(next((part[1:] for part in domain if part[0] == ":types"), []))
        actions = {part[1]: dict(zip(part[2::2], part[3::2], strict=True)) for part in domain if part[0] == ":action"}
        sections = {part[0]: part[1:] for part in problem[1:]}
        goal, _ = literals(sections.get(":goal", [["and"]])[0])
        return cls(parents, actions, typed(sections[":objects"]), set(map(tuple, sections[":init"])), goal)

    def is_a(self, name: str, wanted: str) -> bool:
        kind = self.objects.get(name)
        while kind is not None and kind != wanted:
            kind = self.parents.get(kind)
        return kind == wanted

    def act(self, step: Fact) -> bool:
        """Carry out an action; whether it was possible."""
        name, *arguments = step
        if name not in self.actions:
            return False
        action = self.actions[name]
        parameters = typed(action[":parameters"])
        if len(parameters) != len(arguments):
            return False
        if not all(self.is_a(each, kind) for each, kind in zip(arguments, parameters.values(), strict=True)):
            return False
        bound = dict(zip(parameters, arguments, strict=True))
        (needs, bars), (adds, deletes) = (
            tuple({tuple(bound.get(word, word) for word in fact) for fact in facts} for facts in literals(action[part]))
            for part in (":precondition", ":effect")
        )
        if not needs <= self.facts or bars & self.facts:
            return False
        self.facts = self.facts - deletes | adds
        return True

    def done(self) -> bool:
        """Whether the goal holds."""
        return self.goal <= self.facts
