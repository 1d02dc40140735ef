"""The episode service: operations on episodes, exactly once, and what it keeps in memory."""
