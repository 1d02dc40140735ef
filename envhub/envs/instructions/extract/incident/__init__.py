"""Incident reports: records, sentences and schema."""
