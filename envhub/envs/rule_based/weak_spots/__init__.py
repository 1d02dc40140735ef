"""weak-spot-v0: choosing tasks at which a solver succeeds as often as wanted."""
