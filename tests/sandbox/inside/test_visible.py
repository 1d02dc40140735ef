"""What jails show of the machine: an allow-list of directories, in none of which the project is to be seen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from envhub.sandbox.linux.namespace import NamespaceSlot, _hidden, _visible
from tests.sandbox import jails
from tests.sandbox.jails import run

PLACES = (
    "/usr/local/src/envhub",
    "/usr/local/share/project/envhub",
    "/usr/lib/games/envhub",
    "/home/user/envhub",
    "/opt/envhub",
)
LOOK = """
import os
found = [top for top, _, files in os.walk("/") if {"author.py", "seeding.py"} & set(files) and "python" not in top]
print(found, os.path.exists("PLACE/envhub") or os.path.exists("PLACE/tests"), os.path.isfile("/usr/bin/env"))
"""
FROM = """
import sys
import envhub
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.linux.namespace import NamespaceBackend
assert envhub.__file__.startswith(sys.argv[1]), envhub.__file__
slot = NamespaceBackend().slot(0)
slot.start()
limits = Limits(wall_s=100, cpu_s=60)  # it looks through the whole disk
result = slot.run(Job(Program(sys.argv[2]), stdins=(b"",), limits=limits))[-1]
slot.close()
print(result.text, result.stderr.decode())
"""
MOUNT = """
set -e
empty=$(dirname "$2")
while [ ! -d "$empty" ]; do empty=$(dirname "$empty"); done
mount -t tmpfs none /mnt
mkdir /mnt/top /mnt/work
mount -t overlay overlay -o lowerdir="$empty",upperdir=/mnt/top,workdir=/mnt/work "$empty"
mkdir -p "$2"
mount --bind "$1" "$2"
cd "$2"
exec env PYTHONPATH="$2" "$3" -c "$4" "$2" "$5"
"""


@pytest.mark.parametrize("place", PLACES)
def test_a_checkout_is_not_seen_wherever_it_lies(place: str) -> None:
    jails.backend()
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("only root can put a checkout there")
    look = LOOK.replace("PLACE", place)
    command = ["unshare", "--mount", "sh", "-c", MOUNT, "sh", str(jails.ROOT), place, sys.executable, FROM, look]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert ran.stdout.split("\n")[0] == "[] False True", ran.stdout + ran.stderr


def test_packages_and_the_checkout_are_covered(tmp_path: Path) -> None:
    for name in (
        "lib/python3.9/site-packages",
        "lib/python3/dist-packages",
        "lib/x/hub/tests",
        "bin",
        "share",
        "src",
        ".git",
    ):
        (tmp_path / name).mkdir(parents=True)
    shown = [path for path in _visible(str(tmp_path)) if path.startswith(str(tmp_path))]
    assert [Path(path).name for path in shown] == ["bin", "lib", "share"]
    lib = f"{tmp_path}/lib"
    packages = [f"{lib}/python3.9/site-packages", f"{lib}/python3/dist-packages"]
    assert _hidden({lib: lib}, []) == sorted(packages)
    assert _hidden({lib: lib}, [Path(lib, "x/hub")]) == sorted([*packages, f"{lib}/x/hub"])
    assert _hidden({"/opt/lean": lib}, [Path(lib, "x/hub")])[-1] == "/opt/lean/x/hub"
    assert _hidden({lib: lib}, [tmp_path])[0] == lib  # it lies in the checkout
    assert _hidden({"/usr/bin": "/usr/bin"}, [tmp_path]) == []
    (tmp_path / "link").symlink_to(lib)
    assert _hidden({"/opt/lean": f"{tmp_path}/link"}, [Path(lib, "x/hub")])[-1] == "/opt/lean/x/hub"


def test_nothing_else_of_the_system_is_there(slot: NamespaceSlot) -> None:
    known = {"bin", "include", "lib", "lib32", "lib64", "libexec", "libx32", "local", "sbin", "share"}
    assert set(run(slot, "import os; print(*os.listdir('/usr'), *os.listdir('/usr/local'))").text.split()) <= known


def shared(slot: NamespaceSlot) -> bool:
    """Whether this kernel gives slots no inodes of their own."""
    table = run(slot, "print(open('/proc/self/mountinfo').read())").text
    return not any(" /usr/bin " in line and " overlay " in line for line in table.splitlines())


def test_locks_on_files_of_the_system_are_the_slots_own(slot: NamespaceSlot) -> None:
    import fcntl

    if shared(slot):
        pytest.skip("overlays in user namespaces need Linux 5.11")
    look = "import fcntl; fcntl.flock(open('/usr/bin/env'), fcntl.LOCK_EX | fcntl.LOCK_NB); print('mine')"
    with open("/usr/bin/env", "rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        assert run(slot, look).text == "mine\n"
    other = jails.slot(1)
    other.start()
    try:
        with slot.open(jails.BASH) as session:
            assert session.run("exec 7</usr/bin/env; flock -n -x 7 && echo held").text == "held\n"
            assert run(other, look).text == "mine\n"
    finally:
        other.close()


def test_mounts_name_no_directory_of_the_machine(slot: NamespaceSlot) -> None:
    if shared(slot):
        pytest.skip("overlays in user namespaces need Linux 5.11")
    table = run(slot, "print(open('/proc/self/mountinfo').read(), open('/proc/self/mounts').read())").text
    sources = {line.split(" - ")[1].split()[1] for line in table.splitlines() if " - " in line}
    assert sources <= {"overlay", "tmpfs", "proc", "devtmpfs", "udev", "none", "dev"}
    assert "/old" not in table
    assert run(slot, "import os; at = os.statvfs('/usr/lib'); print(at.f_blocks * at.f_frsize >> 20)").text == "8\n"
