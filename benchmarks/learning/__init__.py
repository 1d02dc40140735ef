"""Learning runs with three seeds and a control each, and the tables of docs/learning.md.

::

    python -m benchmarks.learning transfer          # run what has no record yet, and write the tables
    python -m benchmarks.learning --page            # write the tables from the records alone

A run is a warm start, reinforcement learning and an evaluation before and after it, in this process and on one thread. Its
result is one line of ``benchmarks/learning/records/NAME.jsonl``; the same command continues where it was stopped. The control
is the same run with the rewards of each step shuffled between its episodes (``rollout.permute_rewards``).
"""
