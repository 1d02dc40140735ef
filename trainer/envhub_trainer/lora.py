"""Low-rank adapters (LoRA, Hu et al. 2021, arXiv 2106.09685) through peft.

::

    model = attach(load_model(...), config.lora)        # only the adapters are trained
    model.save_pretrained(folder)                       # only the adapters are written
    merged(model).save_pretrained(folder)               # a model like any other

The base weights never change. A checkpoint holds the adapters alone and needs the base model, ``model.path``, to be loaded.
"""

from __future__ import annotations

import copy
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from safetensors.torch import load_file

from envhub_trainer.config import Config, ConfigError, LoraConfig
from envhub_trainer.models import ADAPTER, load_model

_PREFIX: Final = "base_model.model."
"""Start of the names in a file of adapters."""


def attach(model: Any, settings: LoraConfig) -> Any:
    """Add new adapters to a model in place.

    Before training they change nothing.

    Raises:
        ConfigError: peft is not installed, or the model has no such layers.
    """
    targets = list(settings.targets) if settings.targets is not None else "all-linear"
    given = _peft().LoraConfig(r=settings.rank, lora_alpha=settings.alpha, target_modules=targets, lora_dropout=0.0)
    try:
        model.add_adapter(given)
    except ValueError as error:
        raise ConfigError(f"lora.targets: {error}") from None
    return model


def load(source: str, config: Config) -> Any:
    """Load a model, or the base model of a run with adapters.

    Args:
        source: Folder or name of a model, or a folder of adapters.
        config: Configuration of the run.

    Raises:
        ConfigError: It cannot be loaded, or adapters need peft.
    """
    if not (Path(source) / ADAPTER).is_file():
        return load_model(source, config.model)
    peft = _peft()
    model = load_model(config.model.path, config.model)
    settings = peft.PeftConfig.from_pretrained(source)
    settings.inference_mode = False
    model.add_adapter(settings)
    # Not load_adapter of transformers, after which a merged model is saved under the names of adapters.
    kept = load_file(Path(source) / "adapter_model.safetensors")
    told = peft.set_peft_model_state_dict(model, {name.removeprefix(_PREFIX): each for name, each in kept.items()})
    if told.unexpected_keys:
        raise ConfigError(f"The adapters in {source} do not fit {config.model.path}: {told.unexpected_keys[:3]}.")
    return model


def merged(model: Any) -> Any:
    """A copy of a model with its adapters merged into its weights."""
    tuner = import_module("peft.tuners.tuners_utils").BaseTunerLayer
    plain = copy.deepcopy(model).requires_grad_(False)
    for name, module in list(plain.named_modules()):
        if isinstance(module, tuner):
            module.merge()
            parent, _, leaf = name.rpartition(".")
            setattr(plain.get_submodule(parent), leaf, module.get_base_layer())
    plain._hf_peft_config_loaded = False  # otherwise transformers saves adapters, which are gone
    return plain


def deployed(model: Any, config: Config) -> Any:
    """The model for the sampler: with adapters, or with merged weights."""
    return merged(model) if merges(config) else model


def merges(config: Config) -> bool:
    """Whether the sampler receives merged weights; ConfigError if it must not."""
    if config.lora is None:
        return False
    served = config.policy.kind == "vllm"
    if served and config.lora.sync == "adapter":
        raise ConfigError("lora.sync: vLLM receives merged weights; set it to 'merged', or policy.kind to 'hf'.")
    return served or config.lora.sync == "merged"


def _peft() -> Any:
    try:
        return import_module("peft")
    except ImportError:
        raise ConfigError("Adapters need peft: pip install 'envhub[lora]', or leave out the section [lora].") from None
