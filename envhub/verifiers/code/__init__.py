"""Programs as answers: run in the sandbox, judged outside it."""
