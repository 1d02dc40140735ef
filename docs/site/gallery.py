"""The gallery, and a page for each environment, generated from the registry when the site is built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from envhub.web.samples import Sample

LEVEL = 3
LEVELS = (1, 5, 10)
_SPECIAL = re.compile(r"([\\`*_\[\]{}#|])")
_INTRODUCTION = f"""# Gallery

One task of each environment at difficulty {LEVEL}, as a policy sees it. The title leads to its page, with rules, levels, rates
and more tasks; `envhub info ID` shows the same, and `envhub play ID` plays one.
"""


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add the pages."""
    for path, content in pages():
        files.append(File.generated(config, path, content=content))
    return files


def pages() -> Iterator[tuple[str, str]]:
    """The paths and contents of all pages and pictures."""
    from envhub.web.cards import cards

    found = [card for card in cards() if card["error"] is None and not card["files"]]
    yield "gallery.md", gallery(found)
    for card in found:
        yield f"gallery/{card['id']}.md", environment(card)
        for level in {LEVEL, *LEVELS} if card["picture"] else ():
            if (drawn := picture(card["id"], level)) is not None:
                yield f"gallery/{_picture_file(card['id'], level)}", drawn


def gallery(cards: list[dict[str, Any]]) -> str:
    """The gallery as Markdown."""
    parts = [_INTRODUCTION]
    for category in sorted({card["category"] for card in cards}):
        parts.append(f"## {category.replace('_', ' ').capitalize()}\n")
        parts += [
            f"### [{card['id']}](gallery/{card['id']}.md)\n\n{_summary(card)}\n\n{_sample(card['id'], LEVEL, 'gallery/')}\n"
            for card in cards
            if card["category"] == category
        ]
    return "\n".join(parts)


def environment(card: dict[str, Any]) -> str:
    """The page of an environment as Markdown."""
    from envhub.registry.describe import describe

    id = card["id"]
    facts = describe(id)
    rules = facts["rules"].partition("\n\n")[2]
    parts = [f"# {id}", _summary(card), _plain(rules)]
    if facts["covers"]:
        parts.append(f"Asked by other catalogues as: {', '.join(f'`{name}`' for name in facts['covers'])}.")
    parts += ["## Levels", _levels(facts), _rates(facts)]
    for level in LEVELS:
        parts += [f"## A task of level {level}", _sample(id, level)]
    parts += ["## Use it", _snippets(id, facts)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _summary(card: dict[str, Any]) -> str:
    turns = "one answer" if card["turns"] == 1 else f"up to {card['turns']} turns"
    tools = f", {card['tools']} tools" if card["tools"] else ""
    return f"{_plain(card['description'].capitalize())} ({turns}{tools})"


def _levels(facts: dict[str, Any]) -> str:
    """The parameters that differ between levels."""
    levels = facts["difficulties"]
    names = [name for name in levels["1"] if len({repr(params[name]) for params in levels.values()}) > 1]
    about = {param["name"]: param["description"] for param in facts["params"]}
    described = "\n".join(f"- `{name}`: {_plain(about.get(name, ''))}" for name in names)
    head = f"| level | {' | '.join(names)} |\n|{'---|' * (len(names) + 1)}"
    rows = "\n".join(
        f"| {level} | {' | '.join(_plain(str(params[name])) for name in names)} |" for level, params in levels.items()
    )
    return f"{described}\n\n{head}\n{rows}" if names else "All levels have the same parameters."


def _rates(facts: dict[str, Any]) -> str:
    """The solve rates of the reference policy, where a right answer cannot always be found."""
    rates = facts["ceiling"] or facts["reference"]
    if rates is None:
        return ""
    solved = ", ".join(f"{rate:.2f}" for rate in rates["solved"].values())
    how = f"{rates['episodes']} episodes per level" if rates["episodes"] else "computed"
    check = f"`envhub audit {facts['id']}` plays it again"
    return f"Share solved from level 1 to 10 by {_plain(rates['policy'])}: {solved} ({how}; {check})."


def picture(id: str, level: int) -> str | None:
    """The picture of a task as SVG; None without one."""
    from envhub.scenes.svg import svg

    scene = _drawn(id, level).scene
    return None if scene is None else svg(scene, title=f"A task of {id} at level {level}")


def _sample(id: str, level: int, folder: str = "") -> str:
    """A task: its picture if it has one, and its prompt.

    ``folder`` is the folder of the environments' pages, seen from the page that shows it.
    """
    shown = f"![A task of {id} at level {level}]({folder}{_picture_file(id, level)}){{ .scene loading=lazy }}\n\n"
    prompt = "\n".join(f"    {line}" for line in _drawn(id, level).prompt.splitlines())
    return (shown if _drawn(id, level).scene is not None else "") + prompt


def _picture_file(id: str, level: int) -> str:
    return f"pictures/{id}-{level}.svg"


@cache
def _drawn(id: str, level: int) -> Sample:
    from envhub.web.samples import draw

    return draw(id, level)


def _snippets(id: str, facts: dict[str, Any]) -> str:
    extras = f"pip install 'envhub[{','.join(facts['extras'])}]'\n" if facts["extras"] else "pip install envhub\n"
    return (
        f"```python\nimport envhub\n\nenv = envhub.make({id!r}, difficulty=3)\n"
        "observation, info = env.reset(seed=0)\n```\n\n"
        f"```\n{extras}envhub play {id} --difficulty 3\nenvhub generate {id} -n 1000 --format trl -o tasks.jsonl\n"
        f"envhub audit {id}\n```"
    )


def _plain(text: str) -> str:
    """Text whose characters mean nothing in Markdown."""
    return _SPECIAL.sub(r"\\\1", text).replace("<", "&lt;")
