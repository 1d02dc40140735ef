"""Episodes: a task, a state and a journal; steps, replay, snapshots, and who is to blame for a turn that raised."""
