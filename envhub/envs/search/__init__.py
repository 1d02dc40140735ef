"""Environments about finding facts: in one long text, and in a corpus with tools."""
