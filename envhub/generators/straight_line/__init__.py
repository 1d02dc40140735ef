"""Small deterministic programs.

Drawn at random, interpreted without executing text, and printed as Python. A program is a tree of lists in a subset of
Python. By construction it terminates, raises nothing and keeps its numbers small::

    sample = search(rng, Shape(blocks=2))           # a program without dead parts, with some runs; or None
    run(sample.program, [[3, 1, 2], 5]).value       # by our own interpreter, which counts steps
    source(sample.program)                          # the same as Python: def f(xs, n): ...

``draw`` draws programs, ``pruned`` removes dead parts, ``described`` describes the arguments, and ``canonical``
identifies equal programs.
"""

from envhub.generators.straight_line.alive import alive, neighbours, pruned
from envhub.generators.straight_line.canonical import canonical
from envhub.generators.straight_line.draw import draw
from envhub.generators.straight_line.expressions import TooMuch
from envhub.generators.straight_line.form import form
from envhub.generators.straight_line.hint import hint
from envhub.generators.straight_line.machine import Machine, Run, run
from envhub.generators.straight_line.search import Sample, search, weight
from envhub.generators.straight_line.shape import LETTERS, Shape
from envhub.generators.straight_line.takes import described, draw_arguments, edge_arguments, fits, outside
from envhub.generators.straight_line.text import signature, source

__all__ = [
    "LETTERS",
    "Machine",
    "Run",
    "Sample",
    "Shape",
    "TooMuch",
    "alive",
    "canonical",
    "described",
    "draw",
    "draw_arguments",
    "edge_arguments",
    "fits",
    "form",
    "hint",
    "neighbours",
    "outside",
    "pruned",
    "run",
    "search",
    "signature",
    "source",
    "weight",
]
