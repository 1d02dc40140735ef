"""negotiation-v0."""
