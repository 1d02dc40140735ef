"""Environments about finding things out: in one long text, and in a corpus with tools."""
