"""``envhub`` with :mod:`benchmarks.ours.echo` registered as ``echo-v0``.

::

    python -m benchmarks.ours.serve serve --port 0
"""

from benchmarks.ours.echo import Echo
from envhub.cli import main
from envhub.registry.registry import register

if __name__ == "__main__":
    register("echo-v0", Echo)
    main()
