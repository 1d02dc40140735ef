"""Worker processes, and the pool that runs verifiers in them.

They end with their parent.
"""
