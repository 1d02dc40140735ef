"""``python -m envhub_trainer``: the same as ``envhub train``."""

from envhub_trainer.cli import main

if __name__ == "__main__":
    main()
