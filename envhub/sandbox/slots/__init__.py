"""The host's side of slots: who gets which, what goes in and what comes out."""
