"""Our side: runs in the interpreter that runs the benchmarks."""
