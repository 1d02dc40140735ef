"""Code that runs inside the jail.

Standard library only, Python 3.9 or newer, without any secrets. The host sends these modules as text
(:mod:`envhub.sandbox.slots.bundle`). Inside they are called ``_jail.*``; envhub itself is not installed there. In order
of use: ``jail`` (or ``container``) sets up a slot, ``zygote`` waits in it and forks processes, ``runner`` takes
requests and runs jobs, ``init`` does one job, ``box`` holds its files, ``prepared`` forks processes that wait for their
program, ``spawn`` drops all privileges and starts the program, ``monitor`` enforces the limits, ``reaper`` waits for
orphans.
"""
