# ruff: noqa: E501  programs stand as they would be written
"""Attacks on grading: forged answers."""

from __future__ import annotations

from typing import Final

from envhub.sandbox.attacks.kinds import BRIEF, Attack

_OUTSIDE = "verdict outside: expected values never enter, and only exact built-in types come back"
_REPLIES = "one reply for one call; framing and caps, read on the host"

_FORGE = """
import struct
def frame(body): return struct.pack(">I", len(body)) + body
def answer(body, more=b""):
    tried(); os.write(3, frame(body) + more)
"""


def _forged(body: str, more: str = "b''") -> str:
    """A program with a hand-written answer."""
    return _FORGE + f"def solve(text):\n    answer({body}, {more})\n    time.sleep(30)\n"


GRADING: Final = (
    Attack(
        1,
        "exit before the check",
        "os._exit(0), so that the process ends well before anything is checked",
        _OUTSIDE,
        "def solve(text): tried(); os._exit(0)",
        gentle=True,
    ),
    Attack(
        2,
        "SystemExit",
        "sys.exit(0) instead of an answer",
        _OUTSIDE,
        "def solve(text): tried(); sys.exit(0)",
        gentle=True,
    ),
    Attack(
        3,
        "an object that equals everything",
        "an answer whose __eq__ is always true",
        _OUTSIDE,
        "class Yes:\n    def __eq__(self, other): return True\n    __hash__ = None\ndef solve(text): tried(); return Yes()",
        gentle=True,
    ),
    Attack(
        4,
        "the harness's words",
        "printing what a harness prints when all is well, and exit status 0",
        _OUTSIDE,
        "def solve(text):\n    tried()\n    print('ALL PASSED\\nOK\\nPASSED\\n1.0\\n{\"passed\": true}', flush=True)\n"
        "    os._exit(0)",
        gentle=True,
    ),
    Attack(
        5,
        "pass on every descriptor",
        "writing a verdict to every open descriptor, then leaving",
        "descriptor hygiene: a program has its streams and one reply channel",
        "def solve(text):\n    tried()\n    for fd in range(3, 1100):\n        for word in (b'ALL PASSED\\n', b'\\0\\0\\0\\4true'):\n"
        "            try: os.write(fd, word)\n            except OSError: pass\n    os._exit(0)",
    ),
    Attack(
        6,
        "expected values from frames",
        "looking for the expected value in the locals of every frame below",
        _OUTSIDE,
        """
def solve(text):
    tried()
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            for row in value if type(value) in (list, tuple) else ():
                if type(row) is tuple and len(row) == 2 and row[0] in (text, (text,)): return row[1]
        frame = frame.f_back
""",
        gentle=True,
    ),
    Attack(
        7,
        "expected values from the collector",
        "looking for the expected value in every object that gc knows, and in closures",
        _OUTSIDE,
        """
import gc
def solve(text):
    tried()
    for row in gc.get_objects():
        if type(row) is tuple and len(row) == 2 and row[0] in (text, (text,)) and type(row[1]) is str: return row[1]
        if type(row) is dict and type(row.get(text)) is str: return row[text]
        for each in row if type(row) is list else ():
            if type(each) is tuple and len(each) == 2 and each[0] == text: return each[1]
""",
        gentle=True,
    ),
    Attack(
        8,
        "other built-ins",
        "rebinding what a check is made of: AssertionError, isinstance, len, all, type",
        _OUTSIDE,
        """
import builtins
class Silent(BaseException):
    def __new__(cls, *rest): os._exit(0)
def solve(text):
    tried()
    builtins.AssertionError = builtins.AttributeError = builtins.TypeError = Silent
    builtins.isinstance = builtins.all = builtins.any = builtins.bool = lambda *rest: True
    builtins.len = lambda *rest: 3
    builtins.type = lambda *rest: str
    return "wrong"
""",
        gentle=True,
    ),
    Attack(
        9,
        "other libraries",
        "patching json, time and the writing functions of the process that answers",
        "one process for each job; replies are parsed on the host",
        """
import json, random, struct
def solve(text):
    tried()
    json.dumps = lambda *rest, **more: '"true"'
    json.loads = lambda *rest, **more: [text]
    time.time = time.monotonic = lambda: 0.0
    random.random = lambda: 0.5
    frame = sys._getframe().f_back
    while frame is not None:
        for name in ("dumps", "reply", "finish"):
            if name in frame.f_globals: frame.f_globals[name] = lambda *rest: b"true"
        frame = frame.f_back
    return "wrong"
""",
        limits=BRIEF,
    ),
    Attack(
        10,
        "trace functions",
        "sys.settrace and sys.setprofile, to see and change the frames of the harness",
        _OUTSIDE,
        """
def spy(frame, event, arg):
    below = frame
    while below is not None and len(KEPT) < 100:
        for value in list(below.f_locals.values()):
            if type(value) is list and any(type(row) is tuple and len(row) == 2 for row in value): KEPT.append(value)
        below = below.f_back
    return spy
KEPT = []
sys.settrace(spy); sys.setprofile(spy)
def solve(text):
    tried()
    for rows in KEPT:
        for row in rows:
            if type(row) is tuple and len(row) == 2 and row[0] in (text, (text,)): return row[1]
""",
        limits=BRIEF,
        gentle=True,
    ),
    Attack(
        11,
        "an answer after the end",
        "atexit, __del__, weakref.finalize and threads that write when the program is over",
        "one reply for one call; the job's process namespace ends with it",
        _FORGE
        + """
import atexit, threading, weakref
class Late:
    def __del__(self): answer(b'v"late"')
late = Late()
atexit.register(lambda: answer(b'v"late"'))
weakref.finalize(late, lambda: answer(b'v"late"'))
threading.Thread(target=lambda: (time.sleep(0.05), answer(b'v"late"'))).start()
def solve(text): tried(); return "wrong"
""",
    ),
    Attack(
        13,
        "modules beside the program",
        "json.py, struct.py and values.py in the working directory, to be imported by the harness",
        "what is imported is imported before; the working directory comes to the path with the program",
        "def solve(text):\n    tried()\n    import struct, json\n    return json.dumps('wrong')",
        files=dict.fromkeys(("json.py", "struct.py", "values.py", "frames.py", "encodings.py"), b"raise SystemExit(0)"),
        gentle=True,
    ),
    Attack(
        15,
        "answers by heart",
        "a constant and a table instead of a solution",
        "hidden and generated inputs; isolation cannot help",
        "def solve(text): tried(); return {'a': 'b'}.get(text, '0' * 64)",
        gentle=True,
    ),
    Attack(
        51,
        "closed and replaced descriptors",
        "closing the standard streams and the channel, or putting others in their place",
        "a missing reply is a failure",
        "def solve(text):\n    tried()\n    os.dup2(1, 3); os.close(0); os.dup2(3, 0)\n    for fd in (0, 1, 2): os.close(fd)\n"
        "    return 'wrong'",
    ),
    Attack(54, "NaN", "a reply that is NaN", _REPLIES, _forged("b'vNaN'"), limits=BRIEF),
    Attack(
        55,
        "half a reply",
        "a frame that ends in the middle",
        _REPLIES,
        _FORGE + "def solve(text):\n    tried()\n    os.write(3, frame(b'v\"x\"')[:5]); os._exit(0)",
    ),
    Attack(
        56,
        "a reply of 4 GiB",
        "a frame whose length is beyond everything",
        _REPLIES,
        _FORGE + "def solve(text): tried(); os.write(3, b'\\xff\\xff\\xff\\xff'); time.sleep(30)",
    ),
    Attack(57, "two replies", "two frames for one call", _REPLIES, _forged("b'v1'", "frame(b'v2')"), limits=BRIEF),
    Attack(
        58,
        "a late reply",
        "a thread that answers the next call before it is made, and after",
        _REPLIES,
        _FORGE
        + """
import threading
def flood():
    while True:
        try: os.write(3, frame(b'v"forged"'))
        except OSError: return
tried()
threading.Thread(target=flood, daemon=True).start()
def solve(text): tried(); time.sleep(0.1); return "wrong"
""",
    ),
    Attack(
        60,
        "an integer of 10^6 digits",
        "digits that take quadratic time to read",
        _REPLIES,
        _forged("b'v' + b'9' * 1000000").replace("os.write", "sys.stdout.flush() or os.write"),
        limits=BRIEF,
    ),
    Attack(
        61, "nesting of 10^5", "brackets deeper than any stack", _REPLIES, _forged("b'v' + b'[' * 60000"), limits=BRIEF
    ),
    Attack(
        62,
        "keys of one hash",
        "a set of integers that all have the same hash, which takes quadratic time to build",
        _REPLIES,
        _forged("b'v{\"set\":[' + b','.join(b'%d' % (k * (2**61 - 1)) for k in range(1, 2500)) + b']}'"),
        limits=BRIEF,
    ),
    Attack(
        63,
        "half a surrogate pair",
        "a text that cannot be encoded",
        _REPLIES,
        _forged("b'v\"\\\\ud800\"'"),
        limits=BRIEF,
    ),
    Attack(
        64,
        "subclasses and lies about types",
        "subclasses of str, bytes, int; bool for int; a false __class__; __reduce__",
        _OUTSIDE,
        """
class Text(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__
class Number(int):
    def __eq__(self, other): return True
    __hash__ = int.__hash__
class Liar:
    __class__ = property(lambda self: str)
    def __reduce__(self): return os._exit, (0,)
    def __len__(self): return 64
    def __iter__(self): return iter("0" * 64)
class Raw(bytes): pass
TURNS = [Text("x"), Liar(), [Number(1)], Raw(b"x"), True]
def solve(text): tried(); return TURNS.pop(0)
""",
        gentle=True,
    ),
    Attack(
        65,
        "tags that are none",
        "objects with unknown, several or wrong tags",
        _REPLIES,
        _forged('b\'v{"dict":[[1]],"tuple":5,"__import__":"os"}\''),
        limits=BRIEF,
    ),
    Attack(
        66,
        "an exception that steers",
        "an exception whose name and message hold control characters, surrogates and 10^5 letters",
        _REPLIES,
        "def solve(text):\n    tried()\n    raise type('\\x1b[2J' + 'E' * 100000, (Exception,), {})('\\ud800\\x1b]0;x\\x07' * 9999)",
        gentle=True,
    ),
    Attack(
        67,
        "the control stream",
        "guessing at the stream between slot and host: well-formed answers of a slot to every descriptor",
        "descriptor hygiene: the stream is closed before the program begins",
        _FORGE
        + """
import json
head = json.dumps({"exit": 0, "limit": None, "replies": 3, "files": [], "blobs": [0, 0, 6, 6, 6]}).encode()
message = struct.pack(">I", len(head)) + head + b'v"true"' * 3
def solve(text):
    tried()
    for fd in range(4, 1100):
        try: os.write(fd, frame(message)); reached("a descriptor: %d" % fd)
        except OSError: pass
    return "wrong"
""",
    ),
    Attack(
        68,
        "reading ahead",
        "reading later arguments from the channel, and from descriptor 0",
        "arguments go in one call at a time, after the program has begun",
        """
def solve(text):
    tried()
    os.set_blocking(3, False); os.set_blocking(0, False)
    for fd in (0, 3):
        try:
            if os.read(fd, 100000): reached("more to read on %d" % fd)
        except OSError: pass
    os.set_blocking(3, True)
    return "wrong"
""",
    ),
    Attack(
        69,
        "from call to call",
        "changing in the first call how later ones are answered, and with what",
        "expected values never enter: later calls are judged alone",
        """
SEEN = []
def solve(text):
    tried()
    SEEN.append(text)
    frame = sys._getframe().f_back
    frame.f_globals["getattr"] = lambda *rest: lambda *given: "wrong" + SEEN[0]
    return SEEN[0]
""",
        gentle=True,
    ),
    Attack(
        83,
        "odd ends",
        "ending by os.abort, by every signal and with status 255",
        _OUTSIDE,
        """
import signal
def solve(text):
    tried()
    for number in (6, 11, 8, 4, 5, 10, 13, 15):
        if forked() == 0: os.kill(os.getpid(), number)
    os._exit(255)
""",
    ),
    Attack(
        101,
        "standard streams replaced",
        "objects in the place of sys.stdout that raise, or exit, when they are flushed",
        "the reply does not go through standard streams",
        """
class Stream:
    closed = False
    def flush(self): os._exit(0)
    def write(self, text): raise SystemExit(0)
def solve(text): tried(); sys.stdout = sys.stderr = sys.__stdout__ = Stream(); return "wrong"
""",
        gentle=True,
    ),
    Attack(
        104,
        "expected values from standard output",
        "an output program that prints every word a grader may look for",
        "output is compared on the host, whole",
        "tried()\nfor word in ('ok', 'PASSED', 'true', '1', ''): print(word)",
        how="stdin",
        gentle=True,
    ),
)
