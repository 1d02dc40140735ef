"""Benchmarks against peers: same work, CPU seconds, paired alternating runs.

Results are shown, never asserted.

``python -m benchmarks`` runs all of them, ``python -m benchmarks sudoku --repeats 11`` only one. A workload is a tiny
module in ``ours/`` or ``peers/`` that runs in its own interpreter and prints one JSON line; peers are installed, pinned, into
``.venvs/`` on first use.
"""
