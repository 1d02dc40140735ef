"""Our agent loop in a worker of verl's own; run by an interpreter that has verl.

Arguments: a file of rows with the oracle's actions, and the family of the model. The engine is a script: a wrong action, then
those of the oracle, or wrong ones alone. Prints as JSON the batch that verl makes of it, and what the worker raised where there
is no reward.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
import verl_worker
from verl import DataProto
from verl.experimental.agent_loop import AgentLoopWorker
from verl.workers.rollout.replica import TokenOutput

WRONG, END, PROMPT, RESPONSE = "<answer>4000000</answer>", "<|im_end|>", 2000, 3000
LOOP = """
- name: envhub
  _target_: envhub.adapters.verl.agent_loop.EnvhubAgentLoop
  reward: {accuracy: 1.0, format: 0.5}
"""


class Engine:
    """Says what each episode's script says; which episode it is, stands in its system message.

    Attributes:
        asked: The tokens it was asked with, turn by turn and episode by episode.
    """

    def __init__(self, tokenizer: Any, scripts: list[list[str]], stopped: str) -> None:
        self._tokenizer, self._stopped = tokenizer, stopped
        self._scripts: list[Iterator[str]] = [iter(script) for script in scripts]
        self._episodes: dict[str, int] = {}
        self.asked: list[list[list[int]]] = [[] for _ in scripts]

    async def generate(self, request_id: str, *, prompt_ids: list[int], sampling_params: Any, **_: Any) -> Any:
        """The next action of the episode."""
        if request_id not in self._episodes:
            opening = self._tokenizer.decode(prompt_ids)
            self._episodes[request_id] = int(opening.partition("episode #")[2].partition(END)[0])
        number = self._episodes[request_id]
        self.asked[number].append(list(prompt_ids))
        said = self._tokenizer.encode(next(self._scripts[number]) + END, add_special_tokens=False)
        said = said[: sampling_params["max_tokens"]]
        steps = dict.fromkeys(("global_steps", "min_global_steps", "max_global_steps"), 7)
        return TokenOutput(
            token_ids=said, log_probs=[-0.5] * len(said), stop_reason=self._stopped, num_preempted=0, extra_fields=steps
        )


def played(family: str, rows: list[Any], scripts: list[list[str]], stopped: str, most: tuple[int, int]) -> Any:
    """The batch that verl's worker makes of episodes, its engine and its tokenizer."""
    folder = Path(tempfile.mkdtemp())
    (folder / "loops.yaml").write_text(LOOP)
    config = verl_worker.configured(
        verl_worker.model(folder / "model", family),
        f"actor_rollout_ref.rollout.agent.agent_loop_config_path={folder / 'loops.yaml'}",
        "actor_rollout_ref.rollout.agent.default_agent_loop=envhub",
        f"data.max_prompt_length={most[0]}",
        f"data.max_response_length={most[1]}",
    )
    worker = AgentLoopWorker(config, None)
    worker.llm_client = Engine(worker.tokenizer, scripts, stopped)
    prompts = [[{"role": "system", "content": f"episode #{number}"}, *row["prompt"]] for number, row in enumerate(rows)]
    columns = verl_worker.columns(rows, raw_prompt=prompts)
    batch = DataProto.from_dict(tensors={"number": torch.arange(len(rows))[:, None]}, non_tensors=columns)
    return asyncio.run(worker.generate_sequences(batch)), worker.llm_client, worker.tokenizer


def told(batch: Any, engine: Any, tokenizer: Any, prompt: int) -> list[dict[str, Any]]:
    """What there is of each episode."""
    found = []
    for number in range(len(batch)):
        there = batch.batch["attention_mask"][number].bool()
        length = int(there[prompt:].sum())
        response = batch.batch["responses"][number][:length].tolist()
        mask = batch.batch["response_mask"][number][:length].tolist()
        whole = batch.batch["input_ids"][number][there].tolist()
        log_probs = batch.batch["rollout_log_probs"][number][:length].tolist()
        found.append(
            {
                "reward": float(batch.batch["rm_scores"][number][length - 1]),
                "all rewards": float(batch.batch["rm_scores"][number].abs().sum()),
                "length": length,
                "text": tokenizer.decode(whole),
                "said": tokenizer.decode([token for token, own in zip(response, mask, strict=True) if own]),
                "extended": all(whole[: len(asked)] == asked for asked in engine.asked[number]),
                "log_probs": all((value != 0) == bool(own) for value, own in zip(log_probs, mask, strict=True)),
                "turns": int(batch.non_tensor_batch["__num_turns__"][number]),
                "named": {name: float(batch.non_tensor_batch[name][number]) for name in ("score", "acc", "no_answer")},
            }
        )
    return found


def main(path: str, family: str) -> None:
    """Play, and tell."""
    rows = verl_worker.rows_of(path)
    right = [[WRONG, *row["extra_info"]["solution"]] for row in rows]
    wrong = [[WRONG] * 99] * len(rows)

    def batch(scripts: list[list[str]], most: tuple[int, int] = (PROMPT, RESPONSE)) -> list[dict[str, Any]]:
        return told(*played(family, rows, scripts, "completed", most), most[0])

    def refused(play: Callable[[], Any]) -> str:
        try:
            return f"played {play()}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    both = (PROMPT, RESPONSE)
    answer = {"right": batch(right), "wrong": batch(wrong), "cut": batch(right, (PROMPT, 60))}
    answer["aborted"] = refused(lambda: played(family, rows, right, "aborted", both))
    answer["prompt cut"] = refused(lambda: played(family, rows, right, "completed", (50, RESPONSE)))
    altered = [{**rows[0], "extra_info": {**rows[0]["extra_info"], "fingerprint": "of another"}}]
    answer["altered"] = refused(lambda: played(family, altered, right, "completed", both))
    with verl_worker.unjudged() as lost:
        answer["unjudged"] = refused(lambda: played(family, lost, [["<answer>1</answer>"]], "completed", both))
    print("\n" + json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
