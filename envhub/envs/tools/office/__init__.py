"""apps-v1 and apps-code-v0: goals and questions over office apps."""
