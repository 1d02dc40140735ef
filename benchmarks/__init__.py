"""Side by side with the peers: the same work, CPU seconds, paired alternating runs. Shown, never asserted.

``python -m benchmarks`` runs everything, ``python -m benchmarks sudoku --repeats 11`` one part of it. A workload is a tiny
module in ``ours/`` or ``peers/`` that runs in an interpreter of its own and prints one JSON line; the peers are installed,
pinned, into ``.venvs/`` when first needed.
"""
