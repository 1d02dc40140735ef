"""The gallery: a page with a sample of every environment, generated from the registry when the site is built."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File, Files

LEVEL, SEED = 3, 0
_INTRODUCTION = f"""# Gallery

One task of each environment at difficulty {LEVEL}, as a policy sees it. `envhub info ID` shows it with all details, and
`envhub play ID` plays one.
"""


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add the page."""
    files.append(File.generated(config, "gallery.md", content=page()))
    return files


def page() -> str:
    """The page as Markdown."""
    from envhub.web.cards import cards

    found = [card for card in cards() if card["error"] is None and not card["files"]]
    parts = [_INTRODUCTION]
    for category in sorted({card["category"] for card in found}):
        parts.append(f"## {category.replace('_', ' ').capitalize()}\n")
        parts += [_entry(card) for card in found if card["category"] == category]
    return "\n".join(parts)


def _entry(card: dict[str, Any]) -> str:
    import envhub

    env = envhub.make(card["id"], difficulty=LEVEL)
    prompt, _ = env.reset(seed=SEED)
    env.close()
    turns = "one answer" if card["turns"] == 1 else f"up to {card['turns']} turns"
    shown = "\n".join(f"    {line}" for line in prompt.splitlines())
    return f"### {card['id']}\n\n{card['description'].capitalize()} ({turns})\n\n{shown}\n"
