"""``python -m envhub``: the command line."""

from envhub.cli import main

if __name__ == "__main__":
    main()
