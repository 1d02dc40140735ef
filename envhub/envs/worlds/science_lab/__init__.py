"""science-lab-v0: hidden properties, found by experiment."""
