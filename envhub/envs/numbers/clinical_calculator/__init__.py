"""clinical-calculator-v0: published scores and formulas from charts in prose."""
