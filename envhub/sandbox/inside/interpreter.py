"""Live Python interpreter of a session.

Each command runs in the state that earlier ones left. Commands arrive over a separate channel, which also returns their
status: 0, 1 after an exception, 130 if interrupted. As at a prompt, the value of a final expression is printed, and
``exit()`` ends the interpreter.
"""

from __future__ import annotations

import ast
import io
import linecache
import os
import signal
import sys
import traceback
import types

from envhub.sandbox.inside import program
from envhub.sandbox.inside.box import STDIN

FAILED, INTERRUPTED = 1, 130


def serve(channel: int) -> None:
    """Run commands until the channel closes. Does not return."""
    module = program.prepare("__main__", [""])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    program.reply(channel, b"0")
    number = 0
    while True:
        source = program.receive(channel)
        if source is None:
            program.finish(module, 0)
            return
        number += 1
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            status = _command(source.decode("utf-8", "surrogatepass"), f"<command {number}>", module)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        except KeyboardInterrupt:
            status = INTERRUPTED
        program.flush()
        program.reply(channel, b"%d" % status)


def _command(source: str, name: str, module: types.ModuleType) -> int:
    try:
        _take_stdin()
        lines = source.splitlines(keepends=True)
        linecache.cache[name] = (len(source), None, lines, name)
        tree = ast.parse(source, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec", dont_inherit=True), module.__dict__)
        if isinstance(last, ast.Expr):
            expression = compile(ast.Expression(last.value), name, "eval", dont_inherit=True)
            sys.displayhook(eval(expression, module.__dict__))
    except SystemExit as error:
        program.finish(module, program.uncaught(error))
    except BaseException as error:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        trace = error.__traceback__
        while trace is not None and not trace.tb_frame.f_code.co_filename.startswith("<command "):
            trace = trace.tb_next
        program.flush()
        text = traceback.format_exception(type(error), error, trace)
        if trace is None:  # a syntax error, or interrupted before it started
            text = traceback.format_exception_only(type(error), error)
        program.say("".join(text))
        return INTERRUPTED if isinstance(error, KeyboardInterrupt) else FAILED
    return 0


def _take_stdin() -> None:
    given = os.open(STDIN, os.O_RDONLY)
    os.dup2(given, 0)
    os.close(given)
    raw = io.BufferedReader(io.FileIO(0, "r", closefd=False))
    sys.stdin = io.TextIOWrapper(raw, "utf-8", "surrogateescape", "\n")
