"""Monitoring of a run: measures, log, terminal view, HTML report.

:mod:`envhub_trainer.watch.measures` turns groups of episodes into numbers, :mod:`envhub_trainer.watch.track` logs them,
:mod:`envhub_trainer.watch.view` shows them live, :mod:`envhub_trainer.watch.report` afterwards.
"""
