"""Sessions in a jail: what persists, how commands are interrupted, and files seen from outside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from envhub.core.errors import InvalidParameters
from envhub.sandbox.backend import Entry, Setting, SlotSession
from envhub.sandbox.jobs import Job, Limits, Program
from envhub.sandbox.linux.namespace import NamespaceSlot

LIMITS = Limits(wall_s=20, cpu_s=20, memory_mb=128, output_bytes=5000, file_mb=4, files=60)
BRIEF = replace(LIMITS, wall_s=1)


@pytest.fixture
def python(slot: NamespaceSlot) -> Iterator[SlotSession]:
    with slot.open(Setting("python", {"pack/a.txt": b"hello"}, LIMITS)) as session:
        yield session


@pytest.fixture
def bash(slot: NamespaceSlot) -> Iterator[SlotSession]:
    with slot.open(Setting("bash", {"pack/a.txt": b"hello"}, LIMITS)) as session:
        yield session


# -- python --------------------------------------------------------------------------------------------------------


def test_names_persist_and_the_last_expression_is_shown(python: SlotSession) -> None:
    assert python.run("import math\nx = 41\nx + 1").text == "42\n"
    assert python.run("def f(): return math.floor(x / 2)\nf()").text == "20\n"
    assert python.run("None").text == ""
    assert python.run("_").text == "20\n"
    assert python.run("open('pack/a.txt').read()").text == "'hello'\n"


def test_commands_of_python_open_their_streams_by_name(python: SlotSession) -> None:
    ran = python.run("open('/dev/stdout', 'w').write(open('/dev/stdin').read()) and None", b"in")
    assert (ran.exit, ran.text) == (0, "in")


def test_commands_of_a_shell_open_their_streams_by_name(bash: SlotSession) -> None:
    ran = bash.run("cat /dev/stdin > /dev/stdout; echo no > /dev/stderr", b"in")
    assert (ran.exit, ran.text, ran.stderr) == (0, "in", b"no\n")


def test_a_traceback_shows_the_commands_lines(python: SlotSession) -> None:
    python.run("def f():\n    1 / 0")
    result = python.run("f()")
    assert result.exit == 1
    lines = result.stderr.decode().splitlines()
    assert lines[1:3] == ['  File "<command 2>", line 1, in <module>', "    f()"]
    assert lines[3:5] == ['  File "<command 1>", line 2, in f', "    1 / 0"]
    assert lines[-1] == "ZeroDivisionError: division by zero"
    assert "_jail" not in result.stderr.decode() + python.run("f(").stderr.decode() + python.run("1 +").stderr.decode()
    assert "ast.py" not in python.run("f(").stderr.decode()


def test_each_command_has_its_own_standard_input(python: SlotSession) -> None:
    assert python.run("input()", b"one\ntwo\n").text == "'one'\n"
    assert python.run("import sys; sys.stdin.read()", b"three").text == "'three'\n"
    assert python.run("sys.stdin.read()").text == "''\n"


def test_an_interpreter_that_exits_is_followed_by_a_fresh_one(python: SlotSession) -> None:
    python.run("x = 1; open('kept', 'w').write('2')")
    assert python.run("exit(3)").exit == 3
    assert python.run("'x' in globals(), open('kept').read()").text == "(False, '2')\n"
    assert python.run("import os; os._exit(0)").exit == 0
    assert python.run("import os; os.kill(os.getpid(), 9)").exit == -9
    assert python.run("5").text == "5\n"


def test_a_command_at_its_wall_is_interrupted_and_names_stay(slot: NamespaceSlot) -> None:
    with slot.open(Setting("python", {}, BRIEF)) as session:
        session.run("x = 5")
        result = session.run("while True: pass")
        assert (result.limit, result.exit) == ("wall", 130)
        assert b"KeyboardInterrupt" in result.stderr
        assert session.run("x").text == "5\n"
        stubborn = session.run("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass")
        assert (stubborn.limit, stubborn.exit) == ("wall", None)
        assert session.run("'x' in globals()").text == "False\n"


def test_processor_time_is_of_each_command(slot: NamespaceSlot) -> None:
    with slot.open(Setting("python", {}, replace(LIMITS, wall_s=60, cpu_s=1))) as session:
        assert session.run("while True: pass").limit == "cpu"
        assert session.run("1").limit is None
        burn = "import time\nend = time.process_time() + 0.6\nwhile time.process_time() < end: pass"
        assert [session.run(burn).limit for _ in range(3)] == [None] * 3


def test_output_beyond_its_limit_is_thrown_away(python: SlotSession) -> None:
    result = python.run("print('x' * 9000)")
    assert (len(result.stdout), result.cut, result.exit) == (5000, True, 0)
    assert python.run("print('y')").stdout == b"y\n"


def test_what_a_session_uses_is_limited_together(slot: NamespaceSlot) -> None:
    with slot.open(Setting("python", {}, replace(LIMITS, pids=8))) as session:
        full = session.run("open('big', 'wb').write(bytes(9 << 20))")
        assert (full.limit, full.exit) == ("file", 1)
        assert session.run("1", b"x" * 100_000).limit == "file"
        assert session.run("import os; os.unlink('big'); 2").text == "2\n"
        assert session.run("x = bytearray(300 << 20)\nimport time; time.sleep(3)").limit == "memory"
        assert session.run("3").text == "3\n"


def test_code_in_the_interpreter_may_lie_about_its_status_only(python: SlotSession) -> None:
    for body in ("b'\\0\\0\\0\\x010'", "b'\\xff\\xff\\xff\\xff'", "b'\\0\\0\\0\\x02zz'", "b'x'"):
        result = python.run(f"import os\nos.write(3, {body})\nos._exit(0)")
        assert result.limit is None
    assert python.run("7").text == "7\n"
    ended = (
        "import os, socket, time\nos.write(3, b'\\0\\0\\0\\x010')\nsocket.socket(fileno=3).shutdown(2)\ntime.sleep(99)"
    )
    assert python.run(ended).exit == 0
    assert "8\n" in [
        python.run("8").text for _ in range(2)
    ]  # the first may go to an interpreter that is to be found out


# -- bash ----------------------------------------------------------------------------------------------------------


def test_a_shells_state_persists(bash: SlotSession) -> None:
    assert bash.run('cd pack; x=5; f() { echo "f $1"; }; export Y=6').exit == 0
    assert bash.run("pwd; echo $x; f 1; env | grep ^Y=; cat a.txt").text == "/box/work/pack\n5\nf 1\nY=6\nhello"
    assert bash.run("false").exit == 1
    assert bash.run("(exit 9)").exit == 9
    assert bash.run("if").exit == 2
    assert bash.run("cat; read z; echo $z", b"one\n").text == "one\n\n"
    assert bash.run("echo 'a\nb'  # a comment").text == "a\nb\n"


def test_a_shell_that_exits_is_followed_by_a_fresh_one(bash: SlotSession) -> None:
    assert bash.run("x=1; exit 4").exit == 4
    assert bash.run('echo "$x."; pwd').text == ".\n/box/work\n"
    assert bash.run("kill -9 $$").exit == -9
    assert bash.run("exec 3>&-; echo on").text == "on\n"
    assert bash.run("echo still").text == "still\n"


def test_a_shells_command_at_its_wall_is_interrupted(slot: NamespaceSlot) -> None:
    with slot.open(Setting("bash", {}, BRIEF)) as session:
        session.run("x=5")
        for command in ("sleep 100", "while :; do :; done", "sleep 100; sleep 100; echo no"):
            result = session.run(command)
            assert (result.limit, result.exit, result.text) == ("wall", 130, "")
        assert session.run("echo $x").text == "5\n"
        stubborn = session.run("trap '' INT; while :; do :; done")
        assert (stubborn.limit, stubborn.exit) == ("wall", None)
        assert session.run('echo "$x."').text == ".\n"


def test_what_runs_in_the_background_lives_on_until_the_session_ends(bash: SlotSession) -> None:
    bash.run("sleep 1000 & echo $! > pid")
    assert bash.run("kill -0 $(cat pid) && echo there").text == "there\n"
    bash.read(["pid"])  # it is stopped meanwhile, and goes on
    assert bash.run("grep State /proc/$(cat pid)/status").text.split()[1] in ("S", "R", "D")


def test_nothing_of_a_session_is_left_for_the_next_job(slot: NamespaceSlot) -> None:
    with slot.open(Setting("bash", {}, LIMITS)) as session:
        session.run("sleep 1000 & touch /tmp/mark")
    look = "import os; print(os.listdir('/tmp'), len([n for n in os.listdir('/proc') if n.isdigit()]))"
    assert slot.run(Job(Program(look)))[0].text == "[] 2\n"


# -- files ---------------------------------------------------------------------------------------------------------


def test_files_are_written_listed_and_read_from_outside(bash: SlotSession) -> None:
    bash.write({"b.txt": b"1", "pack/c/d.txt": b"22"})
    assert bash.run("cat b.txt pack/c/d.txt; echo x >> pack/c/d.txt; mkdir e; ln -s /etc l; mkfifo p").text == "122"
    assert bash.read(["b.txt", "pack/c/d.txt", "missing", "pack", "p"]) == {"b.txt": b"1", "pack/c/d.txt": b"22x\n"}
    tree = bash.tree().entries
    assert [(entry.path, entry.kind, entry.size) for entry in tree] == [
        ("b.txt", "file", 1),
        ("e", "directory", 0),
        ("l", "link", 0),
        ("p", "other", 0),
        ("pack", "directory", 0),
        ("pack/a.txt", "file", 5),
        ("pack/c", "directory", 0),
        ("pack/c/d.txt", "file", 4),
    ]
    assert tree[2] == Entry("l", "link", 0, 0o777, "/etc")
    bash.write({"b.txt": b"new", "l": b"instead of the link"})
    assert bash.read(["b.txt", "l"]) == {"b.txt": b"new", "l": b"instead of the link"}


def test_no_link_is_followed(bash: SlotSession) -> None:
    bash.run("ln -s /etc etc; ln -s /etc/passwd passwd; ln -s pack inner; ln -s /proc/1 one; ln -s ../.. up")
    paths = ["etc/passwd", "passwd", "inner/a.txt", "one/environ", "up/etc/passwd"]
    assert bash.read([*paths, "pack/a.txt"]) == {"pack/a.txt": b"hello"}
    for path in ("etc/x", "inner/x", "pack/a.txt/x", "pack"):
        with pytest.raises(InvalidParameters, match="in its way"):
            bash.write({path: b""})
    assert bash.run("ls pack").text == "a.txt\n"


def test_files_that_are_too_large_or_too_many_are_not_read_or_listed(slot: NamespaceSlot) -> None:
    with slot.open(Setting("bash", {}, replace(LIMITS, files=20))) as session:
        assert session.run("truncate -s 5M more").exit != 0
        session.run("truncate -s 4M most also; echo 1 > last; for n in {1..90}; do > f$n; done 2>/dev/null")
        assert {path: len(data) for path, data in session.read(["most", "also", "last"]).items()} == {"most": 4 << 20}
        assert len(session.tree().entries) <= 20
        with pytest.raises(InvalidParameters, match="no room"):
            session.write({"large": bytes(5 << 20)})


def test_programs_stand_still_while_files_are_read(slot: NamespaceSlot) -> None:
    writes = (
        "import os, itertools\n"
        "one, two = (os.open(n, os.O_RDWR | os.O_CREAT) for n in ('one', 'two'))\n"
        "for n in itertools.count():\n    os.pwrite(one, b'%09d' % n, 0)\n    os.pwrite(two, b'%09d' % n, 0)\n"
    )
    with slot.open(Setting("bash", {"write.py": writes.encode()}, replace(LIMITS, file_mb=32))) as session:
        session.run("truncate -s 8M between; python3 write.py & while [ ! -s two ]; do :; done")
        seen = []
        for _ in range(10):
            found = session.read(["one", "between", "two"])
            seen.append(int(found["one"]))
            assert int(found["one"]) - int(found["two"]) in (0, 1)
        assert len(set(seen)) == 1  # it uses no processor time between commands
        assert session.run(
            f"while [ $(head -c 9 one) = {seen[0]:09d} ]; do :; done"
        ).ok  # it goes on during the next one


def test_a_link_put_in_place_meanwhile_is_not_followed(bash: SlotSession) -> None:
    bash.run("while :; do rm -rf d; ln -s /etc d; rm d; mkdir d; echo x > d/passwd; done &")
    for _ in range(30):
        assert bash.read(["d/passwd"]).get("d/passwd", b"") in (b"", b"x\n")
        with suppress(InvalidParameters):
            bash.write({"d/new": b"1"})
    assert all(entry.path.count("/") < 2 for entry in bash.tree().entries)  # d/etc is a link, if it is there


def test_names_that_are_no_text_are_listed_as_some_text(bash: SlotSession) -> None:
    bash.run("touch $'\\xff\\xfe' $'a\\nb'; mkdir -p $(printf 'd/%.0s' {1..100})")
    paths = [entry.path for entry in bash.tree().entries]
    assert len(paths) >= 4
    assert all(path.encode() for path in paths)


def test_paths_that_lead_elsewhere_are_refused(bash: SlotSession) -> None:
    for path in ("/etc/passwd", "../x", "a/../../x", "a\0b", ""):
        with pytest.raises(InvalidParameters):
            bash.read([path])
        with pytest.raises(InvalidParameters):
            bash.write({path: b""})
    assert bash.run("echo on").text == "on\n"
