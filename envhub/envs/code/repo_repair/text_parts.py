"""Parts of packages about settings, words and rights (:mod:`envhub.envs.code.repo_repair.part`)."""

from __future__ import annotations

from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.repo_repair.part import Constants, Part

_ITEMS: Final = ("bolt", "gear", "lamp", "nail", "pipe", "rope", "tile")
_NAMES: Final = ("ann", "bob", "cy", "dee", "eli", "fay")


def _config_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    names = rng.sample(("base", "dev", "live", "test"), 3)
    lines: list[str] = []
    for at, name in enumerate(names):
        lines.append(f"[{name}]" if not at or rng.below(3) == 0 else f"[{name} : {names[rng.below(at)]}]")
        for key in rng.sample(("port", "host", "debug", "limit", "title"), rng.between(2, 4)):
            value = rng.choice(
                (str(rng.between(-9, 99)), "yes", "no", "on", "alpha beta", "'7 # x'", f"{rng.below(9)}k", "")
            )
            lines.append(f"{' ' * rng.below(3)}{key} = {value}{rng.choice(('', '', '  # note', ' '))}")
        lines += rng.choice(([], ["# all"], [""], ["no equals sign"]))
    return ("\n".join(lines), rng.choice(names))


def _search_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    words = (
        "red",
        "apples",
        "apple",
        "green",
        "trees",
        "tree",
        "the",
        "of",
        "bus",
        "grass",
        "Red",
        "Tree,",
        "old-tree",
    )
    docs = {name: " ".join(rng.choice(words) for _ in range(rng.between(3, 9))) for name in rng.sample(_NAMES, 4)}
    if rng.below(3) == 0:  # a word in every document, placed late: its weight is the lowest possible
        docs = {name: f"red red {text} bus" for name, text in docs.items()}
        return docs, "bus", rng.between(1, 4)
    return docs, " ".join(rng.choice(words) for _ in range(rng.between(1, 3))), rng.between(1, 4)


def _access_case(rng: Stream, c: Constants) -> tuple[Any, ...]:
    roles = {"guest": [], "member": ["guest"], "editor": rng.choice((["member"], ["guest"])), "owner": ["editor"]}
    paths = ("/docs", "/docs/a", "/docs/a/b", "/docsx", "/img", "/img/a")
    rules = [
        [rng.choice(list(roles)), rng.choice(("read", "write")), rng.choice(paths), rng.below(3) > 0]
        for _ in range(rng.between(3, 6))
    ]
    asked = [[rng.choice(list(roles)), rng.choice(("read", "write")), rng.choice(paths)] for _ in range(6)]
    return asked, roles, rules


TEXTS: Final[dict[str, Part]] = {
    "config": Part(
        {
            "lines": '''"""The lines of a configuration file."""


def bare(line):
    """A line without its comment (from a # that stands in no single quotes) and without spaces around it."""
    quoted, kept = False, ""
    for letter in line:
        if letter == "'":
            quoted = not quoted
        if letter == "#" and not quoted:
            break
        kept += letter
    return kept.strip()


def pairs(text):
    """Triples (section, key, value) in order, and pairs (section, parent); lines without a sign of equality say
    nothing.
    """
    section, found, parents = "", [], []
    for line in map(bare, text.split("\\n")):
        if line.startswith("[") and line.endswith("]"):
            section, _, parent = [word.strip() for word in line[1:-1].partition(":")]
            parents.append((section, parent))
        elif "=" in line:
            key, _, value = line.partition("=")
            found.append((section, key.strip(), value.strip()))
    return found, parents
''',
            "values": '''"""What a value means."""


def read(text):
    """A value: text in single quotes is text; yes, on are True; no, off are False; nothing is None; a number may end in k.

    k stands for $kilo. Anything else is text.
    """
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1]
    if text in ("yes", "on"):
        return True
    if text in ("no", "off"):
        return False
    if text == "":
        return None
    digits = text[1:] if text[0] == "-" else text
    if digits.isdigit():
        return int(text)
    if digits[-1] == "k" and digits[:-1].isdigit():
        return $kilo * int(text[:-1])
    return text
''',
            "config": '''"""Settings by section; a section may have a parent, whose settings it takes over."""

from $pkg.common import grouped
from $pkg.lines import pairs
from $pkg.values import read


def settings(text, section):
    """The settings of a section, by key: its own, else its parent's, and so on for $depth sections at most, itself included.

    Of a key that is set several times in one section the last counts, and "changed" says how many keys are set more than once
    in all sections together.
    """
    found, parents = pairs(text)
    parent, chain = dict(parents), []
    for _ in range($depth):
        if section:
            chain.append(section)
        section = parent.get(section, "")
    result = {}
    for name in reversed(chain):
        for where, key, value in found:
            if where == name:
                result[key] = read(value)
    repeated = grouped(((where, key), value) for where, key, value in found)
    changed = sum(len(values) > 1 for values in repeated.values())
    return {"settings": sorted(result.items()), "chain": chain, "changed": changed}
''',
        },
        ("config", "settings"),
        {"kilo": (1000, 1024), "depth": (2, 3)},
        _config_case,
    ),
    "search": Part(
        {
            "terms": '''"""Words of a text, as they are searched for."""

SKIPPED = ("the", "of", "and")


def stem(word):
    """A word without the plural's s: words of more than $short letters lose an s at the end, but not of ss or us."""
    if len(word) > $short and word.endswith("s") and not word.endswith(("ss", "us")):
        return word[:-1]
    return word


def terms(text):
    """The stems of the words of a text in order, in small letters; whatever is no letter separates words; SKIPPED are
    left out.
    """
    plain = "".join(letter if letter.isalpha() else " " for letter in text.lower())
    return [stem(word) for word in plain.split() if word not in SKIPPED]
''',
            "index": '''"""Where a word occurs."""

from $pkg.common import grouped
from $pkg.terms import terms


def index(docs):
    """A dict from every stem to a dict from the names of documents to the places where it stands, counted from 0."""
    places = [(term, (name, at)) for name, text in docs.items() for at, term in enumerate(terms(text))]
    return {term: grouped(found) for term, found in grouped(places).items()}
''',
            "search": '''"""Search for words."""

from $pkg.common import clamp, ranked
from $pkg.index import index
from $pkg.terms import terms


def score(postings, name, count):
    """What one word is worth for one of count documents.

    That is how often it occurs in it (at most $often), times count, divided (rounded down) by the number of documents with the
    word; and $early more if it stands at one of the first two places.
    """
    places = postings.get(name, [])
    if not places:
        return 0
    early = $early if places[0] < 2 else 0
    return clamp(len(places), 0, $often) * count // len(postings) + early


def search(docs, query, limit):
    """Rows [name, score] of the best documents, at most limit, best first, only such with a score above 0; and the
    unknown words.
    """
    found, wanted = index(docs), terms(query)
    total = {
        name: sum(score(found.get(term, {}), name, len(docs)) for term in wanted) for name in docs
    }
    best = [name for name in ranked(docs, total.get) if total[name] > 0]
    return {"rows": [[name, total[name]] for name in best[:limit]], "unknown": [term for term in wanted if term not in found]}
''',
        },
        ("search", "search"),
        {"short": (3, 4), "often": (2, 3), "early": (1, 5)},
        _search_case,
    ),
    "access": Part(
        {
            "roles": '''"""Roles, and the roles they include."""


def included(role, roles):
    """The role, then the roles it includes, directly or through others, the nearest first; at most $deep steps away."""
    found, edge = [role], [role]
    for _ in range($deep):
        edge = [other for name in edge for other in roles.get(name, []) if other not in found]
        found.extend(edge)
    return found
''',
            "paths": '''"""Paths such as /a/b."""


def parts(path):
    """The names in a path."""
    return [name for name in path.split("/") if name]


def covers(upper, path):
    """How many names a path has in common with one that it lies below (or is); -1 where it does not lie below it."""
    above, names = parts(upper), parts(path)
    return len(above) if names[: len(above)] == above else -1
''',
            "access": '''"""Who may do what."""

from $pkg.paths import covers
from $pkg.roles import included


def decide(role, action, path, roles, rules):
    """The decision on one request by rules [role, action, path, allowed]: "yes" or "no", and the number of rules that fit.

    A rule fits if its role is the asking one or included in it, its path covers the one asked for, and its action is the one
    asked for; a rule for "write" that allows also fits "read". Of the rules that fit, the one with the longest path counts;
    of equally long ones that of the nearest role; then one that forbids. Where none fits the answer is "no".
    """
    known, best, fitting = included(role, roles), None, 0
    for name, act, upper, allowed in rules:
        length = covers(upper, path)
        right = act == action or (act == "write" and action == "read" and allowed)
        if name in known and length >= 0 and right:
            fitting += 1
            key = (length, -known.index(name), not allowed)
            best = key if best is None else max(best, key)
    return ["yes" if best is not None and not best[2] else "no", fitting]


def decisions(asked, roles, rules):
    """The decisions on requests [role, action, path], and how many of them are granted."""
    found = [decide(role, action, path, roles, rules) for role, action, path in asked]
    return {"decisions": found, "granted": sum(answer == "yes" for answer, _ in found)}
''',
        },
        ("access", "decisions"),
        {"deep": (1, 3)},
        _access_case,
    ),
}
