"""Typical mistakes in a part: a changed source, or another function.

Each is a pair of texts, the second replacing the first in the source of the part, or the whole source of another
function. Comparisons, operators and numbers off by one are not listed: :mod:`envhub.generators.programs.mutate` makes
them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Mistake = tuple[str, str] | str

_CHOOSE_LARGEST: Final = """
def choose(xs, apart, cost=0, twice=None):
    gains = [x - cost + (x if twice is not None and x % twice == 0 else 0) for x in xs]
    taken = []
    for at in sorted(range(len(xs)), key=lambda at: -gains[at]):
        if gains[at] > 0 and all(abs(at - other) >= apart for other in taken):
            taken.append(at)
    return sum(gains[at] for at in taken)
"""
_CHOOSE_FIRST: Final = """
def choose(xs, apart, cost=0, twice=None):
    total = 0
    last = -apart
    for at, x in enumerate(xs):
        gain = x - cost + (x if twice is not None and x % twice == 0 else 0)
        if gain > 0 and at - last >= apart:
            total += gain
            last = at
    return total
"""
_CHOOSE_STRIDE: Final = """
def choose(xs, apart, cost=0, twice=None):
    gains = [x - cost + (x if twice is not None and x % twice == 0 else 0) for x in xs]
    return max(sum(max(0, gain) for gain in gains[at::apart]) for at in range(apart))
"""
_CLIMB_FIRST: Final = """
def climb(xs, rise, most=None, reach=None):
    count = 0
    last = 0
    for at, x in enumerate(xs):
        step = x - xs[last]
        if at == 0 or (step >= rise and (most is None or step <= most) and (reach is None or at - last <= reach)):
            count += 1
            last = at
    return count
"""
_CHEAPEST_STEP: Final = """
def cheapest(grid, toll, jump=None, most=False):
    r = 0
    c = 0
    total = grid[0][0]
    while r + 1 < len(grid) or c + 1 < len(grid[0]):
        ways = []
        if r + 1 < len(grid):
            ways.append((grid[r + 1][c], r + 1, c))
        if c + 1 < len(grid[0]):
            ways.append((grid[r][c + 1] + toll, r, c + 1))
        if jump is not None and r + 1 < len(grid) and c + 1 < len(grid[0]):
            ways.append((grid[r + 1][c + 1] + jump, r + 1, c + 1))
        cost, r, c = max(ways) if most else min(ways)
        total += cost
    return total
"""

MISTAKES: Final[Mapping[str, tuple[Mistake, ...]]] = {
    "keep": (
        ("x % m == r", "abs(x) % m == r"),
        ("x % m == r", "(x % m == r and x >= 0)"),
        ("kept[:most]", "kept[-most:]"),
        ("kept[:most]", "sorted(kept)[:most]"),
    ),
    "scale": (
        ("x % wrap", "abs(x) % wrap"),
        ("x % wrap", "x - int(x / wrap) * wrap"),
        ("a * x + b", "a * (x + b)"),
        ("a * x + b", "a + x * b"),
    ),
    "rotate": (
        ("cut = by % len(piece)", "cut = by if by < len(piece) else 0"),
        ("cut = by % len(piece)", "cut = min(by, len(piece))"),
        ("piece[cut:] + piece[:cut]", "piece[-cut:] + piece[:-cut]"),
        ("turned += piece", "turned += piece if block is None or len(piece) == block else []"),
        ("cut = by % len(piece)", "cut = by % len(piece) if block is None or len(piece) == block else 0"),
        (
            "piece = piece[cut:] + piece[:cut]\n        if flip:\n            piece = piece[::-1]",
            "if flip:\n            piece = piece[::-1]\n        piece = piece[cut:] + piece[:cut]",
        ),
    ),
    "order": (
        ("(x % m, -x if down else x)", "x % m"),
        ("(x % m, -x if down else x)", "(x % m, -abs(x) if down else abs(x))"),
        ("(x % m, -x if down else x)", "(abs(x) % m, -x if down else x)"),
        ("(x % m, -x if down else x)", "-x if down else x"),
        ("(x % m, -x if down else x)", "(-(x % m), -x if down else x)"),
    ),
    "windows": (
        ("while at < len(xs):", "while at + width < len(xs):"),
        ("max(window) - min(window)", "abs(window[-1] - window[0])"),
        ("sum(window)", "sum(set(window))"),
        ("found.append(max(window))", "found.append(window[-1])"),
        ("found.append(max(window))", "found.append(max([abs(x) for x in window]))"),
        ("found.append(sum(window))", "found.append(sum([x for x in window if x > 0]))"),
    ),
    "runs": (
        (
            "for x in xs:\n        if found and abs(x - found[-1][0])",
            "for at, x in enumerate(xs):\n        if found and abs(x - xs[at - 1])",
        ),
        ("for value, count in found:", "for value, count in found[:-1]:"),
        ("for x in xs:", "for x in sorted(xs):"),
        ("abs(x - found[-1][0]) <= near", "0 <= x - found[-1][0] <= near"),
    ),
    "deltas": (
        ("xs[(at + lag) % len(xs)] - xs[at]", "xs[at] - xs[(at + lag) % len(xs)]"),
        ("(at + lag) % len(xs)", "min(at + lag, len(xs) - 1)"),
        ("delta = -delta", "delta = 0"),
        ("xs[(at + lag) % len(xs)] - xs[at]", "xs[(at + 1) % len(xs)] - xs[at]"),
    ),
    "totals": (
        ("total -= limit", "total %= limit"),
        ("total = floor", "total = 0"),
        ("total > limit", "abs(total) > limit"),
        ("total > limit", "total + x > limit"),
        ("total = 0\n        found", "total = x\n        found"),
        ("total += x", "total = max(total + x, 0)"),
    ),
    "collapse": (
        ("abs(x) < cap", "x < cap"),
        ("abs(stack[-1] - x) <= gap", "0 <= stack[-1] - x <= gap"),
        ("abs(stack[-1] - x) <= gap", "0 <= x - stack[-1] <= gap"),
        ("x += stack.pop()", "x = 2 * x + 0 * stack.pop()"),
        ("return stack", "return stack[::-1]"),
    ),
    "bits": (
        ("(x ^ mask)", "(abs(x) ^ mask)"),
        ("(x << turn) % 2**width | x >> (width - turn)", "(x << turn) % 2**width"),
        ("(x << turn) % 2**width | x >> (width - turn)", "x >> turn | (x << (width - turn)) % 2**width"),
        ('bin(x).count("1")', 'bin(x)[2:].count("0")'),
        ("(x ^ mask) % 2**width", "(x ^ mask) % (2**width - 1)"),
        ("(x ^ mask)", "(x | mask)"),
    ),
    "choose": (
        _CHOOSE_LARGEST,
        _CHOOSE_FIRST,
        _CHOOSE_STRIDE,
        ("return best[-1]", "return best[-1] or max(xs, default=0)"),
        ("best.append(max(best[at], before + gain))", "best.append(max(best[at], before + max(0, xs[at])))"),
    ),
    "climb": (
        _CLIMB_FIRST,
        ("max(best, default=0)", "best[-1] if best else 0"),
        ("max(best, default=0)", "max(best)"),
        ("max(longest, best[back] + 1)", "best[back] + 1"),
        ("for back in range(at):", "for back in range(max(0, at - 1), at):"),
    ),
    "pairs": (
        ("range(i + 1, len(xs))", "range(i + 1, min(i + 2, len(xs)))"),
        ("(xs[i] + xs[j]) % m", "abs(xs[i] + xs[j]) % m"),
        ("count += 1", "count += 1\n                break"),
        ("(xs[i] + xs[j])", "(xs[j] - xs[i])"),
        ("range(i + 1, len(xs))", "range(len(xs))"),
    ),
    "checksum": (
        ("x * (at + 1)", "x * at"),
        ("(check * base + x) % m", "abs(check * base + x) % m"),
        ("continue", "break"),
        ("(check * base + x) % m", "(check + x) * base % m"),
        ("(check * base + x) % m", "(check * base + x % base) % m"),
    ),
    "listed": (
        ("str(x)", "str(abs(x))"),
        ("at % group == 0", "at % group == group - 1"),
        ('return "".join(pieces)', 'return "".join(pieces) + (mark if pieces else "")'),
        (
            'return "".join(pieces)',
            'return "".join(pieces) + ("|" if group is not None and pieces and len(pieces) % group == 0 else "")',
        ),
        ('piece = "+" + piece', 'piece = "+"'),
    ),
    "shift": (
        ('"a" <= char <= "z"', '"a" <= char < "z"'),
        ('"a" <= char <= "z"', '"a" < char <= "z"'),
        ('"A" <= char <= "Z"', '"A" <= char < "Z"'),
        ('"A" <= char <= "Z"', '"A" < char <= "Z"'),
        ("(ord(char) - 97 + step) % 26", "(ord(char) - 97 + step)"),
        ("(ord(char) - 65 + step) % 26 + 65", "(ord(char) - 65 + step) % 26 + 97"),
        ("shifted += char", "shifted += char\n        step += grow if not char.isalpha() else 0"),
    ),
    "lengths": (
        ("str(count) + text[at]", "str(count % 10) + text[at]"),
        ("text[at] + str(count)", "text[at] + str(count % 10)"),
        ("text[end] == text[at]", "text[end].lower() == text[at].lower()"),
        ("packed += text[at] * count", "packed += text[at]"),
        ("while at < len(text):", "while at < len(text) - 1:"),
        ("text[end] == text[at]", 'text[end] == text[at] != " "'),
    ),
    "wrap": (
        ("text.split()", 'text.split(" ")'),
        ("left = room // 2", "left = (room + 1) // 2"),
        ("len(lines[-1]) + 1 + len(word)", "len(lines[-1]) + len(word)"),
        ('"\\n".join(laid)', '"\\n".join(laid) + "\\n"'),
        ("lines.append(word)", "lines.append(word[:width])"),
        ("text.split()", "text.split()[:-1]"),
    ),
    "inside": (
        ("elif char == closes and depth > 0:", "elif char == closes:"),
        ("depth -= 1", "depth = 0"),
        ("str(depth) + char", "char"),
        ("found += char\n        elif keep", "found += char.lower()\n        elif keep"),
        ("if char == opens:", "if char.lower() == opens:"),
        ("upper and char.isalpha()", "upper"),
    ),
    "censor": (
        ("if char in marks:", "if char.lower() in marks:"),
        ("seen >= after", "seen == after"),
        ("seen += 1", "seen = min(seen + 1, after - 1) if found[-1:] != char else after"),
        ('found += "*"', 'found += ""'),
        ("seen = 0\n    for", "seen = 1\n    for"),
    ),
    "swap": (
        ("at % every == 0", "at % every == every - 1"),
        ("at % every == 0", "at == 0"),
        ("word[tail:] + word[:tail]", "word[-tail:] + word[:-tail]"),
        ("word[len(word) // 2]", "word[len(word) // 2 - 1]"),
        ("len(word) % 2 == 1", "len(word) % 2 == 1 and len(word) > 1"),
    ),
    "ranked": (
        ("(-counts[word], -len(word) if down else len(word), word)", "(-counts[word], word)"),
        ("(-counts[word], -len(word) if down else len(word), word)", "-counts[word]"),
        ("(-counts[word], -len(word) if down else len(word), word)", "(-counts[word], len(word))"),
        ("(-counts[word],", "(counts[word],"),
        ("word.endswith(last)", "last in word"),
        ("word.endswith(last)", "word.startswith(last)"),
        ("counts.get(word, 0) + 2", "2"),
        ("ordered[:most]", "ordered[-most:]"),
        ("word + str(counts[word])", "word + str(counts[word] % 10)"),
    ),
    "split": (
        ("text.split(at)", "text.strip(at).split(at)"),
        ("text.split(at)", "text.strip().split(at)"),
        ("text.lower()", "text.upper()"),
        ('piece != ""', 'piece.strip() != ""'),
        ("text.split(at)", "text.split(at, 2)"),
        ("pieces = text.split(at)", "pieces = [piece.strip() for piece in text.split(at)]"),
    ),
    "codes": (
        ("ord(char.lower()) - 97", "ord(char) - 97"),
        ("ord(char.lower()) - 97 + base", "(ord(char.lower()) - 97 + base) % 26"),
        ("code * code % m", "code % m"),
        ("found.append(-1)", "pass"),
        ("int(char) * digits", "digits"),
        ("int(char) * digits", "ord(char) * digits"),
    ),
    "sizes": (
        ("len(word) * weight", "len(set(word)) * weight"),
        ("ord(word[0])", "ord(word[-1])"),
        ("ord(word[0])", "ord(word[0]) - 97"),
        ("len(word) * weight", "len(word) + weight"),
    ),
    "joined": (
        ('word[:wide] + "." * (wide - len(word))', 'word + "." * (wide - len(word))'),
        ('word[:wide] + "." * (wide - len(word))', "word[:wide]"),
        ('word[:wide] + "." * (wide - len(word))', '"." * (wide - len(word)) + word[:wide]'),
        ("str(at + 1)", "str(at)"),
        ("str(at + 1)", "str((at + 1) % 10)"),
        ("mark.join(pieces)", "mark.join(pieces) + mark"),
    ),
    "spread": (
        ("min(int(right), times)", "int(right)"),
        ("max(low, high) + 1", "max(low, high)"),
        ("item = item.strip()", "item = item"),
        ("least <= value <= most", "least < value <= most"),
        ("least <= value <= most", "least <= value < most"),
        ("range(min(low, high), max(low, high) + 1)", "range(low, high + 1)"),
        ("for value in found if", "for value in dict.fromkeys(found) if"),
        ("for value in found if", "for value in sorted(found) if"),
        ('left.lstrip("-").isdigit() and right.isdigit()', "left.isdigit() and right.isdigit()"),
    ),
    "digits": (
        ("abs(number)", "number"),
        ('while rest > 0 or written == "":', "while rest > 0:"),
        ("symbols[rest % base] + written", "written + symbols[rest % base]"),
        ("symbols[0] + written", "written + symbols[0]"),
        ("len(written) % width != 0", "len(written) < width"),
        ('"-" + written', "written"),
    ),
    "clock": (
        ("high > 0 or whole:", "high > 0:"),
        ("middle > 0 or high > 0 or whole", "middle > 0 or whole"),
        ("rest // small % big", "rest // small"),
        ("sign + ", ""),
        ("rest // small // big", "rest // small // big % 100"),
        ("high > 0 or whole:", "high > 1 or whole:"),
    ),
    "merge": (
        ("sorted(spans)", "spans"),
        ("max(merged[-1][1], end)", "end"),
        ("sorted(spans)", "sorted(spans, key=lambda span: span[1])"),
        ("merged[-1][1] = max(merged[-1][1], end)", "merged[-1][1] += end - start"),
        (
            "in sorted(spans):",
            "in sorted(spans):\n        if least is not None and end - start < least:\n            continue",
        ),
        ("start - merged[-1][1] <= gap", "abs(start - merged[-1][1]) <= gap"),
    ),
    "book": (
        ("(span[1], -span[0] if late else span[0])", "span[0]"),
        ("(span[1], -span[0] if late else span[0])", "span[1]"),
        ("(span[1], -span[0] if late else span[0])", "span[1] - span[0]"),
        ("(span[1], -span[0] if late else span[0])", "(span[1], span[0] if late else -span[0])"),
        ("start - taken[-1][1] >= rest", "start - taken[0][1] >= rest"),
        ("start - taken[-1][1] >= rest", "abs(start - taken[-1][1]) >= rest"),
    ),
    "cover": (
        ("end + 1 if ends else end", "end + 1"),
        ("levels.get(at, 0) + 2", "2"),
        ("levels[at] >= least", "levels[at] == least"),
        ("sorted(at for at in levels", "list(at for at in levels"),
        ("range(start,", "range(start + 1,"),
        ("levels.get(at, 0) + 1", "1"),
    ),
    "gaps": (
        ("size = -size", "size = start"),
        ("(start + end) % both", "(end - start) % both"),
        ("start % 2 == 1", "end % 2 == 1"),
        ("start % 2 == 1", "size % 2 == 1"),
    ),
    "turn": (
        ("grid[rows - 1 - r][c] for r in range(rows)", "grid[r][c] for r in range(rows)"),
        ("grid[r][columns - 1 - c] for r in range(rows)", "grid[r][c] for r in range(rows)"),
        ("[row[::-1] for row in grid]", "grid[::-1]"),
        ("cell + add * r", "cell + add * (r + 1)"),
        ("sum(row) % 10", "sum(row)"),
        ("columns = len(grid[0])", "columns = len(grid)"),
    ),
    "evolve": (
        (
            "line.append((a * grid[r][c] + b * total) % 10)",
            "line.append((a * grid[r][c] + b * total) % 10)\n"
            "                grid = [row[:] for row in grid]\n                grid[r][c] = line[-1]",
        ),
        ("(dr == 0 and dc == 0) or", ""),
        ("columns = len(grid[0])", "columns = len(grid)"),
        ("(a * grid[r][c] + b * total) % 10", "a * grid[r][c] + b * total"),
        ("(a * grid[r][c] + b * total) % 10", "(a * total + b * grid[r][c]) % 10"),
        ("0 <= r + dr < rows and 0 <= c + dc < columns", "0 < r + dr < rows and 0 < c + dc < columns"),
    ),
    "spiral": (
        ("row[::-1]", "row"),
        ("r % 2 == 0", "r % 2 == 1"),
        ("found[::every]", "found[every - 1 :: every]"),
        ("rows.reverse()", "pass"),
        ("range(len(rows[0]) - 1, -1, -1)", "range(len(rows[0]))"),
        ("range(len(rows[0]) - 1, -1, -1)", "range(len(rows) - 1, -1, -1)"),
    ),
    "cheapest": (
        _CHEAPEST_STEP,
        ("line[c - 1] + toll", "line[c - 1]"),
        ("best[c - 1] + jump", "best[c - 1]"),
        ("(max(ways) if most else min(ways))", "ways[0]"),
        ("return best[-1]", "return best[-1] - grid[0][0]"),
        ("return best[-1]", "return min(best)"),
    ),
    "distances": (
        ("queue.pop(0)", "queue.pop()"),
        ("node != start and node % closed == 0", "node % closed == 0"),
        ("queue.append(b)", "queue = queue[:0]"),
        ("found[b] = found[node] + 1", "found[b] = 1"),
        ("found[start] = 0", "found[start] = missing"),
    ),
    "walk": (
        ("path.pop()", "path = path[:1] if len(path) > 1 else []"),
        ("len(seen) % 2 == 1", "len(path) % 2 == 1"),
        ("if b == node and a not in seen", "if b < 0"),
        ("len(seen) > most", "len(path) > most"),
        ("max(ways) if high and len(seen) % 2 == 1 else min(ways)", "ways[0]"),
        ("min(ways)", "ways[-1]"),
    ),
    "robot": (
        (
            "dx, dy = -dx, -dy",
            "dx, dy = -dx, -dy\n                    x += dx\n                    y += dy",
        ),
        ("dx, dy = -dy, dx", "dx, dy = dy, -dx"),
        ("x, y = y, x", "x, y = y, x\n            dx, dy = dy, dx"),
        ("at % tax == tax - 1", "at % tax == 0"),
        ("else:\n                    break", "else:\n                    x = max(0, x - 1)"),
        ("range(int(command[1:]))", "range(int(command[1:]) - 1)"),
    ),
    "iterate": (
        ("number % m", "abs(number) % m"),
        ("found = [value]", "found = []"),
        ("(value // 2 + c) % m", "value // 2 % m"),
        ("(odd * value + 1) % m", "odd * value + 1"),
        ("break", "found.append(value)\n            break"),
    ),
}
