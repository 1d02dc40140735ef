"""BabyAI's levels, from the library minigrid, as an environment."""
