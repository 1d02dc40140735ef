"""NeMo Gym's own agents against a server: ``python nemo_play.py PORT < script.json`` in a virtual environment with nemo-gym.

The script holds rows, for each the environment of the path, the agent (``simple`` or ``gymnasium``) and what the model says in
each turn. The model is scripted; the agents, their client and all that they make of our answers are NeMo Gym's. What it prints
is JSON: the answers of the agents' ``/run``, and NeMo Gym's own aggregation of them beside ours.
"""

import asyncio
import json
import os
import sys

import uvicorn
from fastapi import FastAPI, Request

SCRIPT = json.load(sys.stdin)
PORT = sys.argv[1]
MODEL_PORT, SIMPLE_PORT, GYMNASIUM_PORT = SCRIPT["ports"]


def resources(env_id):
    """An entry of the configuration for an environment; a port may hold a path, for its client puts it behind the host."""
    return {"resources_servers": {"envhub": {"host": "127.0.0.1", "port": f"{PORT}/nemo/{env_id}"}}}


def here(kind, port):
    return {kind: {"own": {"host": "127.0.0.1", "port": port}}}


CONFIG = {
    "head_server": {"host": "127.0.0.1", "port": 1},
    "dry_run": False,
    "model": here("responses_api_models", MODEL_PORT),
    **{env_id: resources(env_id) for env_id in SCRIPT["environments"]},
    **{f"simple {env_id}": here("responses_api_agents", SIMPLE_PORT) for env_id in SCRIPT["environments"]},
}
os.environ["NEMO_GYM_CONFIG_DICT"] = json.dumps(CONFIG)
os.environ["NEMO_GYM_CONFIG_PATH"] = "model"

from nemo_gym.config_types import BaseServerConfig, ModelServerRef, ResourcesServerRef  # noqa: E402
from nemo_gym.reward_profile import compute_aggregate_metrics  # noqa: E402
from nemo_gym.server_utils import ServerClient, get_response_json, raise_for_status, request  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from responses_api_agents.gymnasium_agent.app import GymnasiumAgent, GymnasiumAgentConfig  # noqa: E402
from responses_api_agents.simple_agent.app import SimpleAgent, SimpleAgentConfig  # noqa: E402

CLIENT = ServerClient(
    head_server_config=BaseServerConfig(host="127.0.0.1", port=1), global_config_dict=OmegaConf.create(CONFIG)
)


def model():
    """A model that says what the script has it say: the part after as many as it has said already."""
    app = FastAPI()

    @app.post("/v1/responses")
    async def respond(asked: Request):
        body = await asked.json()
        first = next(item["content"] for item in body["input"] if item.get("role") == "user")
        said = sum(item.get("type") == "function_call" or item.get("role") == "assistant" for item in body["input"])
        output = [SCRIPT["says"][int(first[1:].partition("]")[0])][said]]
        fixed = {"created_at": 0, "model": "script", "object": "response", "parallel_tool_calls": False}
        return {"id": "r", **fixed, "output": output, "tool_choice": "auto", "tools": []}

    return app


def agent(kind, env_id, port):
    config = {
        "host": "127.0.0.1",
        "port": port,
        "entrypoint": "app.py",
        "name": f"simple {env_id}",
        "resources_server": ResourcesServerRef(type="resources_servers", name=env_id),
        "model_server": ModelServerRef(type="responses_api_models", name="model"),
        "max_steps": 20,
    }
    if kind == "simple":
        return SimpleAgent(config=SimpleAgentConfig(**config), server_client=CLIENT).setup_webserver()
    return GymnasiumAgent(config=GymnasiumAgentConfig(**config), server_client=CLIENT).setup_webserver()


async def serve(app, port):
    """A server on this very event loop, for NeMo Gym's client belongs to one."""
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    return server, task


async def run(port, rows):
    """The answers of an agent to rows, all at once."""

    async def one(row):
        answer = await request("POST", f"http://127.0.0.1:{port}/run", json=row)
        if not answer.ok:
            return {"failed": answer.status}
        return await get_response_json(answer)

    return await asyncio.gather(*(one(row) for row in rows))


async def main():
    scripted, _ = await serve(model(), MODEL_PORT)
    answers = []
    for part in SCRIPT["parts"]:
        port = SIMPLE_PORT if part["agent"] == "simple" else GYMNASIUM_PORT
        server, ends = await serve(agent(part["agent"], part["env_id"], port), port)
        answers.append(await run(port, part["rows"]))
        server.should_exit = True
        await ends
    rollouts = [
        {**answer, "_ng_task_index": place // 2, "_ng_rollout_index": place % 2, "mask_sample": place == 1}
        for place, answer in enumerate(answers[0])
    ]
    url = f"http://127.0.0.1:{PORT}/nemo/{SCRIPT['environments'][0]}"
    ours = await request("POST", f"{url}/aggregate_metrics", json={"verify_responses": rollouts})
    await raise_for_status(ours)
    theirs = compute_aggregate_metrics(rollouts).model_dump()
    mode = await (await request("GET", f"{url}/reverify_mode")).json()
    print(
        "\n" + json.dumps({"answers": answers, "ours": await get_response_json(ours), "theirs": theirs, "mode": mode})
    )
    scripted.should_exit = True


if __name__ == "__main__":
    asyncio.run(main())
