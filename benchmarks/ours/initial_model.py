"""The initial model of a run: that of :mod:`benchmarks.learning` for its recipes, else the trainer's warm start.

Arguments: the run's file, changes to it (``section.name=value``). The model is written to model.path.
"""

import json
import sys
from pathlib import Path

from benchmarks.learning.experiment import Experiment
from benchmarks.learning.experiments import EXPERIMENTS
from envhub_trainer.config import load

if __name__ == "__main__":
    recipe, changes = sys.argv[1], sys.argv[2:]
    EXPERIMENTS.get(Path(recipe).stem, Experiment("", recipe, "")).prepare(load(recipe, changes))
    print(json.dumps({}))
