"""The side of TextWorld that runs in a process of its own.

Its interpreter is a library in C that may end the process, so only :mod:`envhub.adapters.shared.library_process` calls
these functions. A game is its JSON text and its compiled Z-machine file; both come as values, never as paths.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from typing import Any, Final

import textworld
from textworld.challenges import CHALLENGES
from textworld.generator import compile_game

_PROMPT: Final = re.compile(r"\n>[^\n]*\Z")
_AT_THE_END: Final = "Would you like to RESTART"
_ROOM: Final = "-= "
_SERIAL: Final = slice(0x12, 0x18)
"""Where a Z-machine file has the date of its making."""
_INFOS: Final = {
    "admissible_commands": True,
    "policy_commands": True,
    "score": True,
    "moves": True,
    "won": True,
    "lost": True,
}
_playing: dict[str, Any] = {}


def generated(kind: str, settings: dict[str, Any], brief: bool, seed: int) -> str:
    """The JSON text of a new game.

    Args:
        kind: ``quest``, or the name of a challenge without ``tw-``.
        settings: Of the challenge; for ``quest`` the attributes of ``GameOptions``.
        brief: Whether the goal names the last step alone.
        seed: Of TextWorld's generators.
    """
    options = textworld.GameOptions()
    options.seeds = seed
    options.grammar.only_last_action = brief
    if kind == "quest":
        for name, value in settings.items():
            setattr(options, name, value)
        game = textworld.generator.make_game(options)
    else:
        game = CHALLENGES[f"tw-{kind}"][1](settings, options)
    return json.dumps(game.serialize(), sort_keys=True)


def compiled(text: str) -> bytes:
    """The Z-machine file of a game, without the date of its making."""
    with tempfile.TemporaryDirectory() as folder:
        options = textworld.GameOptions()
        options.path = os.path.join(folder, "game.z8")
        path = compile_game(textworld.Game.deserialize(json.loads(text)), options)
        with open(path, "rb") as file:
            story = file.read()
    return story[: _SERIAL.start] + b"0" * 6 + story[_SERIAL.stop :]


def solution(text: str) -> list[str] | None:
    """The commands of TextWorld's own solution, if it knows one.

    None if the text is not a game.
    """
    try:
        game = textworld.Game.deserialize(json.loads(text))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None
    return [str(command) for command in game.walkthrough or ()]


def opened(story: bytes, text: str) -> dict[str, Any]:
    """Begin a game, and end the one before."""
    closed()
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "game.z8")
    with open(path, "wb") as file:
        file.write(story)
    with open(path.replace(".z8", ".json"), "w") as written:
        written.write(text)
    env = textworld.start(path, textworld.EnvInfos(**_INFOS))
    env.seed(0)
    state = env.reset()
    game = state["game"]
    _playing.update(folder=folder, env=env)
    view = _tidy(state.feedback)
    most = int(game.max_score) if game.max_score != float("inf") else 0
    about = {"view": view[view.find(_ROOM) :] if _ROOM in view else view, "objective": game.objective, "most": most}
    return {**about, "verbs": sorted(set(game.verbs)), "commands": list(state.admissible_commands)}


def step(command: str) -> dict[str, Any]:
    """Carry out a command.

    ``won`` and ``lost`` are said by the interpreter; ``tracked``, that all quests are completed, follows from the game's logic.
    """
    state, _, _ = _playing["env"].step(command)
    said = {"text": _tidy(state.feedback), "score": int(state.score or 0), "commands": list(state.admissible_commands)}
    tracked = bool(state["_game_progression"].completed)
    return {**said, "won": bool(state.won), "lost": bool(state.lost), "tracked": tracked}


def closed() -> None:
    """End the game that is played."""
    env, folder = _playing.pop("env", None), _playing.pop("folder", None)
    if env is not None:
        env.close()
    if folder is not None:
        folder.cleanup()


def _tidy(text: str) -> str:
    """What the game says, without its prompt, status line and blank lines."""
    said = _PROMPT.sub("", text).partition(_AT_THE_END)[0]
    lines = [line.rstrip() for line in said.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
