"""Untrusted programs, isolated: run them, keep sessions with them. It knows nothing of environments.

:mod:`envhub.sandbox.jobs` has the nouns, :mod:`envhub.sandbox.sandbox` the face; this module only collects their names.
"""

from envhub.sandbox.backend import Entry, Listing, Setting
from envhub.sandbox.default import default_sandbox
from envhub.sandbox.jobs import Job, Limits, Program, Result, Returned, Usage
from envhub.sandbox.sandbox import LocalSandbox, Sandbox, Session
from envhub.sandbox.sessions import SessionLost

__all__ = [
    "Entry",
    "Listing",
    "Job",
    "Limits",
    "LocalSandbox",
    "Program",
    "Result",
    "Returned",
    "Sandbox",
    "Session",
    "SessionLost",
    "Setting",
    "Usage",
    "default_sandbox",
]
