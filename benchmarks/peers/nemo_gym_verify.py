"""NeMo Gym server of an integer verifier.

``python -m benchmarks.peers.nemo_gym_verify PORT``

A resources server written as in its documentation, without Ray, run by its own ``run_webserver`` with the configuration that
its launcher would pass. The response is compared with the expected number, which is part of the request.
"""

import json
import os
import sys

from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)


class IntegerVerifyRequest(BaseVerifyRequest):
    expected_answer: str


class Integers(SimpleResourcesServer):
    ray_enabled = False
    config: BaseResourcesServerConfig

    async def verify(self, body: IntegerVerifyRequest) -> BaseVerifyResponse:
        text = body.response.output[-1].content[-1].text
        said = text.rpartition("<answer>")[2].partition("</answer>")[0]
        try:
            right = int(said) == int(body.expected_answer)
        except ValueError:
            right = False
        return BaseVerifyResponse(**body.model_dump(), reward=float(right))


if __name__ == "__main__":
    here = {"host": "127.0.0.1", "port": int(sys.argv[1])}
    server = {**here, "entrypoint": "app.py", "domain": "math"}
    os.environ["NEMO_GYM_CONFIG_DICT"] = json.dumps(
        {
            "head_server": {"host": "127.0.0.1", "port": 1},
            "dry_run": False,
            "integers": {"resources_servers": {"integers": server}},
        }
    )
    os.environ["NEMO_GYM_CONFIG_PATH"] = "integers"
    Integers.run_webserver()
