"""lean-formalize-v0: state an English sentence as a formula in Lean."""
