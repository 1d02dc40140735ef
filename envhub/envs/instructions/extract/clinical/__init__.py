"""Clinical notes: records, sentences and schema."""
