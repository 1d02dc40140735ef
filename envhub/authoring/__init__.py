"""What an author of environments subclasses: SingleTurn, World and ToolEnv, and Game for games with seats."""
