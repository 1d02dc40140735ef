"""The processes of a server: workers and their supervisor, the sandbox broker, and readiness."""
