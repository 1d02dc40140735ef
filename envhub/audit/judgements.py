"""Recorded judgements: digests of scripted episodes.

They detect changes of rules or verifiers. The audit's checks test whether judging is sound, but cannot know every rule
of a game. A digest of the environment's responses to fixed scripts (right, half right, random, wrong) changes with any
rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import chain, islice
from typing import Any, Final

from envhub.audit.controls import perturbed
from envhub.audit.reading import inner
from envhub.audit.subject import Subject, oracle_actions
from envhub.authoring import SingleTurn, ToolEnv
from envhub.core.seeding import Stream, canonical_json
from envhub.core.tools import write_call
from envhub.core.types import JSON
from envhub.gymnasium.env import Env

_LEVELS: Final = (1, 5, 10)
_SEEDS: Final = (50, 51)
_NEAR: Final = 12
_TURNS: Final = 40
_NOTHING: Final = "zzzzz"
_LAST: Final = re.compile(r"\{.*\}", re.DOTALL)
_WORD: Final = re.compile(r"\w[\w-]*\w|\w")


def recorded(subject: Subject) -> bool:
    """Whether judgements of an environment are recorded.

    They are not if a kernel, sandbox or judge is used.
    """
    return not set(subject.environment.required()) - {"opponent"}


def judgements(id: str) -> dict[str, str]:
    """A digest of scripted episodes for levels 1, 5 and 10."""
    subject = Subject(id)
    return {str(level): _digest(subject, level) for level in _LEVELS} if recorded(subject) else {}


def _digest(subject: Subject, level: int) -> str:
    said: list[JSON] = []
    for seed in _SEEDS:
        env = subject.started(level, seed)
        for number, script in enumerate(_scripts(env, subject, level)):
            twin = env.fork(turn_seed=number)
            said.append([_shown(twin, action) for action in _until_over(twin, script(twin))])
    return blake2b(canonical_json(said), digest_size=8).hexdigest()


def _shown(env: Env, action: str) -> JSON:
    turn = env.episode.step(action)
    verdict = None if turn.verdict is None else turn.verdict.to_json()
    return [action, turn.observation, verdict, turn.info.get("rejected")]


def _until_over(env: Env, actions: Iterator[str]) -> Iterator[str]:
    """The actions up to the one that ends the episode."""
    for _ in range(_TURNS):
        if env.episode.turns and env.episode.turns[-1].verdict is not None:
            return
        action = next(actions, None)
        if action is None:
            return
        yield action


def _scripts(env: Env, subject: Subject, level: int) -> Iterator[Callable[[Env], Iterator[str]]]:
    yield lambda env: _mixed(env, 0)
    if not isinstance(env.environment, SingleTurn):
        yield lambda env: _mixed(env, 4)
        yield lambda env: _mixed(env, 1)
        yield lambda env: _legal(env)
    if isinstance(env.environment, ToolEnv):
        yield lambda env: _explored(env)
    if isinstance(env.environment, ToolEnv):
        yield from (lambda env, script=script: iter(script) for script in chain(_nearly(env), _wasted(env)))
        return
    rng = Stream(b"audit", "judgements")
    right, answer = inner(env), env.environment.answer
    other = inner(subject.started(level, _SEEDS[-1] + 1))
    near = chain([other], perturbed(right), (answer.near(right, rng) for _ in range(_NEAR)))
    wrong = env.environment.mistakes(env.episode.instance) if isinstance(env.environment, SingleTurn) else ()
    texts = [answer.wrap(text) for text in chain(islice(near, 2 * _NEAR), islice(wrong, 2 * _NEAR))]
    if isinstance(env.environment, SingleTurn):
        yield from (lambda env, text=text: iter([text]) for text in texts)
    else:
        yield lambda env: iter(["", *texts])


def _mixed(env: Env, every: int) -> Iterator[str]:
    """The oracle, with one action in ``every`` random on average."""
    rng = Stream(b"audit", "judgements", every)
    while True:
        yield env.random_action(rng) if every and rng.below(every) == 0 else env.solve()


def _explored(env: Env) -> Iterator[str]:
    """Calls of tools that do not end the episode.

    Their arguments come from earlier observations.
    """
    rng = Stream(b"audit", "judgements", "tools")
    tools = _tools(env)
    while tools:
        shown = env.episode.turns[-1].observation if env.episode.turns else env.task.prompt
        yield _call(rng.choice(tools), shown, rng)


def _wasted(env: Env) -> Iterator[list[str]]:
    """The end of the episode after one call that shows nothing new."""
    rng = Stream(b"audit", "judgements", "wasted")
    last = oracle_actions(env.fork())[-1]
    yield from ([_call(tool, _NOTHING, rng), last] for tool in _tools(env))


def _tools(env: Env) -> list[JSON]:
    """Tools that do not end the episode."""
    assert isinstance(env.environment, ToolEnv)
    last = oracle_actions(env.fork())[-1]
    tools = [tool["function"] for tool in env.environment.tools_for(env.task.problem)]
    return [tool for tool in tools if f'"{tool["name"]}"' not in last]


def _call(tool: JSON, shown: str, rng: Stream) -> str:
    return write_call(tool["name"], **_value(tool["parameters"], shown, rng))


def _nearly(env: Env) -> Iterator[list[str]]:
    """The oracle's calls with one value of the last call changed.

    The value is a text or a number.
    """
    *before, last = oracle_actions(env.fork())
    found = _LAST.search(last)
    call = json.loads(found[0]) if found else {}
    for name, value in call.get("arguments", {}).items():
        text = str(value)
        said = (f"perhaps {text}", f"the old {text} there", f"the {text.upper()}.", "x " * 13)
        for other in (*said, *islice(perturbed(text), _NEAR)):
            if isinstance(value, str):
                changed = json.dumps({**call, "arguments": {**call["arguments"], name: other}})
                yield [*before, last.replace(found[0] if found else "", changed)]


def _value(schema: JSON, shown: str, rng: Stream) -> Any:
    """A value that mostly matches a schema."""
    kind = schema.get("type")
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if kind == "object":
        return {name: _value(inner, shown, rng) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [_value(schema.get("items", {}), shown, rng)]
    if kind == "boolean":
        return rng.below(2) == 1
    if kind in ("integer", "number"):
        least = schema.get("minimum", 0)
        return rng.between(least, max(least, min(schema.get("maximum", least + 3), least + 3)))
    words = _WORD.findall(shown)
    heads = [match[0] for match in map(_WORD.search, shown.splitlines()) if match]
    return rng.choice(rng.choice((heads, words))) if words else "x"


def _legal(env: Env) -> Iterator[str]:
    """The legal answers in turn, starting with the last."""
    environment = env.environment
    number = 0
    while legal := environment.legal_answers(env.episode.instance, env.episode.state):
        number += 1
        yield environment.answer.wrap(legal[-number % len(legal)])
