"""The episode service: operations on episodes, exactly once, and its cache."""
