"""circle-the-cat-v0."""
