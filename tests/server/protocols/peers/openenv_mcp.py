"""OpenEnv's own client of tools against a server: ``python openenv_mcp.py URL``, the plays on stdin, with openenv installed.

A play is an environment, what its reset takes, and calls: each the name of a tool and its arguments. Every play is done three
times at once: calls over HTTP ``/mcp`` in the session of a WebSocket, calls as messages ``mcp`` of that WebSocket, and calls as
steps, which alone have rewards in this client. What it prints is JSON.
"""

import asyncio
import json
import sys

from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.mcp_client import MCPToolClient


async def over_http(url, play):
    """MCPToolClient.call_tool; the reward stands in the state of the session."""
    async with MCPToolClient(base_url=f"{url}/openenv/{play['env_id']}") as client:
        before = [tool.name for tool in await client.list_tools(use_cache=False)]
        await client.reset(**play["reset"])
        tools = [tool.model_dump() for tool in await client.list_tools(use_cache=False)]
        seen = [await client.call_tool(name, **arguments) for name, arguments in play["calls"]]
        state = (await client._send_and_receive({"type": "state"}))["data"]
        try:
            after = await client.call_tool(play["calls"][0][0])
        except RuntimeError as error:
            after = str(error)
        return {"before": before, "tools": tools, "seen": seen, "state": state, "after": after}


async def over_messages(url, play):
    """JSON-RPC in messages of the WebSocket."""
    async with MCPToolClient(base_url=f"{url}/openenv/{play['env_id']}") as client:
        await client.reset(**play["reset"])
        seen, rewards = [], []
        for number, (name, arguments) in enumerate(play["calls"]):
            params = {"name": name, "arguments": arguments}
            request = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
            answer = (await client._send_and_receive({"type": "mcp", "data": request}))["data"]
            assert answer["id"] == number
            seen.append(answer["result"]["data"])
            rewards.append(answer["result"]["_meta"]["reward"])
        return {"seen": seen, "rewards": rewards}


async def over_steps(url, play):
    """MCPToolClient.step with an action that calls a tool."""
    async with MCPToolClient(base_url=f"{url}/openenv/{play['env_id']}") as client:
        await client.reset(**play["reset"])
        seen, rewards = [], []
        for name, arguments in play["calls"]:
            result = await client.step(CallToolAction(tool_name=name, arguments=arguments))
            seen.append(result.observation.result)
            rewards.append(result.reward)
        return {"seen": seen, "rewards": rewards, "done": result.done}


async def main(url, plays):
    """Everything, at once."""
    ways = {"http": over_http, "messages": over_messages, "steps": over_steps}
    done = await asyncio.gather(*(way(url, play) for play in plays for way in ways.values()))
    found = iter(done)
    print(json.dumps([{name: next(found) for name in ways} for _ in plays]))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], json.load(sys.stdin)))
