"""Environments: rules, parameters, sampling, grading and prompt of each."""
