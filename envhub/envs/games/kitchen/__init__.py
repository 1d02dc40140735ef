"""kitchen-v0: two cooks who share a kitchen."""
