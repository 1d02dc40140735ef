"""Reader of answers whose kind nobody declared, as mathematics data writes them.

A text is spelled in one way (:mod:`spelling`), read as typed values in order of rank (:mod:`reader`), and compared with
values of compatible types only (:mod:`matching`). :mod:`auto` is the kind ``auto`` of :mod:`envhub.verifiers.math`.
"""

import envhub.verifiers.math  # noqa: F401 - its kinds include this one, so it must be loaded first
