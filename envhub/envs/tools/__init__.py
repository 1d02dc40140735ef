"""Tools and apps: judged by what was changed, and by what was not."""
