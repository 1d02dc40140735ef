"""The wire protocols of other people's trainers, each a thin router over the same episodes and the same verdicts."""
