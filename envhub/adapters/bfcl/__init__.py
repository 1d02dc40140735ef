"""The single-turn questions of the Berkeley Function-Calling Leaderboard."""
