"""Answer types: what a prompt asks for, how an answer is found in a text, and how it is read."""
