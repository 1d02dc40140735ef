"""Tools that a policy may call: schemas, and parsing of calls.

A method marked with :func:`tool` becomes an OpenAI function schema, made from its type hints and its docstring. A policy
writes a call in the format that its model family was trained on; :data:`FORMATS` lists the supported ones. Unreadable
text becomes a :class:`Malformed` with the error and the expected form; no text raises an exception.

``schema`` describes tools and validates arguments, ``formats`` lists how each family writes a call, ``reading`` finds
the calls in a message.
"""

from envhub.core.tools.formats import FORMATS, write_call
from envhub.core.tools.reading import MAX_CALLS, read_calls
from envhub.core.tools.schema import Call, Malformed, Tool, tool, tools_of, usage

__all__ = ["FORMATS", "MAX_CALLS", "Call", "Malformed", "Tool", "read_calls", "tool", "tools_of", "usage", "write_call"]
