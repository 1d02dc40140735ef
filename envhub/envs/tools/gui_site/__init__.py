"""Whole sites in a real browser; the environment is in :mod:`envhub.envs.tools.gui_site.environment`."""
