"""The languages a sandbox runs.

What each needs on the machine, how it is compiled and started. Whether a machine has a language is checked in the
directories that the jail will search (``/usr/bin``), not on the caller's PATH.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from envhub.core.errors import MissingExtra

DIRECTORIES: Final = ("/usr/local/bin", "/usr/bin", "/bin")
"""Where programs are searched, inside and outside the sandbox."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        file: Name of the source file in the working directory.
        run: Command line that runs the program; the program's arguments follow it.
        compile: Command line that compiles ``file`` to ``program``; empty for interpreted languages.
        install: The Debian package to install.
        calls: Whether functions can be called with typed values.
        address_space: Whether to limit virtual memory. False for V8, which reserves far more than it uses.
    """

    file: str
    run: tuple[str, ...]
    install: str
    compile: tuple[str, ...] = ()
    calls: bool = False
    address_space: bool = True

    @property
    def needs(self) -> str:
        """The executable that must be installed."""
        return (self.compile or self.run)[0]


LANGUAGES: Final[Mapping[str, Language]] = {
    "python": Language("main.py", ("python3", "-I", "-B", "main.py"), "python3", calls=True),
    "bash": Language("main.sh", ("bash", "--norc", "--noprofile", "main.sh"), "bash"),
    "c": Language("main.c", ("./program",), "gcc", ("gcc", "-O2", "-std=c17", "-o", "program", "main.c", "-lm")),
    "cpp": Language("main.cpp", ("./program",), "g++", ("g++", "-O2", "-std=c++20", "-o", "program", "main.cpp")),
    "javascript": Language("main.js", ("node", "main.js"), "nodejs", address_space=False),
}


def not_installed(language: str) -> MissingExtra:
    """The error for a language that is not installed."""
    row = LANGUAGES[language]
    return MissingExtra(
        f"The sandbox has no {row.needs!r}, which {language} programs need (searched {', '.join(DIRECTORIES)}). "
        f"Install it with: apt-get install {row.install}"
    )
