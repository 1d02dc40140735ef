"""Gymnasium's interface: environments, vector environments, spaces, and the registration of ``envhub/...`` ids."""
