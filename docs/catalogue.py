"""Write docs/catalogue.md, the table of all environments, and the counts in the README: ``python docs/catalogue.py``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from envhub.registry.describe import summary
from envhub.registry.registry import builtin_ids, load, spec

FILE: Final = Path(__file__).with_suffix(".md")
README: Final = FILE.parents[1] / "README.md"
CATEGORIES: Final[Mapping[str, str]] = {
    "rule_based": "Rule-based",
    "logic": "Logic",
    "puzzles": "Pencil puzzles",
    "pictures": "Pictures",
    "graphs": "Graphs",
    "numbers": "Numbers",
    "algebra": "Algebra and calculus",
    "instructions": "Instructions and formats",
    "games": "Games",
    "worlds": "Worlds",
    "code": "Code",
    "search": "Search",
    "tools": "Tools",
    "lean": "Proofs",
}
"""Title by category, in the order of the page."""
HOW: Final[Mapping[str, str]] = {
    "dataset-v0": "datasets.md#your-own-questions",
    "code-tests-v0": "datasets.md#your-own-programming-problems",
    "search-dataset-v0": "datasets.md#your-own-corpus",
    "lean-proof-v0": "proofs.md",
    "webshop-v0": "worlds/webshop.md",
    "customer-service-v0": "worlds/customer-service.md",
    "deep-research-v1": "worlds/deep-research.md",
    "preference-v1": "worlds/preference.md",
    "household-v0": "worlds/household.md",
    "ml-experiment-v0": "worlds/ml-experiment.md",
    "science-lab-v0": "worlds/science-lab.md",
    "next-state-v0": "worlds/next-state.md",
    "quest-v0": "worlds/quest.md",
    "pddl-plan-v0": "worlds/planning.md",
    "blocksworld-v0": "worlds/planning.md",
    "plan-repair-v0": "worlds/planning.md",
    "plan-effects-v0": "worlds/planning.md",
    "pddl-steps-v0": "worlds/planning.md",
    "goal-recognition-v0": "worlds/planning.md",
}
HEAD: Final = """# The catalogue

Every environment, by category. *Turns*: one answer or a conversation. *Splits by*: whether splits divide the problems by
content, or by seed if the task is hidden state. `envhub info ID` shows rules, parameters, the difficulty table and a sample.
`python docs/catalogue.py` writes this page.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(category) for category in CATEGORIES if any_of(category))])


def section(category: str) -> str:
    """The table of a category, in the order of the registry."""
    rows = [row(env_id) for env_id in builtin_ids() if spec(env_id).category == category]
    head = ("| id | turns | what the policy does | splits by |", "|---|---|---|---|")
    return "\n".join([f"## {CATEGORIES[category]}", "", *head, *rows, ""])


def row(env_id: str) -> str:
    """One environment."""
    cls = load(spec(env_id))
    turns = "one" if cls.max_turns == 1 else "many"
    does = str(summary(env_id)["description"]).rstrip(".")
    how = f" ([how]({HOW[env_id]}))" if env_id in HOW else ""
    return f"| `{env_id}` | {turns} | {does[:1].upper()}{does[1:]}{how} | {cls.split_by} |"


def any_of(category: str) -> bool:
    """Whether a category has environments yet."""
    return any(spec(env_id).category == category for env_id in builtin_ids())


def counted(readme: str) -> str:
    """The README with the number of environments, in all and by category."""
    by_category = Counter(spec(env_id).category for env_id in builtin_ids())
    text = re.sub(r"# \d+ environments", f"# {by_category.total()} environments", readme)
    for category, title in CATEGORIES.items():
        text = re.sub(rf"^\| {title} \| \d+ \|", f"| {title} | {by_category[category]} |", text, flags=re.MULTILINE)
    return text


if __name__ == "__main__":
    FILE.write_text(page())
    README.write_text(counted(README.read_text()))
