"""Who plays: takes the turns of a script wherever it leads, and holds every answer to that of the undisturbed run.

A :class:`Table` has all players at it, over HTTP and over WebSockets; every answer that arrives is counted, and whoever kills
servers is told of each. ::

    table = Table(proxy.url, answered=killer)
    ids = await table.play(scripts)        # episode id of every line
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final

from envhub.client.env import AsyncRemoteEnv
from envhub.client.hub import AsyncHub
from envhub.client.requests import EpisodeTemplate
from envhub.core.errors import Conflict
from tests.chaos.scripts import Line, Script, told
from tests.chaos.socket_hub import SocketHub

_RETRIES: Final = 40
_SOCKETS: Final = 5
"""Of each kind, with ten players each: what is lost on one is lost by all who share it."""
_RIVAL_AT: Final = 5
_LONGEST_PAUSE_S: Final = 0.5


async def impatient(seconds: float) -> None:
    """Wait, but not for long: a connection that is cut costs all on it a try, and they would wait ever longer."""
    await asyncio.sleep(min(seconds, _LONGEST_PAUSE_S))


class Table:
    """All players.

    Args:
        url: Of the proxy.
        answered: Told of every answer that has arrived; the player goes on when it returns.
        pause: What is done for some seconds before something is asked again.

    Attributes:
        lines: What was played under which episode id.
        failures: What went wrong.
        open: How many were open when the first turn was taken.
    """

    def __init__(
        self, url: str, answered: Callable[[], Awaitable[None]], pause: Callable[[float], Awaitable[None]] = impatient
    ) -> None:
        self._url, self._answered, self._pause = url, answered, pause
        self.lines: dict[str, Line] = {}
        self.failures: list[str] = []
        self.open = 0

    async def play(self, scripts: Sequence[Script]) -> None:
        """Play them all at once; nobody takes a turn before all have begun.

        Half of them play over HTTP, the others over WebSockets: by our client, or by hand.
        """
        begun = asyncio.Barrier(len(scripts))
        async with AsyncExitStack() as stack:
            web = self._url.replace("http", "ws", 1)
            http, *ours = [
                await stack.enter_async_context(AsyncHub(url, retries=_RETRIES, sleep=self._pause))
                for url in (self._url, *[web] * _SOCKETS)
            ]
            by_hand = [await stack.enter_async_context(SocketHub(f"{web}/v1/ws", self._pause)) for _ in range(_SOCKETS)]
            hubs = [
                http if number % 2 else (by_hand if number % 4 else ours)[number // 4 % _SOCKETS]
                for number in range(len(scripts))
            ]
            await asyncio.gather(*(self._player(hub, script, begun) for hub, script in zip(hubs, scripts, strict=True)))

    async def _player(self, hub: Any, script: Script, begun: asyncio.Barrier) -> None:
        try:
            await self._play(hub, script, begun)
        except asyncio.BrokenBarrierError:
            self.failures.append(f"{script.env_id} {script.seed}: another player never came to begin")
        except Exception as error:
            self.failures.append(
                f"{script.env_id} {script.seed} over {type(hub).__name__}: {type(error).__name__}: {error}"
            )
            await begun.abort()

    async def _play(self, hub: Any, script: Script, begun: asyncio.Barrier) -> None:
        settings = dict(script.settings)
        template = EpisodeTemplate(script.env_id, settings.pop("difficulty"), "train", settings)
        env = AsyncRemoteEnv(hub, template)
        opening = await env.reset(seed=script.seed, options={"turn_seed": script.line.turn_seed})
        await self._arrived(env, script.line, "the opening", opening, script.line.opening)
        self.open += 1
        await begun.wait()
        if script.branch is None or script.fork_at is None:
            await self._turns(hub, env, script.line, 0)
            return
        await self._turns(hub, env, script.line, 0, script.fork_at)
        twin = await env.fork(script.branch.turn_seed)
        await self._arrived(twin, script.branch, "the fork", [], told([]))
        await asyncio.gather(
            self._turns(hub, env, script.line, script.fork_at), self._turns(hub, twin, script.branch, script.fork_at)
        )

    async def _turns(self, hub: Any, env: AsyncRemoteEnv, line: Line, start: int, end: int | None = None) -> None:
        """Take the turns from ``start`` on; at the end of the episode have its conversation told."""
        for number, turn in enumerate(line.turns[start:end], start):
            await self._arrived(env, line, f"turn {number}", await env.step(turn.action), turn.answer)
            if number % _RIVAL_AT == _RIVAL_AT - 1:
                await self._rival(hub, env, number, turn.action)
        if end is None:
            assert env.session.over
            await self._arrived(env, line, "the conversation", await env.messages(), line.messages)

    async def _rival(self, hub: Any, env: AsyncRemoteEnv, number: int, action: str) -> None:
        """Somebody who comes too late with another action for a turn is refused, whichever worker is asked."""
        _, path, _ = env.session.get()
        try:
            answer = await hub.call(("POST", f"{path}/step", {"turn": number, "action": f"not {action}"}))
        except Conflict:
            return
        raise AssertionError(f"turn {number} of {path} was taken again, with another action: {told(answer)[:600]}")

    async def _arrived(self, env: AsyncRemoteEnv, line: Line, what: str, answer: Any, wanted: str) -> None:
        episode_id = env.session.get()[1].rpartition("/")[2]
        assert self.lines.setdefault(episode_id, line) is line
        assert told(answer) == wanted, f"{what} of {episode_id} was answered {told(answer)[:600]}, not {wanted[:600]}"
        await self._answered()
