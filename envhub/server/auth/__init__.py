"""Who may do what: API keys, scopes, rates, quotas and ownership."""
