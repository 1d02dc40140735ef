"""kuhn-poker-v0 and leduc-poker-v0."""
