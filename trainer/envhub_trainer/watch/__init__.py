"""Watching a run: what is measured of each step, the log, the view in the terminal, and the report as a page.

:mod:`envhub_trainer.watch.measures` turns groups of episodes into numbers, :mod:`envhub_trainer.watch.track` writes them down,
:mod:`envhub_trainer.watch.view` shows them while they come, :mod:`envhub_trainer.watch.report` afterwards.
"""
