"""extract-v0: write what a clinical note states as JSON."""
