"""python-tool-v0: answer numeric questions with a Python interpreter."""
