"""Environments about writing, reading, fixing and running programs, graded by what runs in a sandbox return."""
