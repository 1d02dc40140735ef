"""browse-v1: carry out tasks on the pages of a company."""
