"""ehr-v0: questions about a generated hospital database."""
