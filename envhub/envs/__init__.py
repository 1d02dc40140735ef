"""The conversation: one file per environment, with its rules, parameters, sampling, grading and prompt."""
