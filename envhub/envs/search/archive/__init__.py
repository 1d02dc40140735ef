"""deep-research-v1: answer from an archive whose documents disagree, with citations."""
