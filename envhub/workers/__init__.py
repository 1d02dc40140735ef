"""Worker processes: spawned, supervised and ended with the process that started them, and a pool of verifiers that may run away."""
