"""Starts a native program once, and runs jobs in its forks.

Most of a short run of Lean is Lean's own start. ``lean_main`` reads its command line with ``getopt_long`` of the C library,
once its runtime is initialised and before it opens any file. We replace this one function in the library's table of imports.
Its first call runs the slot: the zygote is forked inside it, and so are the processes of all jobs. A process that is to be the
program raises :class:`Resumed` with the command line of its job, and the call returns as if it had only read an option::

    program = WarmProgram(settings["warm"])
    program.run(serve)                 # does not return; serve forks

So a job's process differs from one that was just executed in nothing that depends on a job: it is a copy of a process that
has read no file of any job.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

from envhub.sandbox.inside.spawn import Resumed

_FUNCTION = b"getopt_long"
_READER = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)
_STRINGS, _SYMBOLS, _TABLE, _TABLE_BYTES = 5, 6, 23, 2  # DT_STRTAB, DT_SYMTAB, DT_JMPREL, DT_PLTRELSZ


class _LinkMap(ctypes.Structure):
    """The start of ``struct link_map``, to which the handle of a library points."""

    _fields_ = (("base", ctypes.c_size_t), ("name", ctypes.c_char_p), ("dynamic", ctypes.c_size_t))


class _Entry(ctypes.Structure):
    """``Elf64_Dyn``: an entry of a library's dynamic section."""

    _fields_ = (("tag", ctypes.c_int64), ("value", ctypes.c_size_t))


class _Import(ctypes.Structure):
    """``Elf64_Rela``: an entry of a library's table of imported functions."""

    _fields_ = (
        ("offset", ctypes.c_size_t),
        ("kind", ctypes.c_uint32),
        ("symbol", ctypes.c_uint32),
        ("addend", ctypes.c_int64),
    )


class WarmProgram:
    """A program whose ``main`` is a function of a library.

    Args:
        settings: ``library`` and ``main``: path inside and function. ``words``: number of words of the command line.
            ``environment``: additional variables.

    Raises:
        OSError: The library cannot be loaded.
        LookupError: It does not import ``getopt_long``.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        os.environ.update(settings["environment"])
        self._library = ctypes.PyDLL(settings["library"], ctypes.RTLD_GLOBAL)
        self._main = self._library[settings["main"]]
        self._line = (ctypes.c_char_p * (settings["words"] + 1))(*[b"-"] * settings["words"])
        self._slot = ctypes.c_size_t.from_address(_slot_of(self._library._handle, _FUNCTION))

    def run(self, serve: Callable[[], None]) -> None:
        """Start the program and call ``serve`` where it reads its command line.

        Does not return.

        Args:
            serve: Forks processes. Raises :class:`Resumed` in those that are to be the program.
        """
        read = _READER((_FUNCTION.decode(), ctypes.PyDLL(None)))

        def first(*given: Any) -> int:
            self._slot.value = _address(read)  # later calls have nothing to do with us
            try:
                serve()
            except Resumed as resumed:
                self._assign(resumed.arguments)
                return int(read(*given))
            except BaseException:  # else it would be ignored here, and the slot would continue as the program
                os._exit(1)
            os._exit(1)

        hook = _READER(first)
        self._slot.value = _address(hook)
        ctypes.PyDLL(None).exit(self._main(len(self._line) - 1, self._line))

    def _assign(self, arguments: list[str]) -> None:
        """Replace the command line, whose length the program already knows."""
        if len(arguments) != len(self._line) - 2:
            os.write(2, f"expected {len(self._line) - 2} arguments, got {len(arguments)}\n".encode())
            os._exit(127)
        for at, word in enumerate(arguments):
            self._line[1 + at] = word.encode()


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _slot_of(handle: int, name: bytes) -> int:
    """Address of the entry of an imported function in a library's table.

    Raises:
        LookupError: The library does not import it.
    """
    found = _LinkMap.from_address(handle)
    dynamic, at = {}, found.dynamic
    while (entry := _Entry.from_address(at)).tag:
        dynamic[entry.tag] = entry.value
        at += ctypes.sizeof(_Entry)
    size = ctypes.sizeof(_Import)
    for place in range(0, dynamic.get(_TABLE_BYTES, 0), size):
        imported = _Import.from_address(dynamic[_TABLE] + place)
        symbol = dynamic[_SYMBOLS] + 24 * imported.symbol  # Elf64_Sym, which begins with the place of its name
        if ctypes.string_at(dynamic[_STRINGS] + ctypes.c_uint32.from_address(symbol).value) == name:
            return int(found.base + imported.offset)
    raise LookupError(f"the library does not import {name.decode()}")
