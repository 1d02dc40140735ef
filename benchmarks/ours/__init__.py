"""Our workloads; they run in the benchmarks' own interpreter."""
