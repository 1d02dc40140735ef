"""ScienceWorld's tasks as an environment."""
