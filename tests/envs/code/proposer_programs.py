"""Programs that use most of the language of proposals."""

from __future__ import annotations

_TEXT = """def f(xs):
    r = []
    for i, x in enumerate(xs):
        if x % 2 == 0:
            r.append(x * 3)
        else:
            r.insert(0, -x)
    r.sort(key=lambda v: (v % 3, v))
    return r


def f(xs):
    best = 0
    for i in range(len(xs)):
        for j in range(i, len(xs)):
            best = max(best, sum(xs[i:j + 1]) * (j - i + 1))
    return best


def g(a, b):
    while b > 0:
        a, b = b, a % b
    return a

def f(xs):
    r = 12
    for x in xs:
        r = g(r + x, x + 1) * 2 + x
    return r


def f(xs):
    d = {}
    for x in xs:
        d[x] = d.get(x, 0) + 1
    return sum([k * v for k, v in d.items()]) + max(d.values()) * 10


def f(xs):
    d = {0: 0, 1: 0}
    for x in xs:
        d[x % 2] += x + 1
    return [d[0], d[1], d[0] > d[1]]


def f(n):
    s = str(abs(n))
    return s[::-1] + ("+" if n > 0 else "-") + s.replace("4", "four")


def f(n):
    return sum(map(int, str(n * n))) + len(list(filter(lambda v: v > 3, range(n % 9))))


def f(n):
    q, r = divmod(n, 7)
    return max(q, r, 3) * 100 + min([q, r]) + (q in [1, 2, r])


def f(n):
    k = 0
    while n != 1 and k < 9:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        k += 1
    return n * 10 + k


def f(n):
    return any(v * v == n for v in range(8)) + all([n % v for v in [2, 3, 5]]) + round(n, -1)


def f(s):
    r = ""
    for c in s:
        r = chr((ord(c) - 97 + len(r) + 1) % 26 + 97) + r
    return r.upper() + s.title()


def f(s):
    return "-".join(sorted(s, key=lambda c: -ord(c))) + str(s.count("a") * 2 + s.find("b"))


def f(s):
    d = {c: i for i, c in enumerate(s)}
    return [d[c] * 3 for c in sorted(d)] + [len(s) == len(d), s.startswith("a")]


def f(s):
    t = s
    while len(t) < 6:
        t = t + t[0] + s[-1]
    return t[1:5] + t[:2].swapcase()


def f(s):
    a = list(s)
    a.reverse()
    a.extend([c * 2 for c in s if c in "ace"])
    return "".join(a).split("a")


def f(a, b):
    return pow(a + 2, b % 4) ^ (a & b | 4) % 7 - ~b


def f(a, b):
    m = [[a, b], [b, a + 1]]
    m[0][1] += m[1][0] * 2
    m[1] += [m[0][0] - 3]
    return m[0] + m[1]


def f(a, b):
    if b == 0:
        return a * 3
    return f(b - 1, a % b) + b


def f(a, b):
    r = 0
    for x, y in zip(range(a), reversed(range(b))):
        if (x + y) % 3 == 1:
            continue
        if r > 20:
            break
        r += x * y + 1
    return r


def f(a, b):
    t = (a, b, a)
    return t[a % 3] * 10 + t.count(a) + sum(t[1:]) + len(t + (b,)) + tuple([1, 2]).index(1 + (b > 3))


def f(a, b):
    w = [a] * 3
    v = w
    w *= 2
    v += [b]
    return len(w) * 10 + sum(v) + (w == v)


def f(xs):
    return [sum(x for x in xs if x > 1), max(xs, key=lambda v: -v), len(str(xs)), xs[-1:] + xs[:1] == xs]"""
PROGRAMS = tuple(_TEXT.split("\n\n\n"))
