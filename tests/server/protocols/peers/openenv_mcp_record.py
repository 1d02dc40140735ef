"""Record what OpenEnv's client of tools and a server say: ``python openenv_mcp_record.py URL FILE``, the plays on stdin.

A play is as in openenv_mcp.py. Requests of HTTP and messages of the WebSocket are written down in the order in which they are
made; tests/server/protocols/test_openenv_mcp.py says the client's part again and compares the answers.
"""

import asyncio
import json
import sys
from contextlib import suppress

from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.mcp_client import MCPToolClient


class Recorded(MCPToolClient):
    """The client, which writes down what it says and hears."""

    def __init__(self, url, said):
        super().__init__(base_url=url)
        self._said = said

    async def _production_mcp_request(self, method, params=None):
        number = self._jsonrpc_request_id + 1
        asked = {"jsonrpc": "2.0", "method": method, "params": params or {}, "id": number}
        answer = await super()._production_mcp_request(method, params)
        self._said.append({"over": "http", "to": asked, "from": answer})
        return answer

    async def _send_and_receive(self, message):
        await self._send(message)
        answer = await self._receive()
        self._said.append({"over": "ws", "to": message, "from": answer})
        return answer


async def record(url, play):
    """An episode that is solved, the next in the same session, mistakes, and the end."""
    said = []
    client = Recorded(f"{url}/openenv/{play['env_id']}", said)
    await client.connect()
    await client.list_tools(use_cache=False)
    with suppress(RuntimeError):
        await client.call_tool(play["calls"][0][0])
    await client.reset(**play["reset"])
    await client.list_tools(use_cache=False)
    *first, last = play["calls"]
    for name, arguments in first:
        await client.call_tool(name, **arguments)
    await client.step(CallToolAction(tool_name=last[0], arguments=last[1]))
    await client.state()
    with suppress(RuntimeError):
        await client.call_tool(last[0], **last[1])
    await client.reset(**play["reset"], episode_id="second")
    await client.call_tool("no_such_tool", x=1)
    await client.state()
    await client.close()
    return {"env_id": play["env_id"], "said": said}


async def main(url, file):
    """One play after the other."""
    found = [await record(url, play) for play in json.load(sys.stdin)]
    with open(file, "w") as out:
        json.dump(found, out, indent=1)
        out.write("\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
