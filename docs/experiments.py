"""Writes the transcript and the rates of worlds/ml-experiment.md: ``python docs/experiments.py``.

``python docs/experiments.py rates`` also plays the scripted baselines again: one task of each kind at each level, each in the
sandbox. This takes about ten CPU minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import fsum
from pathlib import Path
from typing import Final

from services import filled
from transcripts import Shown, section

import envhub
from envhub.authoring import write_call
from envhub.envs.code.ml_experiment.baselines import Baseline, baseline_script
from envhub.envs.code.ml_experiment.draft import TASKS
from envhub.envs.code.ml_experiment.scoring import SOLVED

FILE: Final = Path(__file__).parent / "worlds" / "ml-experiment.md"
BASELINES: Final[tuple[Baseline, ...]] = ("linear", "selected")
SEED: Final = 7_000_000
LEVELS: Final = range(1, 11)
_LOOK: Final = """import pandas as pd
train, test = pd.read_csv("train.csv"), pd.read_csv("test.csv")
print(train.head(4).to_string())
print(train.topic.value_counts().sort_index().to_dict())
print("repeated:", train.duplicated().sum(), "texts of test.csv in train.csv:", test.text.isin(train.text).sum())
print(train.groupby("topic").review.mean().round(1).to_dict())
"""
_COMPARE: Final = r"""from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
clean = train.drop_duplicates("text")
def joined(text):  # a word after "no" is a word of its own
    return text.replace("no ", "no_")
def pipeline(model):
    return make_pipeline(CountVectorizer(token_pattern=r"\S+"), model)
for name, model in (("bayes", MultinomialNB(alpha=0.5)), ("logistic", LogisticRegression(C=0.3, max_iter=2000))):
    for how, texts in (("words", clean.text), ("negated words", clean.text.map(joined))):
        score = cross_val_score(pipeline(model), texts, clean.topic, cv=10).mean()
        print(f"{name}, {how}: {score:.2f}")
"""
_PREDICT: Final = """model = pipeline(LogisticRegression(C=0.3, max_iter=2000)).fit(clean.text.map(joined), clean.topic)
test["prediction"] = model.predict(test.text.map(joined))
test[["id", "prediction"]].to_csv("submission.csv", index=False)
"""
SHOWN: Final = Shown(
    "Level 9",
    "Topics of messages, with both traps: a third of the rows is repeated, and `review` was entered after the outcome.",
    "ml-experiment-v0",
    (
        *(write_call("python", code=code) for code in (_LOOK, _COMPARE, _PREDICT)),
        write_call("submit"),
        write_call("finish"),
    ),
    difficulty=9,
    seed=2,
    needs="sandbox",
)


def played(task: str, level: int, baseline: Baseline) -> float:
    """The score of a baseline on one task."""
    env = envhub.make("ml-experiment-v0", difficulty=level, task=task)
    env.reset(seed=SEED)
    env.step(write_call("python", code=baseline_script(env.task.problem, baseline)))
    env.step(write_call("submit"))
    _, reward, terminated, _, info = env.step(write_call("finish"))
    if not terminated:
        raise RuntimeError(f"{baseline} on {task} at {level} was not judged: {info}")
    return float(reward)


def rates() -> str:
    """The table of scores by kind and level, then the means and the shares of solved tasks."""
    scores = {(task, level, by): played(task, level, by) for task in TASKS for level in LEVELS for by in BASELINES}
    lines = [f"| | {' | '.join(map(str, LEVELS))} |", f"|---|{'---|' * len(LEVELS)}"]

    def cells(name: str, values: Iterator[list[float]]) -> None:
        lines.append(f"| {name} | {' | '.join(' / '.join(f'{each:.2f}' for each in pair) for pair in values)} |")

    for task in TASKS:
        cells(f"`{task}`", ([scores[task, level, by] for by in BASELINES] for level in LEVELS))
    every = {(level, by): [scores[task, level, by] for task in TASKS] for level in LEVELS for by in BASELINES}
    count = len(TASKS)
    cells("mean", ([fsum(every[level, by]) / count for by in BASELINES] for level in LEVELS))
    cells("solved", ([sum(s >= SOLVED for s in every[level, by]) / count for by in BASELINES] for level in LEVELS))
    return "\n".join(lines) + "\n"


def transcript() -> str:
    """The transcript of a solved episode."""
    return section(SHOWN).replace("## ", "### ", 1)


def main() -> None:
    """Write the page."""
    text = filled(FILE.read_text(), "transcripts", transcript())
    if sys.argv[1:] == ["rates"]:
        text = filled(text, "rates", rates())
    FILE.write_text(text)


if __name__ == "__main__":
    main()
