"""The languages a sandbox runs: what each needs on the machine, how it is compiled, how it is started.

The table is data; which of it a machine has is found out by looking where the jail will look (``/usr/bin``), not on the PATH
of whoever asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from envhub.core.errors import MissingExtra

DIRECTORIES: Final = ("/usr/local/bin", "/usr/bin", "/bin")
"""Where programs are looked for, inside and outside."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        file: The name under which the program's text lies in the working directory.
        run: The command line; the program's arguments follow it.
        compile: The command line that makes ``program`` out of ``file``, if there is one.
        install: The Debian package that brings it.
        calls: Whether functions can be called with typed values.
        address_space: Whether a limit on virtual memory makes sense; V8 reserves far more than it uses.
    """

    file: str
    run: tuple[str, ...]
    install: str
    compile: tuple[str, ...] = ()
    calls: bool = False
    address_space: bool = True

    @property
    def needs(self) -> str:
        """The program that must be installed."""
        return (self.compile or self.run)[0]


LANGUAGES: Final[Mapping[str, Language]] = {
    "python": Language("main.py", ("python3", "-I", "-B", "main.py"), "python3", calls=True),
    "bash": Language("main.sh", ("bash", "--norc", "--noprofile", "main.sh"), "bash"),
    "c": Language("main.c", ("./program",), "gcc", ("gcc", "-O2", "-std=c17", "-o", "program", "main.c", "-lm")),
    "cpp": Language("main.cpp", ("./program",), "g++", ("g++", "-O2", "-std=c++20", "-o", "program", "main.cpp")),
    "javascript": Language("main.js", ("node", "main.js"), "nodejs", address_space=False),
}


def not_installed(language: str) -> MissingExtra:
    """The error for a language that the sandbox does not have."""
    row = LANGUAGES[language]
    return MissingExtra(
        f"The sandbox has no {row.needs!r}, which {language} programs need: it was looked for in "
        f"{', '.join(DIRECTORIES)}. Install it with: apt-get install {row.install}"
    )
