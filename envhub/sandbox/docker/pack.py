"""Builds an image's root file system from this machine's files.

No registry is needed.

The Dockerfile beside this module needs a registry for its base image. This one serves machines without one: it is what
``envhub sandbox image`` does by default, and what the tests of the docker backend build their image with. It packs
interpreters, the libraries they are linked with, and common command line tools. Every directory is declared and readable by
all, since a daemon creates undeclared ones without access for unprivileged users. The same files give a byte-identical
archive::

    with open("image.tar", "wb") as file:
        pack(file, ["bash", "python"])
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from types import MappingProxyType
from typing import IO, Final

from envhub.core.errors import MissingExtra
from envhub.sandbox.docker.profile import IDS
from envhub.sandbox.languages import LANGUAGES, not_installed

TOOLS: Final = (
    "awk base64 basename cat chmod cksum cmp comm cp csplit cut date dd df diff dirname du echo env expand expr factor false "
    "find fmt fold grep groups gzip head hexdump id install join link ln ls md5sum mkdir mkfifo mktemp mv nl nproc od paste "
    "patch pr printenv printf ps pwd readlink realpath rm rmdir sed seq sh sha1sum sha256sum sha512sum shuf sleep sort split "
    "stat stty sum sync tac tail tar tee test timeout touch tr true truncate tsort uname unexpand uniq unlink wc which whoami "
    "xargs xz yes"
)
"""Tools that scripts call; packed if this machine has them."""
_PLACES: Final = ("/usr/bin", "/usr/local/bin")
_DIRECTORIES: Final = "box dev etc proc root sys usr usr/bin usr/lib usr/local usr/local/bin"
_MERGED: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_LEFT_OUT: Final = frozenset(
    {"test", "tests", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "site-packages", "dist-packages"}
)
_LOADED: Final = ("libgcc_s.so.1", "libnss_files.so.2")
"""Libraries that are loaded at run time and not listed by ``ldd``."""
_PYTHON: Final = (
    "import sys; from sysconfig import get_path as at; print(sys.executable, at('stdlib'), at('platstdlib'), sep='\\n')"
)
_COMPILER: Final = {"c": ("cc1", "c"), "cpp": ("cc1plus", "c++")}
_COMPILER_PARTS: Final = ("collect2", "as", "ld")
_OBJECTS: Final = ("crt1.o", "libc.so", "libgcc.a", "libstdc++.so")
_LINKED: Final = re.compile(
    r"\w*crt\w*\.o|lib(c|m|mvec|pthread|dl|rt|util|gcc|gcc_s|gcc_eh|stdc\+\+)\.(so|a)"
    r"|lib(c|pthread)_nonshared\.a|libm-.*\.a|liblto_plugin\.so"
)
_HEADERS: Final = ("libc6-dev", "linux-libc-dev", "libcrypt-dev")
_NODE_FILES: Final = "/usr/share/nodejs"


def pack(file: IO[bytes], languages: Iterable[str], toolchains: Mapping[str, str] = MappingProxyType({})) -> None:
    """Write the archive.

    Args:
        file: The output file.
        languages: The languages to include.
        toolchains: Directories of toolchains in the image, with their folders on this machine.

    Raises:
        MissingExtra: A language is not installed.
        OSError: A file cannot be read.
    """
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as archive:
        packer = _Packer(archive)
        packer.add_base()
        for language in sorted(set(languages)):
            _HOW[language](packer, language)
        for inside, folder in sorted(toolchains.items()):
            packer.copy(folder, inside)
        packer.programs(path for name in TOOLS.split() if (path := _which(name)))
        packer.libraries()


class _Packer:
    """Adds files to an archive, each once.

    With its directories before it and its link target after it.
    """

    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self._there: set[str] = set()
        self._binaries: list[str] = []
        self._own: list[str] = []

    def add_base(self) -> None:
        """Add the directories and small files not copied from this machine."""
        for name in _MERGED:
            if os.path.islink("/" + name):
                self._link(name, os.readlink("/" + name))
        for name in _DIRECTORIES.split():
            self._directory("/" + name)
        self._link("tmp", "box/tmp")
        people = "".join(f"runner:x:{number}:{number}:runner:/box/work:/bin/bash\n" for number in IDS)
        groups = "".join(f"runner:x:{number}:\n" for number in IDS)
        self.text("/etc/passwd", "root:x:0:0:root:/:/usr/sbin/nologin\n" + people)
        self.text("/etc/group", "root:x:0:\n" + groups)
        self.text("/etc/hosts", "127.0.0.1 localhost\n")

    def programs(self, paths: Iterable[str]) -> None:
        """Add executables, whose libraries are added later."""
        for path in paths:
            self._binaries.append(self.add(path))

    def add(self, path: str) -> str:
        """Add a file, and its target if it is a link.

        Returns the path of the target.
        """
        home, name = os.path.split(os.path.abspath(path))
        path = os.path.join(os.path.realpath(home), name)
        if path in self._there:
            return os.path.realpath(path)
        about = os.lstat(path)
        self._directory(os.path.dirname(path))
        if stat.S_ISLNK(about.st_mode):
            self._link(path.lstrip("/"), os.readlink(path))
            return self.add(os.path.join(os.path.dirname(path), os.readlink(path)))
        self._there.add(path)
        entry = tarfile.TarInfo(path.lstrip("/"))
        entry.size, entry.mtime = about.st_size, int(about.st_mtime)
        entry.mode = 0o755 if about.st_mode & 0o111 else 0o644
        with open(path, "rb") as file:
            self._archive.addfile(entry, file)
        return path

    def tree(self, root: str, left_out: frozenset[str] = frozenset()) -> None:
        """Add all regular files below a directory."""
        for home, folders, files in os.walk(root):
            folders[:] = sorted(set(folders) - left_out)
            for name in sorted(files):
                path = os.path.join(home, name)
                if os.path.isfile(path):
                    (self.programs([path]) if ".so" in name else self.add(path))

    def copy(self, folder: str, inside: str) -> None:
        """Add all files below a folder at another place.

        Libraries that they are linked with are added later, except those in the folder itself.
        """
        self._own.append(folder)
        for home, folders, files in os.walk(folder):
            folders.sort()
            self._directory(os.path.normpath(f"{inside}/{os.path.relpath(home, folder)}"))
            for name in sorted(files):
                path = f"{home}/{name}"
                entry = self._archive.gettarinfo(path, arcname=f"{inside}/{os.path.relpath(path, folder)}")
                entry.uid = entry.gid = 0
                entry.uname = entry.gname = ""
                entry.mtime, entry.mode = 0, 0o644
                with open(path, "rb") as file:
                    self._archive.addfile(entry, file)
                if ".so" in name:
                    self._binaries.append(path)

    def text(self, path: str, text: str) -> None:
        """Add a file with this content."""
        self._there.add(path)
        entry = tarfile.TarInfo(path.lstrip("/"))
        entry.size, entry.mode = len(text.encode()), 0o644
        self._archive.addfile(entry, BytesIO(text.encode()))

    def link(self, path: str, target: str) -> None:
        """Add a link, unless the path is taken."""
        if path not in self._there:
            self._directory(os.path.dirname(path))
            self._link(path.lstrip("/"), target)

    def libraries(self) -> None:
        """Add the libraries of the executables."""
        linked = {path for path in _linked(self._binaries) if os.path.exists(path)}
        found = {path for path in linked if not path.startswith(tuple(f"{folder}/" for folder in self._own))}
        homes = sorted({os.path.dirname(os.path.realpath(path)) for path in found})
        found |= {f"{home}/{name}" for home in homes for name in _LOADED if os.path.exists(f"{home}/{name}")}
        for path in sorted(found):
            self.add(path)

    def _directory(self, path: str) -> None:
        if path in ("", "/") or path in self._there:
            return
        self._directory(os.path.dirname(path))
        self._there.add(path)
        entry = tarfile.TarInfo(path.lstrip("/"))
        entry.type, entry.mode = tarfile.DIRTYPE, 0o755
        self._archive.addfile(entry)

    def _link(self, name: str, target: str) -> None:
        self._there.add("/" + name)
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, target, 0o777
        self._archive.addfile(entry)


def packed_python() -> str:
    """The interpreter of this machine that an image contains."""
    return _which("python3") or f"{os.path.realpath(sys.base_prefix)}/bin/python3"


def _python(packer: _Packer, _: str) -> None:
    program, *homes = _say([packed_python(), "-I", "-S", "-c", _PYTHON]).splitlines()
    packer.programs([program])
    for home in sorted(set(homes)):
        packer.tree(home, _LEFT_OUT)
    packer.link("/usr/bin/python3", os.path.realpath(program))
    if os.path.isdir("/usr/lib/locale/C.utf8"):
        packer.tree("/usr/lib/locale/C.utf8")


def _plain(packer: _Packer, language: str) -> None:
    packer.programs([_needed(language)])
    if language == "javascript" and os.path.isdir(_NODE_FILES):
        packer.tree(_NODE_FILES)


def _compiler(packer: _Packer, language: str) -> None:
    """Add a GNU compiler, which reports where its parts are."""
    part, kind = _COMPILER[language]
    command = _needed(language)
    parts = [_say([command, f"-print-prog-name={name}"]).strip() for name in (part, *_COMPILER_PARTS)]
    packer.programs(found for name in parts if (found := name if "/" in name else _which(name)))
    packer.programs([command])
    places = [_say([command, f"-print-file-name={name}"]).strip() for name in _OBJECTS]
    for home in sorted({os.path.realpath(os.path.dirname(place)) for place in places if "/" in place}):
        for name in sorted(os.listdir(home)):
            if _LINKED.fullmatch(name) and os.path.isfile(f"{home}/{name}"):
                packer.programs([f"{home}/{name}"]) if "plugin" in name else packer.add(f"{home}/{name}")
    _headers(packer, _say([command, "-E", "-v", "-x", kind, "/dev/null"], errors=True))


def _headers(packer: _Packer, said: str) -> None:
    """Add the compiler's include directories.

    Of the system's own only the headers of the C library.
    """
    listed = said.partition("#include <...> search starts here:\n")[2].partition("End of search list")[0]
    homes = {os.path.realpath(line.strip()) for line in listed.splitlines() if "/local/" not in line}
    shared = {home for home in homes if home == "/usr/include" or os.path.dirname(home) == "/usr/include"}
    packages = _say(["dpkg-query", "-L", *_HEADERS], missing="").splitlines()
    for home in sorted(home for home in homes if os.path.isdir(home)):
        if home not in shared or not packages:
            packer.tree(home)
    for path in sorted(set(packages)):
        if path.startswith("/usr/include/") and os.path.isfile(path):
            packer.add(path)


_HOW: Final = dict.fromkeys(LANGUAGES, _plain) | {"python": _python, "c": _compiler, "cpp": _compiler}


def _needed(language: str) -> str:
    path = _which(LANGUAGES[language].needs)
    if path is None:
        raise not_installed(language)
    return path


def _which(name: str) -> str | None:
    for home in _PLACES:
        path = f"{home}/{name}"
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    return None


def _linked(paths: list[str]) -> Iterator[str]:
    ran = subprocess.run(["ldd", *sorted(set(paths))], capture_output=True, text=True, env={"PATH": ":".join(_PLACES)})
    yield from set(re.findall(r"(?:=>\s+|^\s+)(/\S+)\s+\(0x", ran.stdout, re.MULTILINE))


def _say(command: list[str], *, errors: bool = False, missing: str | None = None) -> str:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, env={"PATH": ":".join(_PLACES), "LC_ALL": "C"})
    except OSError as error:
        if missing is not None:
            return missing
        raise MissingExtra(f"{command[0]} cannot be run: {error}") from None
    return ran.stderr if errors else ran.stdout
