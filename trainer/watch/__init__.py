"""Watching a run: what is measured of each step, the log, the view in the terminal, and the report as a page.

:mod:`trainer.watch.measures` turns groups of episodes into numbers, :mod:`trainer.watch.track` writes them down,
:mod:`trainer.watch.view` shows them while they come, :mod:`trainer.watch.report` afterwards.
"""
