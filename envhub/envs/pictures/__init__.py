"""Tasks of seeing: shapes, puzzles in pictures, and questions about boards and charts."""
