"""OpenEnv's own client against a server: ``python openenv_play.py URL SESSIONS`` in a virtual environment with openenv.

Every session plays guess-number-v0 by halving, at levels and seeds of its own, all sessions at once. What it prints is JSON:
for each session what it asked, what it did, and what it was answered.
"""

import asyncio
import json
import sys

from openenv.core import GenericEnvClient


async def play(url, number):
    """One session: an episode to its end, and a second one on the same connection."""
    episodes = []
    async with GenericEnvClient(base_url=f"{url}/openenv/guess-number-v0") as client:
        for seed in (number, 1000 + number):
            asked = {"seed": seed, "difficulty": 1 + number % 3, "split": "test", "params": {"low": 1, "high": 60}}
            result = await client.reset(**asked)
            low, high, actions, rewards, seen = 1, 60, [], [result.reward], [result.observation["message"]]
            while not result.done:
                middle = (low + high) // 2
                actions.append(f"<answer>{middle}</answer>")
                result = await client.step({"message": actions[-1]})
                rewards.append(result.reward)
                seen.append(result.observation["message"])
                low, high = (middle + 1, high) if "higher" in seen[-1] else (low, middle - 1)
            state = await client.state()
            episodes.append(
                {"asked": asked, "actions": actions, "rewards": rewards, "seen": seen, "steps": state["step_count"]}
            )
    return episodes


async def misuse(url):
    """What the client makes of mistakes: the message of every exception."""
    said = []
    async with GenericEnvClient(base_url=f"{url}/openenv/guess-number-v0") as client:
        for work in (
            lambda: client.step({"message": "1"}),
            lambda: client.reset(dificulty=3),
            lambda: client.reset(difficulty=99),
            lambda: client.reset(params={"hihg": 3}),
        ):
            try:
                await work()
            except RuntimeError as error:
                said.append(str(error))
        result = await client.reset(seed=1)  # and the session is as good as before
        said.append(result.observation["message"][:10])
    try:
        async with GenericEnvClient(base_url=f"{url}/openenv/gess-number-v0") as client:
            await client.reset()
    except RuntimeError as error:
        said.append(str(error))
    return said


async def main(url, sessions):
    """Everything, at once."""
    played = await asyncio.gather(*(play(url, number) for number in range(sessions)))
    print(json.dumps({"played": played, "misuse": await misuse(url)}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
