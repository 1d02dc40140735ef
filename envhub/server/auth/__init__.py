"""Access control: API keys, scopes, rates, quotas and ownership."""
