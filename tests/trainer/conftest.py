"""One thread for torch: the models are too small for more, and the tests run side by side."""

from __future__ import annotations

import torch

torch.set_num_threads(1)
