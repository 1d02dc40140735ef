"""Runs untrusted programs in isolation: one-off jobs and interactive sessions.

Independent of environments. :mod:`envhub.sandbox.jobs` defines jobs and results, :mod:`envhub.sandbox.sandbox` runs
them; this module re-exports both.
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
