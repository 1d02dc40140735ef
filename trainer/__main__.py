"""``python -m trainer``: the same as ``envhub train``."""

from trainer.cli import main

if __name__ == "__main__":
    main()
