"""PettingZoo AEC environments for envhub games with several seats.

::

    from envhub.adapters.pettingzoo import aec
    env = aec("kuhn-poker-v0", difficulty=3)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(observation.get("action_mask")))

Rules, tasks and seeds are envhub's (``opponent="self"``): a seed gives the same task and the same randomness.

* **Agents** are ``player_0``, ``player_1`` ... by seat. Simultaneous choices are made one after the other and revealed
  once all are made.
* **Observations** are a dictionary: ``text``, what the agent's seat may see, cut only above the game's
  ``max_observation_chars``; ``observation``, the same as UTF-8 bytes padded with zeros or cut to a fixed length; and
  ``action_mask`` where moves can be listed.
  ``env.prompt(agent)`` is the prompt for a language model, ``info["told"]`` the feedback after an illegal move or at
  the end.
* **Actions** are numbers of ``env.moves`` where a game lists its moves, and text as a policy would write it otherwise;
  every game accepts text. An illegal move gets feedback, and loses once the game's free messages are used up.
* **Rewards** are the payoffs, once, at the end; 0 before. If the turns run out, every seat gets the minimum payoff.
* **A game that could not be judged** raises :class:`envhub.core.errors.JudgementError`.

Source: PettingZoo 1.27 ``utils/env.py`` and ``test/api_test.py``, which all games pass.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces

from envhub.authoring.game import Game
from envhub.authoring.wording import PLAIN, read_wording
from envhub.core.difficulty import rebuild
from envhub.core.errors import EpisodeOver, InvalidAction, InvalidParameters, JudgementError, MissingExtra
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.gymnasium.env import Env
from envhub.gymnasium.space import TextSpace
from envhub.making import make
from envhub.registry.registry import load, spec
from envhub.verifiers.answers.types import AnswerType

try:
    from pettingzoo import AECEnv
except ImportError as error:
    raise MissingExtra(f"PettingZoo is needed: pip install 'envhub[pettingzoo]' ({error}).") from error

__all__ = ["GameAEC", "MoveSpace", "aec"]

_BYTES: Final = 2048


class MoveSpace(TextSpace):
    """Text of limited length. Samples are well-formed moves, not always legal.

    Args:
        answer: Answer type of a move.
        max_length: Maximum length in characters.
    """

    def __init__(self, answer: AnswerType, max_length: int) -> None:
        super().__init__(max_length)
        self._answer = answer

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> str:
        """A random well-formed move.

        Raises:
            ValueError: A mask was given; text has none.
        """
        if mask is not None or probability is not None:
            raise ValueError("A space of text cannot be masked.")
        return self._answer.random(Stream(self.np_random.bytes(16), "sample"))


def aec(
    id: str, *, difficulty: int = 1, split: str = "train", observation_bytes: int = _BYTES, **params: Any
) -> GameAEC:
    """A game as an AEC environment.

    Args:
        id: Game id, such as ``kuhn-poker-v0``.
        difficulty: 1..10, for the task's parameters; the level's opponent is not used, since every seat is an agent.
        split: ``train``, ``validation`` or ``test``.
        observation_bytes: Length of ``observation``.
        params: Parameters of the game, and options as for :func:`envhub.make`, such as ``wording``.

    Raises:
        UnknownEnvironment: The environment does not exist.
        InvalidParameters: It is not a game with two or more seats, or a parameter is invalid.
    """
    cls = load(spec(id))
    if not (issubclass(cls, Game) and cls.seats > 1):
        raise InvalidParameters(f"{id} must be a game with more than one seat to have an AEC view.")
    for name in ("opponent", "slips", "seat"):
        if name in params:
            raise InvalidParameters(f"Every seat is an agent here: there is no parameter {name!r}.")
    return GameAEC(make(id, difficulty=difficulty, split=split, opponent="self", slips=0, **params), observation_bytes)


class GameAEC(AECEnv):  # type: ignore[misc]
    """One game with its seats as agents; created by :func:`aec`.

    Args:
        env: The game, with the opponent ``self``.
        observation_bytes: Length of ``observation``.

    Attributes:
        env: The envhub game, with its task and oracle.
        moves: Moves by action number; None where actions are text.
    """

    render_mode: str | None = "ansi"

    def __init__(self, env: Env, observation_bytes: int = _BYTES) -> None:
        super().__init__()
        self.env, self._bytes = env, observation_bytes
        env.reset(seed=0)  # one task, to get the parameters
        task, game = env.task, self._game
        self.metadata = {"name": task.env_id, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        listed = game.moves(rebuild(game.Params, task.params))
        self.moves = None if listed is None else list(listed)
        self._numbers = {move: number for number, move in enumerate(self.moves or ())}
        self._observation_spaces = {agent: self._seen_space() for agent in self.possible_agents}
        self._action_spaces = {agent: self._act_space() for agent in self.possible_agents}
        self.agents: list[str] = []

    @property
    def _game(self) -> Game:
        environment = self.env.environment
        assert isinstance(environment, Game)
        return environment

    @property
    def _inst(self) -> Instance:
        return self.env.episode.instance

    def _seen_space(self) -> spaces.Dict:
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, 255, (self._bytes,), np.uint8),
            "text": TextSpace(self._game.max_observation_chars),
        }
        if self.moves is not None:
            parts["action_mask"] = spaces.Box(0, 1, (len(self.moves),), np.int8)
        return spaces.Dict(parts)

    def _act_space(self) -> spaces.Space[Any]:
        if self.moves is not None:
            return spaces.Discrete(len(self.moves))
        return MoveSpace(self._game.answer, self._game.max_action_chars)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Dictionary space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Space of action numbers (:attr:`moves`), or text."""
        return self._action_spaces[agent]

    # -- the episode ---------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: Seed of the task; None continues the sequence that the last given seed started.
            options: ``{"turn_seed": k}``: other per-turn randomness with the same task; other options are ignored.

        Raises:
            InvalidParameters: The seed or the turn seed is not valid.
        """
        turn_seed = (options or {}).get("turn_seed")
        _, info = self.env.reset(seed=seed, options=None if turn_seed is None else {"turn_seed": turn_seed})
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[int(info["player"])]

    def step(self, action: int | np.integer[Any] | str | None) -> None:
        """Make the selected agent's move; None if its game is over.

        Raises:
            EpisodeOver: No agent is left.
            InvalidAction: The action is neither text nor a move number.
            JudgementError: The game could not be judged.
        """
        if not self.agents:
            raise EpisodeOver("The game is over, and all agents have left. Call reset().")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        text = self._text(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        said, _, terminated, truncated, info = self.env.step(text)
        if terminated or truncated:
            self._finish(said, info, terminated, truncated)
        else:
            mover = self.possible_agents[int(info["player"])]
            self.infos = {name: {} for name in self.agents}
            if mover == agent:
                self.infos[mover] = {"told": said}  # feedback after an illegal move
            self.agent_selection = mover
        self._accumulate_rewards()

    def _text(self, action: Any) -> str:
        """An action as envhub text."""
        if isinstance(action, str):
            return action
        if self.moves is None or isinstance(action, bool) or not hasattr(action, "__index__"):
            raise InvalidAction(f"An action is text{'' if self.moves is None else ' or a number'}, got {action!r}.")
        number = action.__index__()
        if not 0 <= number < len(self.moves):
            raise InvalidAction(f"An action is a number 0..{len(self.moves) - 1}, got {number}.")
        return self._game.answer.wrap(self._game.write_move(self.moves[number]))

    def _finish(self, said: str, info: dict[str, Any], terminated: bool, truncated: bool) -> None:
        """Pay all seats."""
        if "error" in info:
            raise JudgementError(f"{info['error']['code']}: {info['error']['reason']}")
        verdict = info["verdict"]
        paid = info.get("payoffs", [verdict["payoff"]] * len(self.possible_agents))
        for agent, payoff in zip(self.possible_agents, paid, strict=True):
            self.rewards[agent] = float(payoff)
            self.terminations[agent], self.truncations[agent] = terminated, truncated
            self.infos[agent] = {"told": verdict["feedback"], "illegal": verdict["components"]["illegal"]}
        self.infos[self.agent_selection]["told"] = said

    # -- observations --------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """An agent's current view.

        The mask is all 0 unless it is to move.
        """
        seat, s = self.possible_agents.index(agent), self.env.episode.state.s
        text = self._game.observe(self._inst, s, seat)[: self._game.max_observation_chars]
        raw = text.encode()[: self._bytes]
        seen: dict[str, Any] = {"observation": np.zeros(self._bytes, np.uint8), "text": text}
        seen["observation"][: len(raw)] = np.frombuffer(raw, np.uint8)
        if self.moves is not None:
            mask = np.zeros(len(self.moves), np.int8)
            if not self.env.episode.over and self._game.to_move(s) == seat:
                mask[[self._numbers[move] for move in self._game.legal(self._inst, s)]] = 1
            seen["action_mask"] = mask
        return seen

    def prompt(self, agent: str) -> str:
        """The rules, the agent's seat, and the format of a move."""
        game, problem = self._game, self.env.task.problem
        wording, book = read_wording(self.env.task.wording) or PLAIN, game.rulebook(problem)
        rules = game.rules(problem) if book is None else book.text(wording)
        name = game.seat_name(problem, self.possible_agents.index(agent))
        limit, values = game.limit(problem)
        return f"{rules}\n\nYou play {name}. {wording.pick(limit).format_map(values)}\n\n{game.format_sentence}"

    def render(self) -> str:
        """The conversation so far, of all seats."""
        return self.env.render()

    def close(self) -> None:
        """Release the game's resources."""
        self.env.close()
