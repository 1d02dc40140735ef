"""Whose columns a dataset has: a row for each trainer, and where in it the task stands.

Every format carries the same facts: the prompt as chat messages, the ground truth (:mod:`envhub.dataset.truth`), and about the
task its environment, level, split and fingerprint. All rows of a format have the same columns with the same types, whatever
the environment, so a file of many environments is one table::

    row = FORMATS["verl"].row(Sample(task, "logic", number=0, difficulty=3))
    FORMATS["verl"].truth(row)                        # its ground truth

Sources: verl ``utils/dataset/README``; TRL "Dataset formats" and ``GRPOTrainer`` (other columns go to the reward function by
name); OpenRLHF ``datasets/prompts_dataset.py`` (``input_key``, ``label_key``, ``datasource``); NeMo Gym "Data"
(``responses_create_params``); verifiers ``v1`` ``TaskData`` (``idx``, ``name``, ``prompt``) and its older columns ``answer``,
``info``.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from envhub.core.types import Task
from envhub.dataset import truth

NAMESPACE: Final = "envhub"


class Sample(NamedTuple):
    """One task as it goes into a row.

    Attributes:
        task: The task.
        ability: The category of its environment.
        number: Of the row, from 0.
        difficulty: The level it was drawn for.
        multi_turn: Whether its episode has more than one turn; the prompt is then the first observation.
        answer_format: The form its prompt asks for, if another than the environment's own.
        system: A system message.
        solution: The oracle's actions, one for each turn; None leaves the column out.
    """

    task: Task
    ability: str
    number: int
    difficulty: int
    multi_turn: bool = False
    answer_format: str | None = None
    system: str | None = None
    solution: tuple[str, ...] | None = None

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as chat messages."""
        opening = [] if self.system is None else [{"role": "system", "content": self.system}]
        return [*opening, {"role": "user", "content": self.task.prompt}]

    @property
    def source(self) -> str:
        """``envhub/sudoku-v0``."""
        return f"{NAMESPACE}/{self.task.env_id}"

    def facts(self) -> dict[str, Any]:
        """What every format says about a task."""
        task = self.task
        found = {
            "index": self.number,
            "env_id": task.env_id,
            "split": task.split,
            "difficulty": self.difficulty,
            "fingerprint": task.fingerprint,
            "multi_turn": self.multi_turn,
            "answer_format": self.answer_format,
            "tools": json.dumps(list(task.tools), ensure_ascii=False),  # as text: schemas differ, columns may not
        }
        return found if self.solution is None else {**found, "solution": list(self.solution)}


class Row(NamedTuple):
    """What can be read back from a row of any format."""

    truth: str
    facts: Mapping[str, Any]


class Format(ABC):
    """The columns of one trainer."""

    tabular: bool = True  # whether every column has one type, as parquet needs

    @abstractmethod
    def row(self, sample: Sample) -> dict[str, Any]:
        """The row of a task."""

    @abstractmethod
    def read(self, row: Mapping[str, Any]) -> Row:
        """What :meth:`row` wrote.

        Raises:
            KeyError: It is not a row of this format.
            TypeError: It is not a row of this format.
        """


class Verl(Format):
    """verl, and who reads its columns (SkyRL, slime with ``label_key``)."""

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``data_source``, ``prompt``, ``ability``, ``reward_model``, ``extra_info``."""
        return {
            "data_source": sample.source,
            "prompt": sample.messages,
            "ability": sample.ability,
            "reward_model": {"style": "rule", "ground_truth": truth.write(sample.task.key)},
            "extra_info": sample.facts(),
        }

    def read(self, row: Mapping[str, Any]) -> Row:
        """The ground truth stands in ``reward_model``."""
        return Row(row["reward_model"]["ground_truth"], row["extra_info"])


class Trl(Format):
    """TRL: the prompt, and flat columns that its reward functions get by name."""

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``prompt``, ``ground_truth``, ``data_source`` and one for each fact."""
        head = {"prompt": sample.messages, "ground_truth": truth.write(sample.task.key), "data_source": sample.source}
        return {**head, **sample.facts()}

    def read(self, row: Mapping[str, Any]) -> Row:
        """The facts are columns."""
        return Row(row["ground_truth"], row)


class OpenRlhf(Format):
    """OpenRLHF with its defaults ``input`` and ``label``."""

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``input`` (messages, for ``--apply_chat_template``), ``label``, ``datasource`` and one for each fact."""
        head = {"input": sample.messages, "label": truth.write(sample.task.key), "datasource": sample.source}
        return {**head, **sample.facts()}

    def read(self, row: Mapping[str, Any]) -> Row:
        """The label is the ground truth."""
        return Row(row["label"], row)


class NemoGym(Format):
    """NeMo Gym: what the model is asked under ``responses_create_params``, the rest for the verifier."""

    tabular = False  # tools stand there as the schemas they are

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``responses_create_params``, ``ground_truth`` and one for each fact."""
        # strict must be said; ours are not, for a call that does not fit is answered
        tools = [{"type": "function", **tool["function"], "strict": False} for tool in sample.task.tools]
        asked = {"input": sample.messages, **({"tools": tools} if tools else {})}
        facts = {"ground_truth": truth.write(sample.task.key), "data_source": sample.source, **sample.facts()}
        return {"responses_create_params": asked, **facts}

    def read(self, row: Mapping[str, Any]) -> Row:
        """The facts are columns."""
        row["responses_create_params"]
        return Row(row["ground_truth"], row)


class Verifiers(Format):
    """verifiers: ``TaskData`` fields of ``v1``, with the columns of the versions before."""

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``idx``, ``name``, ``prompt``, ``answer``, ``task`` and ``info``."""
        return {
            "idx": sample.number,
            "name": f"{sample.task.env_id}#{sample.number}",
            "prompt": sample.messages,
            "answer": truth.write(sample.task.key),
            "task": sample.task.env_id,
            "info": sample.facts(),
        }

    def read(self, row: Mapping[str, Any]) -> Row:
        """The answer is the ground truth."""
        return Row(row["answer"], row["info"])


FORMATS: Final[dict[str, Format]] = {
    "verl": Verl(),
    "trl": Trl(),
    "openrlhf": OpenRlhf(),
    "nemo-gym": NemoGym(),
    "verifiers": Verifiers(),
}


def read_row(row: Any) -> Row | None:
    """What stands in a row of any of the formats; None when it is of none."""
    for known in FORMATS.values():
        try:
            found = known.read(row)
        except (KeyError, TypeError):
            continue
        if isinstance(found.truth, str) and isinstance(found.facts, Mapping) and _typed(found.facts):
            return found
    return None


def _typed(facts: Mapping[str, Any]) -> bool:
    """Whether the facts that readers rely on are there and are what they should be."""
    texts = isinstance(facts.get("fingerprint"), str) and isinstance(facts.get("env_id"), str)
    return (
        texts and isinstance(facts.get("difficulty"), int | None) and isinstance(facts.get("answer_format"), str | None)
    )
