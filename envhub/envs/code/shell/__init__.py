"""shell-v0: change a tree of files with shell commands."""
