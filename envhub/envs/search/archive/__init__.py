"""deep-research-v1: answer questions from a large archive whose documents disagree, with a passage for every claim."""
