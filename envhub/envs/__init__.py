"""Environments: one file or package each, with its rules, parameters, sampling, grading and prompt."""
