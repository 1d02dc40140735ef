"""Record what OpenEnv's client and a server say to each other: ``python openenv_record.py URL FILE``, with openenv installed.

The client plays through a relay that writes every message down. tests/server/protocols/test_openenv.py says the client's part
again and compares the answers.
"""

import asyncio
import json
import sys
from contextlib import suppress

from openenv.core import GenericEnvClient
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve

PATH = "/openenv/guess-number-v0"


async def play(url):
    """An episode that is won, one that is given up for the next, mistakes, and the end."""
    client = GenericEnvClient(base_url=f"{url}{PATH}")
    await client.connect()
    result = await client.reset(seed=7, difficulty=1, split="test", episode_id="first")
    low, high = 1, 200
    while not result.done:
        guess = (low + high) // 2
        result = await client.step({"message": f"<answer>{guess}</answer>"})
        low, high = (guess + 1, high) if "higher" in result.observation["message"] else (low, guess - 1)
    await client.state()
    await client.reset(seed=8, params={"low": 1, "high": 4}, episode_id="second")
    await client.step({"message": "no guess"})
    await client.reset(seed=9, episode_id="third", answer_format="boxed", reward={"accuracy": 2.0})
    await client.state()
    for mistake in ({"massage": "1"}, {"message": 7}, {"type": "call_tool", "tool_name": "x"}):
        with suppress(RuntimeError):
            await client.step(mistake)
    await client.close()


async def main(url, file):
    """Relay one connection."""
    said = []

    async def relay(theirs):
        async with connect(f"{url.replace('http', 'ws')}{theirs.request.path}") as ours:

            async def back():
                async for message in ours:
                    said.append({"from": json.loads(message)})
                    await theirs.send(message)

            task = asyncio.create_task(back())
            async for message in theirs:
                said.append({"to": json.loads(message)})
                await ours.send(message)
            await task

    async with serve(relay, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        await play(f"http://127.0.0.1:{port}")
    with open(file, "w") as out:
        json.dump(said, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
