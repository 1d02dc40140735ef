"""deep-research-v1: cited answers from a large archive whose documents disagree."""
