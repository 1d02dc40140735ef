"""The tenant that the current work is done for.

Slots are shared fairly between tenants. The server sets it to the id of the request's API key. It is empty for work
without a key::

    TENANT.set(key.id)
    sandbox.run(job)                 # queued for this key
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

TENANT: Final[ContextVar[str]] = ContextVar("envhub_tenant", default="")
