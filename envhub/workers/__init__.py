"""Worker processes: spawned, supervised and ended with the process that started them; and the pool of verifiers."""
