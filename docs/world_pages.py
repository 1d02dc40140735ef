"""Write the measured parts of docs/worlds/: ``python docs/world_pages.py`` plays the transcripts again.

``python docs/world_pages.py rates household-v0 500`` also measures the scripted policies again, with 500 episodes a level. A
page marks what is written: ``<!-- transcript ID LEVEL SEED POLICY -->`` and ``<!-- rates ID -->``, each up to ``<!-- end -->``.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import envhub

FOLDER: Final = Path(__file__).parent / "worlds"
TRANSCRIPT: Final = re.compile(r"(<!-- transcript (\S+) (\d+) (\d+) (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
RATES: Final = r"(<!-- rates {} -->\n).*?(<!-- end -->)"
FIRST_SEED: Final = 7_000_000
POLICIES: Final[dict[str, Callable[[Any], str]]] = {
    "oracle": lambda env: str(env.solve()),
    "idle": lambda env: "",
    "greedy": lambda env: env.environment.greedy_action(env.episode.instance, env.episode.state, env.np_random),
    "reference": lambda env: env.environment.reference_action(env.episode.instance, env.episode.state, env.np_random),
}
"""Who may play, by name. The scripted policies draw nothing."""


def transcript(env_id: str, level: int, seed: int, policy: str) -> str:
    """A whole episode: prompt, actions and observations."""
    env = envhub.make(env_id, difficulty=level)
    observation, _ = env.reset(seed=seed)
    lines, solved = [str(observation)], False
    while not env.episode.over:
        action = POLICIES[policy](env)
        observation, reward, *_ = env.step(action)
        lines += ["", f"> {action}", "", str(observation)]
        solved = reward == 1.0
    if not solved:
        raise RuntimeError(f"{policy} does not solve {env_id} at {level} with seed {seed}.")
    return "\n".join(["````text", *lines, "````"])


def filled(text: str) -> str:
    """A page with its transcripts played again."""
    return TRANSCRIPT.sub(
        lambda found: f"{found[1]}{transcript(found[2], int(found[3]), int(found[4]), found[5])}\n{found[6]}", text
    )


def rates(env_id: str, episodes: int) -> str:
    """The table of rates: each level, by policy and kind of task."""
    rows, kinds, policies = [], set[str](), list[str]()
    for level in range(1, 11):
        solved, played = defaultdict[tuple[str, str], float](float), defaultdict[tuple[str, str], int](int)
        env = envhub.make(env_id, difficulty=level)
        for seed in range(FIRST_SEED, FIRST_SEED + episodes):
            env.reset(seed=seed)
            kind = _kind(env.task.problem)
            policies = policies or [name for name in ("greedy", "reference") if POLICIES[name](env) is not None]
            for policy in policies:
                reward = _reward(env.fork(), policy)
                for group in {kind, ""}:
                    solved[policy, group] += reward
                    played[policy, group] += 1
            kinds.add(kind)
        rows.append({group: solved[group] / count for group, count in played.items()})
    heads = ["", *sorted(kinds - {""})]
    lines = [f"| level | {' | '.join(head or 'all' for head in heads)} |", "|---|" + "---|" * len(heads)]
    for level, row in enumerate(rows, 1):
        cells = (" / ".join(f"{row[policy, head]:.2f}" for policy in policies) for head in heads)
        lines.append(f"| {level} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _kind(problem: Any) -> str:
    """The kind of a task, which groups the rates; empty if there is one kind."""
    return str(problem["kind"] if "kind" in problem else problem.get("task", [""])[0])


def _reward(env: Any, policy: str) -> float:
    reward = 0.0
    while not env.episode.over:
        reward = env.step(POLICIES[policy](env))[1]
    return reward


def main(arguments: list[str]) -> None:
    """Write all pages again, with the rates of one environment if asked."""
    for page in sorted(FOLDER.glob("*.md")):
        text = filled(page.read_text())
        if arguments[:1] == ["rates"] and f"<!-- rates {arguments[1]} -->" in text:
            table = rates(arguments[1], int(arguments[2]))
            text = re.sub(RATES.format(arguments[1]), rf"\g<1>{table}\n\g<2>", text, flags=re.DOTALL)
        page.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
