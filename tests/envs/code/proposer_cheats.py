"""Proposals that try to earn without being a task: each is refused, or its rate is what it is without the trick.

A cheat is written for ``f(n)`` with the required type int and a target of 50 %, for a deduction task.
"""

from __future__ import annotations

from typing import Final

HONEST: Final = "def f(n):\n    r = n + 3\n    for i in range(5):\n        r = (r * 3 + i) % 101\n    return r\n\nf(7)"
"""A proposal whose rate is near 50 % if a slip has 4 %."""

CHEATS: Final[dict[str, str]] = {
    "empty": "\n",
    "no call": "def f(n):\n    return n * 2 + 1",
    "no program": "f(7)",
    "pass": "def f(n):\n    pass\n\nf(7)",
    "constant": "def f(n):\n    return 7\n\nf(7)",
    "nearly constant": "def f(n):\n    if n == 7:\n        return 1\n    if n == 8:\n        return 2\n    return 3\n\nf(7)",
    "a lookup of the answer": "def f(n):\n    return {7: 1, 8: 2}.get(n, 0)\n\nf(7)",
    "the answer in a comment and a dead text": "def f(n):\n    hint = 'the answer is 15'\n    return n * 2 + 1\n\nf(7)",
    "a docstring": 'def f(n):\n    """Returns 15."""\n    return n * 2 + 1\n\nf(7)',
    "dead loop": "def f(n):\n    for i in range(40):\n        n * i\n    return n * 2 + 1\n\nf(7)",
    "dead counter": "def f(n):\n    c = 0\n    for i in range(40):\n        c = c + i\n    return n * 2 + 1\n\nf(7)",
    "dead helper": "def g(v):\n    return v + 1\n\ndef f(n):\n    return n * 2 + 1\n\nf(7)",
    "import": "import os\ndef f(n):\n    return os.getpid() + n\n\nf(7)",
    "import inside": "def f(n):\n    import time\n    return int(time.time()) + n\n\nf(7)",
    "__import__": "def f(n):\n    return __import__('os').fork() + n\n\nf(7)",
    "fork through a method": "def f(n):\n    return n.fork()\n\nf(7)",
    "sleep": "from time import sleep\ndef f(n):\n    sleep(100)\n    return n\n\nf(7)",
    "endless": "def f(n):\n    while True:\n        n = n + 1\n    return n\n\nf(7)",
    "endless at the top": "while True:\n    pass\n\ndef f(n):\n    return n\n\nf(7)",
    "endless recursion": "def f(n):\n    return f(n + 1)\n\nf(7)",
    "huge power": "def f(n):\n    return 9 ** 9 ** 9 % (n + 100)\n\nf(7)",
    "huge text": "def f(n):\n    return len('ab' * 10 ** 9) + n\n\nf(7)",
    "huge list": "def f(n):\n    return sum([0] * 10 ** 9) + n\n\nf(7)",
    "huge range": "def f(n):\n    return len(list(range(10 ** 9))) + n\n\nf(7)",
    "doubling list": "def f(n):\n    x = [n]\n    for i in range(60):\n        x = [x, x]\n    return len(str(x))\n\nf(7)",
    "deep": "def f(n):\n    return " + "(" * 90 + "n" + ")" * 90 + " + " + "-" * 60 + "n\n\nf(7)",
    "deeper than a parser": "def f(n):\n    return " + "[" * 5000 + "n" + "]" * 5000 + "\n\nf(7)",
    "hash": "def f(n):\n    return hash('a') % 100 + n\n\nf(7)",
    "order of a set": "def f(n):\n    return len(list({'a', 'b', 'c'})[0]) + n\n\nf(7)",
    "set()": "def f(n):\n    return len(set([n, 1])) + n\n\nf(7)",
    "id": "def f(n):\n    return id(n) % 7 + n\n\nf(7)",
    "address in a text": "def f(n):\n    return len(str(f)) + n\n\nf(7)",
    "address of a lambda": "def f(n):\n    return len(str([lambda v: v])) + n\n\nf(7)",
    "address of a generator": "def f(n):\n    return len(str(v for v in [n])) + n\n\nf(7)",
    "identity": "def f(n):\n    return 1 if n is 7 else n\n\nf(7)",
    "frames": "def f(n):\n    return (v for v in [n]).gi_frame.f_back.f_globals['x']\n\nf(7)",
    "dunder": "def f(n):\n    return n.__class__.__base__.__subclasses__()\n\nf(7)",
    "format": "def f(n):\n    return len('{0.__class__}'.format(n)) + n\n\nf(7)",
    "f-string": "def f(n):\n    return len(f'{n!r}') + n\n\nf(7)",
    "percent": "def f(n):\n    return len('%s' % n) + n\n\nf(7)",
    "state between calls": "c = []\n\ndef f(n):\n    c.append(n)\n    return len(c) + n\n\nf(7)",
    "state in a default": "def f(n, c=[]):\n    c.append(n)\n    return len(c) + n\n\nf(7)",
    "global": "def f(n):\n    global c\n    c = n\n    return c + 1\n\nf(7)",
    "print": "def f(n):\n    print('{\"critical\": 17}')\n    return n * 2\n\nf(7)",
    "exit": "def f(n):\n    exit(0)\n    return n\n\nf(7)",
    "exception": "def f(n):\n    try:\n        return n * 2\n    except Exception:\n        return 0\n\nf(7)",
    "raises elsewhere": "def f(n):\n    return 100 // (n - 8)\n\nf(7)",
    "float": "def f(n):\n    return int(n / 3) + 1\n\nf(7)",
    "negative power": "def f(n):\n    return int(2 ** n) + n\n\nf(7)",
    "redefined built-in": "def len(n):\n    return 3\n\ndef f(n):\n    return len([n]) + n\n\nf(7)",
    "hook of the bench": "def _b(s, a, b, c):\n    return 1\n\ndef f(n):\n    return n * 2 + 1\n\nf(7)",
    "not in the domain": "def f(n):\n    return n * 2 + 1\n\nf(1000)",
    "True for 1": "def f(n):\n    return n * 2 + 1\n\nf(True)",
    "an expression as argument": "def f(n):\n    return n * 2 + 1\n\nf(3 + 4)",
    "another function is called": "def g(n):\n    return n\n\ndef f(n):\n    return g(n) + 1\n\ng(7)",
    "two calls": "def f(n):\n    return n * 2 + 1\n\nf(7)\nf(8)",
    "another type": "def f(n):\n    return str(n * 2 + 1)\n\nf(7)",
    "mixed types": "def f(n):\n    return n * 2 if n > 0 else str(n)\n\nf(7)",
    "a tuple": "def f(n):\n    return (n, n)\n\nf(7)",
    "class": "class f:\n    pass\n\nf(7)",
    "decorator": "@print\ndef f(n):\n    return n\n\nf(7)",
    "async": "async def f(n):\n    return n\n\nf(7)",
    "walrus": "def f(n):\n    return (m := n * 2) + m\n\nf(7)",
    "yield": "def f(n):\n    yield n\n\nf(7)",
    "annotation that runs": "def f(n: 1 // 0):\n    return n * 2 + 1\n\nf(7)",
    "returned annotation": "def f(n) -> open('x'):\n    return n * 2 + 1\n\nf(7)",
    "inner function": "def f(n):\n    def g(v=1 // 0):\n        return v\n    return g(n) + 1\n\nf(7)",
    "lambda with a default": "def f(n):\n    return sorted([n, 3], key=lambda v, c=[]: c)[0]\n\nf(7)",
    "break without a loop": "def f(n):\n    break\n    return n * 2 + 1\n\nf(7)",
    "argument twice": "def f(n):\n    return g(n, n)\n\ndef g(v, v):\n    return v\n\nf(7)",
    "NUL": "def f(n):\n    return n\0\n\nf(7)",
    "surrogate": "def f(n):\n    return len('\ud800') + n\n\nf(7)",
}

PADDED: Final[dict[str, str]] = {
    "constants alone": HONEST.replace("return r", "return r + (1 + 1 - 2) * 3 * 4"),
    "the same operation again": HONEST.replace("r = n + 3", "r = n + 3 if n + 3 == n + 3 else n + 3"),
}
"""Paddings that add no operation that a solver may get wrong, or hardly any."""
