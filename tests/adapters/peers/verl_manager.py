"""Our reward manager in a worker of verl's own reward loop; run by an interpreter that has verl.

Arguments: a file of rows with the oracle's actions, and the address of a server or ``-``. Prints as JSON what the worker
answered to a batch of right and wrong responses, what it raised for others, and how many responses were judged together.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import verl_worker
from verl.experimental.reward_loop.reward_loop import RewardLoopWorker

from envhub.adapters.shared.scoring import RowResponse, Scored, Scorer

WRONG = "<answer>4000000</answer>"
batches: list[int] = []


def counted(scorer: Any, answered: Sequence[RowResponse]) -> list[Scored]:
    """Judge, and remember how many there were."""
    batches.append(len(answered))
    return judge(scorer, answered)


judge, Scorer.__call__ = Scorer.__call__, counted  # type: ignore[method-assign, assignment]


def worker(url: str) -> Any:
    """verl's worker, told of our manager as the documentation says."""
    return RewardLoopWorker(
        verl_worker.configured(
            verl_worker.model(Path(tempfile.mkdtemp())),
            "reward.reward_manager.source=importlib",
            "reward.reward_manager.name=EnvhubRewardManager",
            "reward.reward_manager.module.path=pkg://envhub.adapters.verl.reward_manager",
            "+reward.reward_kwargs.reward={accuracy: 1.0, format: 0.5}",
            *([] if url == "-" else [f"+reward.reward_kwargs.url='{url}'"]),
        )
    )


def main(path: str, url: str) -> None:
    """Judge, and tell."""
    rows, at = verl_worker.rows_of(path), worker(url)
    right = [row["extra_info"]["solution"][0] for row in rows]

    def scored(rows: list[Any], texts: list[str]) -> Any:
        batches.clear()
        data = verl_worker.responses(rows, texts, at.input_tokenizer)
        return at.loop.run_until_complete(at.compute_score_batch(data))

    def refused(rows: list[Any], texts: list[str]) -> str:
        try:
            return f"scored {scored(rows, texts)}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    told: dict[str, Any] = {"scored": scored(rows * 3, [*right, *[WRONG] * len(rows), *["hm"] * len(rows)])}
    told["together"] = list(batches)
    others = [{**row, "reward_model": rows[0]["reward_model"]} for row in rows[1:]]
    told["altered"] = refused([rows[0], *others], right)
    told["foreign"] = refused([{**rows[0], "data_source": "openai/gsm8k"}], right[:1])
    with verl_worker.unjudged() as lost:
        told["unjudged"] = refused(lost, ["<answer>1</answer>"])
        told["tries"] = list(batches)
    print("\n" + json.dumps(told))


if __name__ == "__main__":
    main(*sys.argv[1:])
