"""The peers' workloads, run by ``.venvs/<peer>`` without importing envhub."""
