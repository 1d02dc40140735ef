"""The parts of uvicorn's protocols that envhub builds on and that uvicorn does not promise to keep.

A failure here means that this version of uvicorn needs changes in :mod:`envhub.server.http.frames` or
:mod:`envhub.server.http.protocol`, and the range in ``pyproject.toml`` is wrong.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http import h11_impl, httptools_impl
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

HTTP_METHODS = {"connection_made", "data_received", "connection_lost", "on_response_complete"}
HTTP_ATTRIBUTES = {"transport", "loop", "cycle", "flow"}
CYCLE_ATTRIBUTES = {"more_body", "response_started", "response_complete"}
# names of methods, and of attributes that are set when a connection is made
WEBSOCKET = (
    {"connection_made", "data_received", "handle_connect", "handle_parser_exception", "pause_writing", "resume_writing"}
    | {"send", "send_receive_event_to_app"},
    {"close_sent", "config", "conn", "curr_msg_data_type", "frames", "handshake_complete", "handshake_initiated"}
    | {"initial_response", "queue", "read_paused", "transport"},
)
NEEDED = {
    WebSocketsSansIOProtocol: WEBSOCKET,
    h11_impl.H11Protocol: (HTTP_METHODS, HTTP_ATTRIBUTES),
    httptools_impl.HttpToolsProtocol: (
        HTTP_METHODS | {"on_body", "on_message_complete"},
        HTTP_ATTRIBUTES | {"pipeline"},
    ),
}


@pytest.mark.parametrize("protocol", NEEDED, ids=lambda protocol: protocol.__name__)
def test_uvicorn_has_the_private_names_that_we_use(protocol: Any) -> None:
    methods, attributes = NEEDED[protocol]
    config = uvicorn.Config(lambda *_: None, lifespan="off", log_config=None, ws="none")
    config.load()
    loop = asyncio.new_event_loop()
    made = protocol(config=config, server_state=ServerState(), app_state={}, _loop=loop)
    loop.close()
    missing = {name for name in methods if not callable(getattr(protocol, name, None))} | (
        attributes - vars(made).keys()
    )
    assert not missing, _advice(protocol, missing)


@pytest.mark.parametrize("module", [h11_impl, httptools_impl], ids=lambda module: module.__name__)
def test_uvicorns_requests_have_the_private_names_that_we_use(module: Any) -> None:
    assigned = module.RequestResponseCycle.__init__.__code__.co_names
    missing = CYCLE_ATTRIBUTES - set(assigned)
    assert not missing, _advice(module.RequestResponseCycle, missing)
    assert "read_paused" in module.FlowControl.__init__.__code__.co_names, _advice(module.FlowControl, {"read_paused"})


def _advice(where: Any, missing: set[str]) -> str:
    return (
        f"uvicorn {uvicorn.__version__} has no {', '.join(sorted(missing))} in {where.__module__}.{where.__name__}: "
        "change envhub/server/http/frames.py or protocol.py, then the range of uvicorn in pyproject.toml."
    )
