"""Episodes: task, state and journal; steps, replay, snapshots, and failure checks."""
