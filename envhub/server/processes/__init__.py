"""The processes of a server.

Workers and their supervisor, the sandbox broker, and readiness.
"""
