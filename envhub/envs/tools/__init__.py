"""Tools and apps: graded by required changes and by side effects."""
