"""geometry-v0: exact lengths, angles and areas in drawn figures."""
