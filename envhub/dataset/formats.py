"""Row formats of trainers, and where each stores the task.

Every format contains the prompt as chat messages, the ground truth (:mod:`envhub.dataset.truth`), and the task's
environment, level, split and fingerprint. All rows of a format have the same columns and types for every environment,
so a file of many environments is one table::

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
from envhub.dataset.images import COLUMN, column_of

NAMESPACE: Final = "envhub"


class Sample(NamedTuple):
    """One task as the content of a row.

    Attributes:
        task: The task.
        ability: The category of its environment.
        number: Number of the row, from 0.
        difficulty: Level it was drawn for.
        multi_turn: Whether its episode has more than one turn; the prompt is then the first observation.
        answer_format: Format of answers or tool calls in the prompt, if not the environment's default.
        system: A system message.
        solution: The oracle's actions, one per turn; None omits the column.
        pictures: The pictures of the prompt as PNG files; None omits the column.
    """

    task: Task
    ability: str
    number: int
    difficulty: int
    multi_turn: bool = False
    answer_format: str | None = None
    system: str | None = None
    solution: tuple[str, ...] | None = None
    pictures: tuple[bytes, ...] | None = None

    @property
    def images(self) -> dict[str, Any]:
        """The column of pictures, if there is one.

        It has the layout of the Hub's ``Image`` feature. In the work file the bytes are base64 (:mod:`envhub.dataset.images`).
        """
        return {} if self.pictures is None else {COLUMN: column_of(self.pictures, self.number)}

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as chat messages."""
        opening = [] if self.system is None else [{"role": "system", "content": self.system}]
        return [*opening, {"role": "user", "content": self.task.prompt}]

    @property
    def source(self) -> str:
        """Data source, ``envhub/sudoku-v0``."""
        return f"{NAMESPACE}/{self.task.env_id}"

    def facts(self) -> dict[str, Any]:
        """Facts about the task that every format contains."""
        task = self.task
        found = {
            "index": self.number,
            "env_id": task.env_id,
            "split": task.split,
            "difficulty": self.difficulty,
            "fingerprint": task.fingerprint,
            "multi_turn": self.multi_turn,
            "answer_format": self.answer_format,
            "wording": None if task.wording is None else str(task.wording),
            "tools": json.dumps(list(task.tools), ensure_ascii=False),  # as text: schemas differ, column types may not
        }
        return found if self.solution is None else {**found, "solution": list(self.solution)}


class Row(NamedTuple):
    """Content that can be read back from a row of any format."""

    truth: str
    facts: Mapping[str, Any]


class Format(ABC):
    """The columns of one trainer."""

    tabular: bool = True  # whether every column has one type, as parquet requires
    pictured: bool = False  # whether its trainer reads a column of pictures

    @abstractmethod
    def row(self, sample: Sample) -> dict[str, Any]:
        """The row of a task."""

    @abstractmethod
    def read(self, row: Mapping[str, Any]) -> Row:
        """Read back a row written by :meth:`row`.

        Raises:
            KeyError: It is not a row of this format.
            TypeError: It is not a row of this format.
        """


class Verl(Format):
    """verl, and trainers that read its columns (SkyRL, slime with ``label_key``)."""

    pictured = True

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``data_source``, ``prompt``, ``ability``, ``reward_model``, ``extra_info``.

        With pictures also ``images``; the prompt holds a placeholder for each.
        """
        *opening, last = sample.messages
        places = "\n<image>" * len(sample.pictures or ())
        return {
            "data_source": sample.source,
            "prompt": [*opening, {**last, "content": last["content"] + places}],
            "ability": sample.ability,
            "reward_model": {"style": "rule", "ground_truth": truth.write(sample.task.key)},
            "extra_info": sample.facts(),
            **sample.images,
        }

    def read(self, row: Mapping[str, Any]) -> Row:
        """The ground truth in ``reward_model``."""
        return Row(row["reward_model"]["ground_truth"], row["extra_info"])


class Trl(Format):
    """TRL: the prompt, and flat columns passed to reward functions by name."""

    pictured = True

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``prompt``, ``ground_truth``, ``data_source`` and one per fact.

        With pictures also ``images``, for which TRL adds placeholders.
        """
        head = {"prompt": sample.messages, "ground_truth": truth.write(sample.task.key), "data_source": sample.source}
        return {**head, **sample.facts(), **sample.images}

    def read(self, row: Mapping[str, Any]) -> Row:
        """The facts are columns."""
        return Row(row["ground_truth"], row)


class OpenRlhf(Format):
    """OpenRLHF with its defaults ``input`` and ``label``."""

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``input`` (messages, for ``--apply_chat_template``), ``label``, ``datasource`` and one per fact."""
        head = {"input": sample.messages, "label": truth.write(sample.task.key), "datasource": sample.source}
        return {**head, **sample.facts()}

    def read(self, row: Mapping[str, Any]) -> Row:
        """The label is the ground truth."""
        return Row(row["label"], row)


class NemoGym(Format):
    """NeMo Gym: the model's input under ``responses_create_params``, the rest for the verifier."""

    tabular = False  # tools are stored there as schemas

    def row(self, sample: Sample) -> dict[str, Any]:
        """Columns ``responses_create_params``, ``ground_truth`` and one per fact."""
        # required; ours are not strict, because invalid calls get feedback
        tools = [{"type": "function", **tool["function"], "strict": False} for tool in sample.task.tools]
        asked = {"input": sample.messages, **({"tools": tools} if tools else {})}
        facts = {"ground_truth": truth.write(sample.task.key), "data_source": sample.source, **sample.facts()}
        return {"responses_create_params": asked, **facts}

    def read(self, row: Mapping[str, Any]) -> Row:
        """The facts are columns."""
        row["responses_create_params"]
        return Row(row["ground_truth"], row)


class Verifiers(Format):
    """verifiers: ``TaskData`` fields of ``v1``, plus the columns of older versions."""

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
    """Content of a row in any of the formats.

    None if it has none.
    """
    for known in FORMATS.values():
        try:
            found = known.read(row)
        except (KeyError, TypeError):
            continue
        if isinstance(found.truth, str) and isinstance(found.facts, Mapping) and _typed(found.facts):
            return found
    return None


def _typed(facts: Mapping[str, Any]) -> bool:
    """Whether the facts that readers rely on are present and valid."""
    texts = isinstance(facts.get("fingerprint"), str) and isinstance(facts.get("env_id"), str)
    return (
        texts and isinstance(facts.get("difficulty"), int | None) and isinstance(facts.get("answer_format"), str | None)
    )
