"""Environments about finding facts in a long text or a corpus."""
