"""TRL's and verl's own losses, called without a trainer or a model.

``trl_loss(batch, loss_type="dapo")`` and ``verl_loss(verl, batch, "vanilla", "token-mean", ActorConfig())`` return a function
of log-probabilities ``(B, T)``, or None if the peer is missing. Of verl only ``core_algos`` is loaded, from its wheel, with
stubs for the imports that its formulas do not need.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from envhub_trainer.batch import Batch

Loss = Callable[[Tensor], Tensor]
LONGEST = 32
"""The token budget that Dr. GRPO divides by."""


def slope(loss: Loss, logp: Tensor) -> tuple[float, Tensor]:
    """A loss and its gradient."""
    at = logp.clone().requires_grad_()
    value = loss(at)
    return value.item(), torch.autograd.grad(value, at)[0]


def beside(ours: Loss, theirs: Loss | None, logp: Tensor) -> str:
    """A table cell: the peer's loss and the difference of its gradient from ours."""
    if theirs is None:
        return "-"
    (_, wanted), (loss, made) = slope(ours, logp), slope(theirs, logp)
    return f"{loss:.6f}, d {(made - wanted).abs().max() / wanted.abs().max():.1e}"


# TRL


def trl_loss(batch: Batch, trainer: str = "grpo", **settings: Any) -> Loss | None:
    """The ``_compute_loss`` of a TRL trainer (grpo, gmpo, rloo), called on a stub.

    Settings become attributes of the stub, in addition to ``items`` (number of sampled tokens of the whole generation) and
    ``tis`` (its correction factors).
    """
    if importlib.util.find_spec("trl") is None:
        return None
    if trainer == "grpo":
        from trl import GRPOTrainer as Trainer
    elif trainer == "rloo":
        from trl import RLOOTrainer as Trainer
    else:
        from trl.experimental.gmpo import GMPOTrainer as Trainer
    inside = (torch.arange(batch.mask.shape[1]) < batch.length[:, None] - 1).long()
    ids = torch.zeros_like(inside)
    tis = settings.pop("tis", None)
    inputs = {
        "prompt_ids": ids[:, :1],
        "prompt_mask": inside[:, :1],
        "completion_ids": ids,
        "completion_mask": inside if trainer != "rloo" else batch.mask,
        "tool_mask": batch.mask.long(),
        "advantages": batch.advantage.gather(1, batch.mask.argmax(1, keepdim=True)).squeeze(1),  # type: ignore[union-attr]
        "old_per_token_logps": batch.old,
        "old_logps": (batch.old * batch.mask).sum(1),  # type: ignore[operator]
        "ref_per_token_logps": batch.ref,
        "num_items_in_batch": settings.pop("items", batch.mask.sum()),
        "importance_sampling_ratio": tis,
    }
    stand_in = SimpleNamespace(
        **{
            "aux_loss_enabled": False,
            "top_entropy_quantile": 1.0,
            "off_policy_mask_threshold": None,
            "importance_sampling_level": "token",
            "loss_type": "grpo",
            "beta": 0.0,
            "epsilon_low": 0.2,
            "epsilon_high": 0.2,
            "use_vllm": tis is not None,
            "vllm_importance_sampling_correction": tis is not None,
            "args": SimpleNamespace(use_bias_correction_kl=False, delta=None, steps_per_generation=1),
            "model": SimpleNamespace(training=False),
            "max_completion_length": LONGEST,
            "current_gradient_accumulation_steps": 1,
            "accelerator": SimpleNamespace(num_processes=1, gather=lambda x: x, reduce=lambda x, **_: x),
            "_entropy_bonus_enabled": False,
            "_metrics": defaultdict(lambda: defaultdict(list)),
            **settings,
        }
    )

    def loss(logp: Tensor) -> Tensor:
        stand_in._get_per_token_logps_and_entropies = lambda *_, **__: (logp, torch.zeros_like(logp), None)
        stand_in.accelerator.gather_for_metrics = lambda x: x
        made: Tensor = Trainer._compute_loss(stand_in, None, dict(inputs))
        return made

    return loss


# verl


def load_verl(wheel: str | None) -> Any:
    """Load ``core_algos`` from a wheel, or return None."""
    if wheel is None:
        return None
    stand_ins: dict[str, dict[str, Any]] = {
        "verl": {},
        "verl.trainer": {},
        "verl.workers": {},
        "verl.utils": {"as_torch_index": None, "group_mean_std": None},
        "verl.utils.device": {"get_device_name": None, "get_torch_device": None},
        "verl.utils.import_utils": {"deprecated": lambda _: lambda function: function},
        "verl.trainer.config": {"AlgoConfig": type("AlgoConfig", (), {})},
        "verl.workers.config": {"ActorConfig": ActorConfig},
    }
    for name, attribute in (
        ("omegaconf", "DictConfig"),
        ("tensordict", "TensorDict"),
        ("transformers", "PreTrainedTokenizer"),
    ):
        if importlib.util.find_spec(name) is None:
            stand_ins[name] = {attribute: type(attribute, (), {})}
    for name, attributes in stand_ins.items():
        sys.modules[name] = module = ModuleType(name)
        vars(module).update(attributes)
    functions, algorithms = "verl/utils/torch_functional.py", "verl/trainer/ppo/core_algos.py"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder, [functions, algorithms])
        vars(sys.modules["verl.utils"])["torch_functional"] = loaded(
            "verl.utils.torch_functional", Path(folder, functions)
        )
        return loaded("verl_core_algos", Path(folder, algorithms))


def loaded(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class ActorConfig:
    """The settings that verl's losses read, with verl's defaults."""

    def __init__(self, low: float = 0.2, high: float = 0.2, **batch_info: Any) -> None:
        self.clip_ratio = self.clip_ratio_low = low
        self.clip_ratio_high = high
        self.global_batch_info = batch_info
        self.policy_loss = SimpleNamespace(kl_cov_ratio=2e-4, ppo_kl_coef=1.0)

    def get(self, _: str, otherwise: Any) -> Any:
        return otherwise


def verl_loss(
    verl: Any, batch: Batch, how: str, mode: str, config: ActorConfig, weights: Tensor | None = None
) -> Loss | None:
    if verl is None:
        return None

    def loss(logp: Tensor) -> Tensor:
        given = (batch.old, logp, batch.advantage, batch.mask, mode, config, weights)
        made: Tensor = verl.get_policy_loss_fn(how)(*given)[0]
        return made

    return loss
