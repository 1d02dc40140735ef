"""Tools: methods that a policy may call, their schemas, and how calls are read from text.

A method marked with :func:`tool` becomes an OpenAI function schema, made from its type hints and its docstring. A policy
writes a call in the format that its model family was trained on; :data:`FORMATS` lists those that are read. What cannot be
read becomes a :class:`Malformed` that names the error and the expected form; nothing here raises on any text.

``schema`` describes tools and checks arguments, ``formats`` knows how each family writes a call, ``reading`` finds the calls
of a message.
"""

from envhub.core.tools.formats import FORMATS, write_call
from envhub.core.tools.reading import MAX_CALLS, read_calls
from envhub.core.tools.schema import Call, Malformed, Tool, tool, tools_of, usage

__all__ = ["FORMATS", "MAX_CALLS", "Call", "Malformed", "Tool", "read_calls", "tool", "tools_of", "usage", "write_call"]
